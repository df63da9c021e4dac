// The connections of a client. With HTTP/2, requests share a connection, up to the number of concurrent requests that the server allows on
// one; further requests use another, up to a maximum of connections, and then wait in order. A server without HTTP/2 is found by TLS.
import type { Socket } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { type Cancel, closedError, type Exchange, failLater } from './exchange.ts'
import { Http1Connections } from './http1-connections.ts'
import { Http2Connection } from './http2-connection.ts'
import type { RequestHeaders } from './request-headers.ts'
import { type Endpoint, openSocket, protocolOf, whenOpen } from './socket.ts'

interface PoolOptions {
  readonly endpoint: Endpoint
  readonly headers: RequestHeaders
  readonly clock: Clock
  /** Not counting the connections of HTTP/1.1 that carry a stream. */
  readonly maxConnections: number
}

interface Waiting {
  readonly exchange: Exchange
  cancel: Cancel
}

export class ConnectionPool {
  readonly #options: PoolOptions
  /** Once the server has chosen HTTP/1.1. */
  #http1: Http1Connections | undefined
  /** Those of HTTP/2 that accept requests, and all that are open. */
  readonly #usable = new Set<Http2Connection>()
  readonly #open = new Set<Http2Connection>()
  #opening: { destroy(error: Error): void } | undefined
  readonly #waiting = new Set<Waiting>()
  /** Started before other requests. */
  readonly #waitingStreams = new Set<Waiting>()
  #isPumping = false
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    const { tls } = options.endpoint
    if (tls === undefined || !tls.protocols.includes('h2')) this.#useHttp1()
  }

  /** Sends the request as soon as a connection has room. `isStream`: its response may last for hours. */
  start(exchange: Exchange, isStream = false): Cancel {
    if (this.#isClosed) return failLater(exchange, closedClientError())
    const queue = isStream ? this.#waitingStreams : this.#waiting
    const waiting: Waiting = { exchange, cancel: () => void queue.delete(waiting) }
    queue.add(waiting)
    this.#pump()
    return () => waiting.cancel()
  }

  /** Exchanges that are started later fail. */
  close(): void {
    this.#isClosed = true
    const error = closedClientError()
    this.#opening?.destroy(error)
    this.#http1?.destroy(error)
    for (const connection of this.#open) connection.destroy(error)
    this.#failWaiting(error)
  }

  #pump(): void {
    // Called again from within: the loop below continues.
    if (this.#isPumping) return
    this.#isPumping = true
    for (;;) {
      const queue = this.#waitingStreams.size > 0 ? this.#waitingStreams : this.#waiting
      const [waiting] = queue
      if (waiting === undefined) break
      const start = this.#starterOfNext(queue === this.#waitingStreams)
      if (start === undefined) break
      queue.delete(waiting)
      waiting.cancel = start(waiting.exchange)
    }
    this.#isPumping = false
    this.#openMore()
  }

  #starterOfNext(isStream: boolean): ((exchange: Exchange) => Cancel) | undefined {
    const http1 = this.#http1
    if (http1 !== undefined) return (exchange) => http1.start(exchange, isStream)
    for (const connection of this.#usable) if (connection.hasRoom) return (exchange) => connection.start(exchange)
    return undefined
  }

  #openMore(): void {
    if (this.#waiting.size + this.#waitingStreams.size === 0 || this.#opening !== undefined || this.#isClosed) return
    const usable = [...this.#usable]
    if (usable.length >= this.#options.maxConnections || !usable.every(({ isFull }) => isFull)) return
    const { endpoint, clock } = this.#options
    const socket = openSocket(endpoint, clock)
    this.#opening = socket
    let failure: Error | undefined
    const onError = (error: Error) => {
      failure = error
    }
    const onClose = () => this.#failOpening(failure)
    socket.on('error', onError)
    socket.on('close', onClose)
    whenOpen(socket, () => {
      socket.off('error', onError)
      socket.off('close', onClose)
      if (protocolOf(socket) === 'h2') this.#useHttp2(socket)
      else {
        this.#opening = undefined
        this.#useHttp1(socket)
        this.#pump()
      }
    })
  }

  #failOpening(error: Error | undefined): void {
    this.#opening = undefined
    // Waiting requests can wait for room on the other connections. The next request tries again.
    if (this.#usable.size === 0) this.#failWaiting(error ?? closedError(false))
  }

  /** `opened` is used for the first request. */
  #useHttp1(opened?: Socket): void {
    const { endpoint, headers, clock, maxConnections } = this.#options
    const { tls } = endpoint
    const http1Endpoint = tls === undefined ? endpoint : { ...endpoint, tls: { ...tls, protocols: ['http/1.1' as const] } }
    const open = () => {
      const socket = opened ?? openSocket(http1Endpoint, clock)
      opened = undefined
      return socket
    }
    this.#http1 = new Http1Connections({ headers, maxConnections, open })
  }

  #useHttp2(socket: Socket): void {
    const { headers, clock } = this.#options
    const connection = new Http2Connection({
      socket,
      headers,
      clock,
      onReady: () => {
        this.#opening = undefined
        this.#usable.add(connection)
        this.#pump()
      },
      onRoom: () => this.#pump(),
      onRetired: () => {
        this.#usable.delete(connection)
        this.#pump()
      },
      onClosed: (error) => {
        this.#open.delete(connection)
        if (this.#opening === connection) this.#failOpening(error)
      },
    })
    this.#open.add(connection)
    this.#opening = connection
  }

  #failWaiting(error: Error): void {
    const all = [...this.#waitingStreams, ...this.#waiting]
    this.#waitingStreams.clear()
    this.#waiting.clear()
    for (const { exchange } of all) exchange.onError(error)
  }
}

const closedClientError = () => new Error('the client was closed')
