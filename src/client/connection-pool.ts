// The connections of a client. With HTTP/2, requests share a connection, up to the number of concurrent requests that the server allows on one; further requests use another.
// With HTTP/1.1, there are as many connections as requests. Beyond a maximum of connections, requests wait in order.
import type { Socket } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { type ConnectionEvents, closedError, type Exchange, type ServerConnection } from './exchange.ts'
import { Http1Connection } from './http1-connection.ts'
import { Http2Connection } from './http2/http2-connection.ts'
import type { RequestHeaders } from './request-headers.ts'
import { type Endpoint, openSocket, type Protocol } from './socket.ts'

interface PoolOptions {
  readonly endpoint: Endpoint
  readonly headers: RequestHeaders
  readonly clock: Clock
  /** Not counting the connections of HTTP/1.1 that carry a stream. */
  readonly maxConnections: number
}

export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #all = new Set<ServerConnection>()
  /** Connections that accept requests. Others may still finish some. */
  readonly #usable = new Set<ServerConnection>()
  /** With HTTP/1.1, the connection that was used last is used next, so that the server can close the idle ones. */
  readonly #withRoom: ServerConnection[] = []
  /** Sockets that are being connected, with the stream that needs one; undefined: for any request. */
  readonly #opening = new Map<Socket, Exchange | undefined>()
  /** The protocol of the last connection. Undefined before the first one. */
  #protocol: Protocol | undefined
  #waiting: Exchange[] = []
  #waitingStreams: Exchange[] = []
  /** Entries of `#waiting` before this index have been started. */
  #first = 0
  #isPumping = false
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    if (options.endpoint.tls === undefined) this.#protocol = 'http/1.1'
  }

  /** Sends the request as soon as a connection has room. */
  start(exchange: Exchange): void {
    this.#enqueue(exchange, this.#waiting)
  }

  /** For a response that may last for hours: with HTTP/1.1, it has a connection of its own. */
  startStream(exchange: Exchange): void {
    this.#enqueue(exchange, this.#waitingStreams)
  }

  #enqueue(exchange: Exchange, queue: Exchange[]): void {
    if (this.#isClosed) {
      exchange.onError(closedClientError())
      return
    }
    queue.push(exchange)
    this.#pump()
  }

  /** Forgets an exchange that has no connection yet. */
  remove(exchange: Exchange): void {
    const isOther = (other: Exchange) => other !== exchange
    this.#waiting = this.#waiting.slice(this.#first).filter(isOther)
    this.#first = 0
    this.#waitingStreams = this.#waitingStreams.filter(isOther)
    for (const [socket, stream] of this.#opening) if (stream === exchange) socket.destroy()
  }

  /** Exchanges that are started later fail. */
  close(): void {
    this.#isClosed = true
    const error = closedClientError()
    const waiting = this.#takeWaiting()
    for (const [socket, stream] of [...this.#opening]) {
      this.#opening.delete(socket)
      socket.destroy()
      stream?.onError(error)
    }
    for (const connection of [...this.#all]) connection.destroy(error)
    for (const exchange of waiting) exchange.onError(error)
  }

  #pump(): void {
    // Called again from within: a request that fails at once makes room, and the loop below continues with it.
    if (this.#isPumping) return
    this.#isPumping = true
    if (this.#protocol === 'http/1.1') for (const stream of this.#waitingStreams.splice(0)) this.#openSocket(stream)
    while (this.#waitingStreams.length > 0 || this.#first < this.#waiting.length) {
      const connection = this.#findRoom()
      if (connection === undefined) break
      const exchange = this.#waitingStreams.shift() ?? this.#next()
      exchange.onAssigned(connection)
      connection.start(exchange)
    }
    this.#isPumping = false
    this.#openMore()
  }

  #next(): Exchange {
    const exchange = this.#waiting[this.#first++]!
    if (this.#first === this.#waiting.length) {
      this.#waiting = []
      this.#first = 0
    }
    return exchange
  }

  #findRoom(): ServerConnection | undefined {
    for (;;) {
      const last = this.#withRoom.at(-1)
      if (last === undefined || last.hasRoom) return last
      this.#withRoom.pop()
    }
  }

  #openMore(): void {
    const waiting = this.#waiting.length - this.#first
    if (this.#protocol === 'http/1.1') {
      const opening = [...this.#opening.values()].filter((stream) => stream === undefined).length
      const more = Math.min(waiting - opening, this.#options.maxConnections - this.#usable.size - opening)
      for (let count = 0; count < more; count++) this.#openSocket(undefined)
      return
    }
    if (waiting + this.#waitingStreams.length === 0 || this.#opening.size > 0 || this.#usable.size >= this.#options.maxConnections) return
    if ([...this.#usable].every(({ isFull }) => isFull)) this.#openSocket(undefined)
  }

  #openSocket(stream: Exchange | undefined): void {
    const socket = openSocket(
      this.#options.endpoint,
      this.#options.clock,
      (_, protocol) => {
        this.#opening.delete(socket)
        this.#protocol = protocol
        return protocol === 'http/1.1' && stream !== undefined ? this.#useForStream(socket, stream) : this.#share(socket, protocol, stream)
      },
      (error) => {
        if (!this.#opening.delete(socket)) return
        // Waiting requests can wait for room on the other connections. The next request tries again.
        if (stream === undefined && this.#protocol === 'h2' && this.#usable.size > 0) return
        const failure = error ?? closedError(false)
        if (stream !== undefined) stream.onError(failure)
        else if (this.#protocol === 'http/1.1' && this.#first < this.#waiting.length) this.#next().onError(failure)
        else for (const exchange of this.#takeWaiting()) exchange.onError(failure)
        this.#pump()
      },
    )
    this.#opening.set(socket, stream)
  }

  #useForStream(socket: Socket, stream: Exchange): ServerConnection {
    const connection = new Http1Connection(socket, this.#options.headers, {
      onRoom: (idle) => idle.destroy(),
      onDraining: () => {},
      onClosed: (closed) => this.#all.delete(closed),
    })
    this.#all.add(connection)
    stream.onAssigned(connection)
    connection.start(stream)
    return connection
  }

  #share(socket: Socket, protocol: Protocol, stream: Exchange | undefined): ServerConnection {
    const { headers, clock } = this.#options
    const events: ConnectionEvents = {
      onRoom: (connection) => {
        if (!this.#withRoom.includes(connection)) this.#withRoom.push(connection)
        this.#pump()
      },
      onDraining: (connection) => this.#retire(connection),
      onClosed: (connection) => {
        this.#all.delete(connection)
        this.#retire(connection)
      },
    }
    const connection =
      protocol === 'h2' ? new Http2Connection(socket, headers, events, clock) : new Http1Connection(socket, headers, events)
    this.#all.add(connection)
    this.#usable.add(connection)
    this.#withRoom.push(connection)
    if (stream !== undefined) this.#waitingStreams.push(stream)
    this.#pump()
    return connection
  }

  #retire(connection: ServerConnection): void {
    this.#usable.delete(connection)
    const index = this.#withRoom.indexOf(connection)
    if (index >= 0) this.#withRoom.splice(index, 1)
    this.#pump()
  }

  #takeWaiting(): Exchange[] {
    const waiting = [...this.#waitingStreams, ...this.#waiting.slice(this.#first)]
    this.#waitingStreams = []
    this.#waiting = []
    this.#first = 0
    return waiting
  }
}

const closedClientError = () => new Error('the client was closed')
