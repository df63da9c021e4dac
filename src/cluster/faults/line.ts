// What connects a controller with the server. It can be cut, between two calls, or be held: then nothing is heard of
// changes until it is let go, and comes in its order then.
import type { Client } from '../../client/client.ts'

const cutOff = 'The connection is cut'

export class Line {
  #isCut = false
  #isHeld = false
  #held: (() => void)[] = []

  get isCut(): boolean {
    return this.#isCut
  }

  /** What is sent arrives, and what happens is heard of. */
  get isOpen(): boolean {
    return !this.#isCut && !this.#isHeld
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
    if (this.#isCut) throw new Error(cutOff)
  }

  /** Now, or when the line is let go. */
  deliver(run: () => void): void {
    if (this.#isCut) return
    if (this.#isHeld) this.#held.push(run)
    else run()
  }
}

export function overLine(client: Client, line: Line): Client {
  const arrived = <T>(answer: T): T => {
    line.check()
    return answer
  }
  /** The call that gets through, and its answer: either may be cut off. */
  const call = <T>(run: () => Promise<T>): Promise<T> => (line.isCut ? Promise.reject(new Error(cutOff)) : run().then(arrived))
  return {
    get: (resource, ref) => call(() => client.get(resource, ref)),
    list: (resource, request) => call(() => client.list(resource, request)),
    create: (resource, namespace, object, options) => call(() => client.create(resource, namespace, object, options)),
    update: (resource, object, options) => call(() => client.update(resource, object, options)),
    updateStatus: (resource, object, options) => call(() => client.updateStatus(resource, object, options)),
    updateSubresource: (resource, subresource, object, options) =>
      call(() => client.updateSubresource(resource, subresource, object, options)),
    patch: (resource, ref, type, patch, options) => call(() => client.patch(resource, ref, type, patch, options)),
    delete: (resource, ref, options) => call(() => client.delete(resource, ref, options)),
    deleteCollection: (resource, request, options) => call(() => client.deleteCollection(resource, request, options)),
    createSubresource: (resource, ref, subresource, body) => call(() => client.createSubresource(resource, ref, subresource, body)),
    watch(resource, request, handlers) {
      let isClosed = false
      const close = client.watch(resource, request, {
        onEvents(events) {
          if (isClosed) return
          if (line.isOpen) handlers.onEvents(events)
          else line.deliver(() => (isClosed ? undefined : handlers.onEvents(events)))
        },
        onEnd: (error) => line.deliver(() => (isClosed ? undefined : handlers.onEnd(error))),
      })
      return () => {
        isClosed = true
        close()
      }
    },
  }
}
