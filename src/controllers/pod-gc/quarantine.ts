// Missing nodes, and since when: the cache may observe a pod before its node.
// Kubernetes: pkg/controller/podgc.PodGCController.discoverDeletedNodes, PodGCController.checkIfNodeExists

export const quarantineMs = 40_000

export class Quarantine {
  readonly #sinceMs = new Map<string, number>()

  get isEmpty(): boolean {
    return this.#sinceMs.size === 0
  }

  /** Returns and removes the nodes that have been missing for long enough. `missing` are all that are missing now. */
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
