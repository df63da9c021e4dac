/** The keys of pods whose nodes are not here, or not yet. */
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

  /** Those of a node that has come; they are no strays any more. */
  take(nodeName: string): Iterable<string> {
    const keys = this.#keys.get(nodeName) ?? []
    this.#keys.delete(nodeName)
    return keys
  }
}
