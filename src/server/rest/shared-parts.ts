// Interns parts of pods, such as specs and labels: equal parts become the same object. Many pods share few specs, and most of the
// work of a write concerns the spec: defaults, owned fields, validation. Steps cache their results for a spec by identity
// (KnownSpecs); controllers match labels that they have just matched only once. Parts are looked up by their serialized form, which
// is unique as decoding puts the fields in order.
// Ours: equal parts of pods are shared.

const maxParts = 1024
/** Longer parts are rarely equal, and would take much memory. */
const maxCharacters = 16_384

export class SharedParts {
  /** Least recently used first. */
  readonly #parts = new Map<string, object>()

  /** The canonical object for all parts that are equal to this one. Neither may be changed from now on. */
  share<T extends object>(part: T): T {
    const key = JSON.stringify(part)
    const known = this.#parts.get(key)
    if (known !== undefined) this.#parts.delete(key)
    else if (key.length > maxCharacters) return part
    else if (this.#parts.size === maxParts) this.#parts.delete(this.#parts.keys().next().value!)
    this.#parts.set(key, known ?? part)
    return (known ?? part) as T
  }

  clear(): void {
    this.#parts.clear()
  }
}
