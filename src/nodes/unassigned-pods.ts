/** The keys of pods that are bound to nodes which are not in the fleet, or not yet. */
export class UnassignedPods {
  readonly #keys = new Map<string, Set<string>>()

  add(nodeName: string, key: string): void {
    const keys = this.#keys.get(nodeName)
    if (keys === undefined) this.#keys.set(nodeName, new Set([key]))
    else keys.add(key)
  }

  delete(nodeName: string, key: string): void {
    const keys = this.#keys.get(nodeName)
    keys?.delete(key)
    if (keys?.size === 0) this.#keys.delete(nodeName)
  }

  /** Removes and returns the pods of a node that has joined. */
  take(nodeName: string): Iterable<string> {
    const keys = this.#keys.get(nodeName) ?? []
    this.#keys.delete(nodeName)
    return keys
  }
}
