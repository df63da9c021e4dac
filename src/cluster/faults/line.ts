// What connects a controller with the server. It can be cut, between two calls, or be held: then nothing is heard of
// changes until it is let go, and comes in its order then.
import type { Client } from '../../client/client.ts'
import { wrapWrites } from '../../client/wrap-writes.ts'

export class Line {
  #isCut = false
  #isHeld = false
  #held: (() => void)[] = []

  get isCut(): boolean {
    return this.#isCut
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** For good: whoever is at its other end is dead. */
  cut(): void {
    this.#isCut = true
    this.#held = []
  }

  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    for (const deliver of this.#held.splice(0)) if (!this.#isCut) deliver()
  }

  check(): void {
    if (this.#isCut) throw new Error('The connection is cut')
  }

  /** Now, or when the line is let go. */
  deliver(run: () => void): void {
    if (this.#isCut) return
    if (this.#isHeld) this.#held.push(run)
    else run()
  }
}

export function overLine(client: Client, line: Line): Client {
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    line.check()
    const answer = await run()
    line.check()
    return answer
  }
  return {
    ...wrapWrites(client, call),
    get: (...request) => call(() => client.get(...request)),
    list: (...request) => call(() => client.list(...request)),
    watch(resource, request, handlers) {
      let isClosed = false
      const ifOpen = (run: () => void) => line.deliver(() => (isClosed ? undefined : run()))
      const close = client.watch(resource, request, {
        onEvents: (events) => ifOpen(() => handlers.onEvents(events)),
        onEnd: (error) => ifOpen(() => handlers.onEnd(error)),
      })
      return () => {
        isClosed = true
        close()
      }
    },
  }
}
