// Runs the writes of one key one after another. Otherwise all concurrent writers would start from the same version, one would
// succeed, and the others would repeat their work: 5,000 attempts for a hundred writers. Correctness does not depend on it; the
// store's compare-and-swap guarantees that.
// Ours: etcd orders the writes of one key.

export class WriteOrder {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Starts immediately when no other write of that key is running. */
  run<T>(key: string, write: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const result = before === undefined ? write() : before.then(write, write)
    this.#last.set(key, result)
    const end = () => {
      if (this.#last.get(key) === result) this.#last.delete(key)
    }
    result.then(end, end)
    return result
  }
}
