// The connection between one controller and the server, where faults may interrupt it.
import type { Client } from '../../client/client.ts'
import { wrapCalls } from '../wrapped-calls.ts'

const cutMessage = 'The connection is cut'

/**
 * Can be cut between two calls, or paused: while it is paused, calls work, and watch events wait. Resuming delivers them in
 * their order.
 */
export class InterruptibleConnection {
  #isCut = false
  #isPaused = false
  #waiting: (() => void)[] = []

  get isCut(): boolean {
    return this.#isCut
  }

  /** Permanent: the controller counts as dead, and nothing is delivered to it any more. */
  cut(): void {
    this.#isCut = true
    this.#waiting = []
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    for (const deliver of this.#waiting.splice(0)) if (!this.#isCut) deliver()
  }

  /** Runs it now, or when the connection is resumed. */
  deliver(run: () => void): void {
    if (this.#isCut) return
    if (this.#isPaused) this.#waiting.push(run)
    else run()
  }
}

export function withConnection(client: Client, connection: InterruptibleConnection): Client {
  const received = <T>(answer: T): T => {
    if (connection.isCut) throw new Error(cutMessage)
    return answer
  }
  /** The connection may be cut before the call, or between the call and its answer. */
  const call = <T>(run: () => Promise<T>): Promise<T> => (connection.isCut ? Promise.reject(new Error(cutMessage)) : run().then(received))
  return {
    ...wrapCalls(client, call),
    watch(resource, request, handlers) {
      let isClosed = false
      const deliver = (run: () => void) =>
        connection.deliver(() => {
          if (!isClosed) run()
        })
      const close = client.watch(resource, request, {
        onEvents: (events) => deliver(() => handlers.onEvents(events)),
        onEnd: (error) => deliver(() => handlers.onEnd(error)),
      })
      return () => {
        isClosed = true
        close()
      }
    },
  }
}
