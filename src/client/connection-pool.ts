// The connections of a client: as many as there are requests at once, up to a maximum; beyond it, requests wait in order.
import { type Endpoint, type Exchange, HttpConnection } from './http-connection.ts'

interface Waiting {
  readonly exchange: Exchange
  readonly onStarted: (connection: HttpConnection) => void
}

export class ConnectionPool {
  readonly #endpoint: Endpoint
  readonly #maxConnections: number
  readonly #all = new Set<HttpConnection>()
  /** The one that was used last is used next: the others become idle and are closed by the server. */
  readonly #idle: HttpConnection[] = []
  #waiting: Waiting[] = []
  /** Entries before this index have been started. */
  #first = 0
  #isPumping = false

  constructor(endpoint: Endpoint, maxConnections: number) {
    this.#endpoint = endpoint
    this.#maxConnections = maxConnections
  }

  /** Sends the request on a free connection. `onStarted` is called when it has one. */
  start(exchange: Exchange, onStarted: (connection: HttpConnection) => void): void {
    this.#waiting.push({ exchange, onStarted })
    this.#pump()
  }

  close(): void {
    const waiting = this.#waiting.slice(this.#first)
    this.#waiting = []
    this.#first = 0
    for (const connection of [...this.#all]) connection.destroy()
    for (const { exchange } of waiting) exchange.onError(new Error('the client was closed'))
  }

  #pump(): void {
    // A request that fails at once frees its connection while this loop runs: it goes on with that one.
    if (this.#isPumping) return
    this.#isPumping = true
    while (this.#first < this.#waiting.length) {
      const connection = this.#idle.pop() ?? this.#open()
      if (connection === undefined) break
      const { exchange, onStarted } = this.#waiting[this.#first++]!
      if (this.#first === this.#waiting.length) {
        this.#waiting = []
        this.#first = 0
      }
      onStarted(connection)
      connection.start(exchange)
    }
    this.#isPumping = false
  }

  #open(): HttpConnection | undefined {
    if (this.#all.size >= this.#maxConnections) return undefined
    const connection = new HttpConnection(this.#endpoint, {
      onIdle: (idle) => {
        this.#idle.push(idle)
        this.#pump()
      },
      onClosed: (closed) => {
        this.#all.delete(closed)
        const index = this.#idle.indexOf(closed)
        if (index >= 0) this.#idle.splice(index, 1)
        this.#pump()
      },
    })
    this.#all.add(connection)
    return connection
  }
}
