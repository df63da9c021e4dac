// Nodes that are missing, and since when: a pod may be heard of before its node is.

export const quarantineMs = 40_000

export class Quarantine {
  readonly #sinceMs = new Map<string, number>()

  get isEmpty(): boolean {
    return this.#sinceMs.size === 0
  }

  /** Of the nodes that are missing now, those that have been for long enough. They start anew. */
  release(missing: ReadonlySet<string>, nowMs: number): ReadonlySet<string> {
    const due = new Set<string>()
    for (const [name, sinceMs] of this.#sinceMs) {
      if (!missing.has(name)) this.#sinceMs.delete(name)
      else if (nowMs >= sinceMs + quarantineMs) {
        this.#sinceMs.delete(name)
        due.add(name)
      }
    }
    for (const name of missing) if (!this.#sinceMs.has(name) && !due.has(name)) this.#sinceMs.set(name, nowMs)
    return due
  }
}
