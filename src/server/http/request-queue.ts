// The order of pipelined requests on a connection. Node hands all of them out as they arrive; their responses would be computed and held
// in memory until the client reads the first one.
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** With more waiting requests, nothing more is read from the connection. */
const maxWaiting = 32

interface Connection {
  readonly waiting: (() => void)[]
  isPaused: boolean
}

export class RequestQueue {
  readonly #connections = new WeakMap<Duplex, Connection>()

  /** Calls `handle` when the responses to all earlier requests of the connection have been sent. It must not throw. */
  run(socket: Duplex, response: ServerResponse, handle: () => void): void {
    const known = this.#connections.get(socket)
    const start = () => {
      response.once('close', () => this.#next(socket))
      handle()
    }
    if (known === undefined) {
      this.#connections.set(socket, { waiting: [], isPaused: false })
      start()
      return
    }
    known.waiting.push(start)
    if (known.waiting.length > maxWaiting && !known.isPaused) {
      known.isPaused = true
      socket.pause()
    }
  }

  #next(socket: Duplex): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    const next = socket.destroyed ? undefined : connection.waiting.shift()
    if (connection.isPaused && connection.waiting.length <= maxWaiting / 2) {
      connection.isPaused = false
      socket.resume()
    }
    if (next === undefined) this.#connections.delete(socket)
    else next()
  }
}
