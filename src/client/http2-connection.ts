// One connection to an API server with HTTP/2: many requests at a time, as client-go sends them.
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import type { CancelTimer, Clock } from '../base/clock.ts'
import { CheckedSocket } from './checked-socket.ts'
import { type Cancel, closedError, type Exchange, failLater } from './exchange.ts'
import type { RequestHeaders } from './request-headers.ts'

interface Http2Events {
  /** The server's settings have arrived: exchanges may be started. */
  onReady(): void
  /** It may have room again, or its limit has changed. */
  onRoom(): void
  /** It takes no more exchanges, but may finish some. */
  onRetired(): void
  onClosed(error: Error | undefined): void
}

interface Http2Options extends Http2Events {
  readonly socket: Socket
  readonly headers: RequestHeaders
  readonly clock: Clock
}

/** How much the server may send before it has to wait for an update, as in client-go. */
const streamWindowBytes = 4 * 1024 * 1024
const connectionWindowBytes = 1024 * 1024 * 1024
/** Megabytes for all responses under way. Node.js refuses requests beyond it; its default of 10 is less than two windows of ours. */
const maxSessionMemory = 2048
/** A larger body is handed over in parts, so that the right to write is checked again while the server makes room for them. */
const partLength = 16_384

export class Http2Connection {
  readonly #session: ClientHttp2Session
  readonly #headers: RequestHeaders
  readonly #events: Http2Events
  readonly #liveness: Liveness
  /** Exchanges with bytes that Node.js was given, and has not written yet. */
  readonly #unwritten = new Set<Exchange>()
  /** Undefined until the server's settings arrive. Node.js would hold requests beyond it back, without asking again whether to send them. */
  #maxStreams: number | undefined
  /** Those that are under way, and those that ended well. */
  #streams = 0
  #served = 0
  #isRetired = false
  /** Streams with a higher number were not seen by the server when it announced the end of the connection. */
  #lastSeenStream = Number.POSITIVE_INFINITY
  /** Why the connection ended, and whether this side ended it. */
  #error: Error | undefined
  #isDestroyed = false

  constructor({ socket, headers, clock, ...events }: Http2Options) {
    this.#headers = headers
    this.#events = events
    // The address is not used: the socket is connected.
    const session = connect('https://api-server', {
      createConnection: () => new CheckedSocket(socket, () => this.#checkUnwritten()),
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      maxSessionMemory,
    })
    this.#session = session
    this.#liveness = new Liveness(clock, {
      ask: () => {
        if (!session.destroyed) session.ping(() => this.#liveness.noteReceived())
      },
      onDead: (seconds) => this.destroy(new Error(`nothing was received from the server for ${seconds} seconds`)),
    })
    session.on('connect', () => session.setLocalWindowSize(connectionWindowBytes))
    session.on('ping', () => this.#liveness.noteReceived())
    session.on('remoteSettings', ({ maxConcurrentStreams }) => {
      const isFirst = this.#maxStreams === undefined
      this.#maxStreams = maxConcurrentStreams ?? Number.POSITIVE_INFINITY
      // Also without room: waiting requests may need another connection.
      if (isFirst) events.onReady()
      else events.onRoom()
    })
    session.on('goaway', (_code, lastStream) => {
      this.#lastSeenStream = lastStream
      this.#retire()
    })
    session.on('error', (error) => {
      this.#error ??= error
    })
    session.on('close', () => {
      this.#liveness.stop()
      this.#retire()
      events.onClosed(this.#error)
    })
  }

  get hasRoom(): boolean {
    return !this.#isRetired && !this.#session.closed && !this.#session.destroyed && this.#streams < (this.#maxStreams ?? 0)
  }

  /** Whether it has as many exchanges as the server allows on one connection, so that another connection would help. */
  get isFull(): boolean {
    // A server that allows no requests now does not allow them on another connection either.
    return this.#maxStreams !== 0 && !this.hasRoom
  }

  /** Only with room. */
  start(exchange: Exchange): Cancel {
    let stream: ClientHttp2Stream
    let body: string | undefined
    try {
      exchange.beforeWrite?.()
      body = exchange.request.body?.()
      stream = this.#session.request(this.#headers.http2(exchange.request), { endStream: body === undefined })
      this.#unwritten.add(exchange)
    } catch (error) {
      return failLater(exchange, error as Error)
    }
    this.#streams++
    let isOver = false
    let hasHead = false
    let hasEnded = false
    const fail = (error: Error, repeatable?: 'any' | 'read' | undefined) => {
      if (isOver) return
      isOver = true
      stream.close(constants.NGHTTP2_CANCEL)
      exchange.onError(error, repeatable)
    }
    stream.on('response', (headers: IncomingHttpHeaders & { readonly ':status'?: number }) => {
      this.#liveness.noteReceived()
      hasHead = true
      if (!isOver) exchange.onHead(headers[':status']!, headers)
      // Node.js may emit the first bytes before the head.
      stream.on('data', (bytes: Buffer) => {
        this.#liveness.noteReceived()
        if (!isOver) exchange.onBody(bytes)
      })
    })
    stream.on('end', () => {
      hasEnded = true
      // The server did not need the rest of the body.
      if (!stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR)
    })
    let failure: Error | undefined
    stream.on('error', (error) => {
      failure = error
    })
    stream.on('close', () => {
      this.#streams--
      if (!isOver && hasHead && hasEnded && stream.rstCode === constants.NGHTTP2_NO_ERROR) {
        isOver = true
        this.#served++
        exchange.onEnd()
      } else fail(...this.#failureOf(stream, failure, hasHead))
      if (this.hasRoom) this.#events.onRoom()
    })
    if (body !== undefined) this.#writeBody(stream, exchange, body, fail)
    return () => {
      isOver = true
      stream.close(constants.NGHTTP2_CANCEL)
    }
  }

  /** Exchanges fail with the error. */
  destroy(error: Error): void {
    this.#error ??= error
    this.#isDestroyed = true
    this.#session.destroy(error)
  }

  /** Ends the connection if an exchange may not be written any more: its bytes are among others. */
  #checkUnwritten(): void {
    try {
      for (const exchange of this.#unwritten) exchange.beforeWrite?.()
    } catch (error) {
      this.destroy(error as Error)
      throw error
    } finally {
      this.#unwritten.clear()
    }
  }

  #writeBody(stream: ClientHttp2Stream, exchange: Exchange, body: string, fail: (error: Error) => void): void {
    const onWritten = (error?: Error | null) => {
      if (error) return
      try {
        exchange.onWritten?.()
      } catch (reason) {
        this.destroy(reason as Error)
      }
    }
    if (body.length <= partLength) {
      stream.end(body, onWritten)
      return
    }
    const bytes = Buffer.from(body)
    const write = (from: number) => {
      const to = from + partLength
      if (to >= bytes.length) stream.end(bytes.subarray(from), onWritten)
      else
        stream.write(bytes.subarray(from, to), (error) => {
          if (error || stream.closed) return
          try {
            exchange.onWritten?.()
            exchange.beforeWrite?.()
            this.#unwritten.add(exchange)
          } catch (reason) {
            fail(reason as Error)
            return
          }
          write(to)
        })
    }
    write(0)
  }

  #failureOf(stream: ClientHttp2Stream, failure: Error | undefined, hasHead: boolean): [Error, 'any' | 'read' | undefined] {
    const isUnseen =
      !hasHead && (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || (stream.id ?? Number.POSITIVE_INFINITY) > this.#lastSeenStream)
    if (this.#session.destroyed) {
      const error = this.#error ?? failure ?? closedError(hasHead)
      return [error, isUnseen ? 'any' : hasHead || this.#served === 0 || this.#isDestroyed ? undefined : 'read']
    }
    const name = /NGHTTP2_(\w+)/.exec(failure?.message ?? '')?.[1] ?? 'CANCEL'
    return [new Error(`the server aborted the response: ${name}`), isUnseen ? 'any' : undefined]
  }

  /** No more requests. The session closes itself after the last one. */
  #retire(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#events.onRetired()
  }
}

// Detects that a silent server is no longer reachable, with the intervals of client-go.
const askAfterMs = 30_000
const answerWithinMs = 15_000

class Liveness {
  readonly #clock: Clock
  readonly #server: { ask(): void; onDead(afterSeconds: number): void }
  #receivedAtMs: number
  #cancel: CancelTimer = () => {}

  /** `ask` sends a ping, which the server has to acknowledge. */
  constructor(clock: Clock, server: { ask(): void; onDead(afterSeconds: number): void }) {
    this.#clock = clock
    this.#server = server
    this.#receivedAtMs = clock.now()
    this.#wait()
  }

  noteReceived(): void {
    this.#receivedAtMs = this.#clock.now()
  }

  stop(): void {
    this.#cancel()
  }

  #wait(): void {
    this.#cancel = this.#clock.after(Math.max(this.#receivedAtMs + askAfterMs - this.#clock.now(), 1), () => {
      if (this.#clock.now() - this.#receivedAtMs < askAfterMs) this.#wait()
      else this.#ask()
    })
  }

  #ask(): void {
    const receivedAtMs = this.#receivedAtMs
    this.#server.ask()
    this.#cancel = this.#clock.after(answerWithinMs, () => {
      if (this.#receivedAtMs > receivedAtMs) this.#wait()
      else this.#server.onDead((askAfterMs + answerWithinMs) / 1000)
    })
  }
}
