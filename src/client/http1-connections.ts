// The connections to an API server with HTTP/1.1: as many as there are requests, up to a maximum, beyond which requests wait in order.
import type { ClientRequest } from 'node:http'
import { Agent, request as openRequest } from 'node:https'
import type { Socket } from 'node:net'
import { type Cancel, closedError, type Exchange, failLater } from './exchange.ts'
import type { RequestHeaders } from './request-headers.ts'
import { whenOpen } from './socket.ts'

interface Http1Options {
  readonly headers: RequestHeaders
  readonly maxConnections: number
  open(): Socket
}

/** With TLS or without: the socket decides. (To import node:http would load Node.js' fetch and WebSocket too.) */
class OpeningAgent extends Agent {
  readonly #open: () => Socket

  constructor(open: () => Socket, options: ConstructorParameters<typeof Agent>[0]) {
    super(options)
    this.#open = open
  }

  // Node.js calls it for each connection.
  createConnection(): Socket {
    return this.#open()
  }
}

export class Http1Connections {
  readonly #headers: RequestHeaders
  readonly #agent: Agent
  /** A response that may last for hours has a connection of its own. */
  readonly #streamAgent: Agent
  readonly #failures = new Set<(error: Error) => void>()

  constructor({ headers, maxConnections, open }: Http1Options) {
    this.#headers = headers
    this.#agent = new OpeningAgent(open, { keepAlive: true, maxSockets: maxConnections })
    this.#streamAgent = new OpeningAgent(open, { keepAlive: false })
  }

  start(exchange: Exchange, isStream: boolean): Cancel {
    const { method, body } = exchange.request
    let isOver = false
    let hasHead = false
    const finish = () => {
      isOver = true
      this.#failures.delete(fail)
    }
    const fail = (error: Error, repeatable?: 'read') => {
      if (isOver) return
      finish()
      request.destroy()
      exchange.onError(error, repeatable)
    }
    const onLost = (error: NodeJS.ErrnoException) => {
      const isReset = error.code === 'ECONNRESET'
      fail(isReset ? closedError(hasHead) : error, isReset && request.reusedSocket ? 'read' : undefined)
    }
    let request: ClientRequest
    try {
      request = openRequest({ agent: isStream ? this.#streamAgent : this.#agent, method, ...this.#headers.http1(exchange.request) })
    } catch (error) {
      return failLater(exchange, error as Error)
    }
    this.#failures.add(fail)
    request.on('socket', (socket) =>
      whenOpen(socket, () => {
        if (isOver) return
        try {
          exchange.beforeWrite?.()
          const text = body?.()
          // Node.js does not set it for every method.
          if (text !== undefined) request.setHeader('content-length', Buffer.byteLength(text))
          request.end(text)
          if (text !== undefined) exchange.onWritten?.()
        } catch (error) {
          fail(error as Error)
        }
      }),
    )
    request.on('error', onLost)
    request.on('response', (response) => {
      response.on('error', onLost)
      if (isOver) return
      hasHead = true
      exchange.onHead(response.statusCode!, response.headers)
      response.on('data', (bytes: Buffer) => {
        if (!isOver) exchange.onBody(bytes)
      })
      response.on('end', () => {
        if (isOver) return
        finish()
        exchange.onEnd()
      })
    })
    return () => {
      finish()
      request.destroy()
    }
  }

  /** Exchanges fail with the error. */
  destroy(error: Error): void {
    for (const fail of [...this.#failures]) fail(error)
    this.#agent.destroy()
    this.#streamAgent.destroy()
  }
}
