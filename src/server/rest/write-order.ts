// Writers of one object take turns. Without it they would all plan on the same version, one would win, and the others
// would plan again: a hundred writers, ten thousand plans. The store's compare-and-swap is still what keeps it safe.

export class WriteOrder {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Starts at once when nobody else writes to that key. */
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
