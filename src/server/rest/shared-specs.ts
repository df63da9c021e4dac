// Interns pod specs: equal specs become the same object. Many pods share few specs, and most of the work of a write concerns the spec:
// defaults, owned fields, validation. Steps cache their results for a spec by identity (KnownSpecs). Specs are looked up by their
// serialized form, which is unique as decoding puts the fields in order.

const maxSpecs = 1024
/** Longer specs are rarely equal, and would take much memory. */
const maxCharacters = 16_384

export class SharedSpecs {
  /** Least recently used first. */
  readonly #specs = new Map<string, object>()

  /** The canonical object for all specs that are equal to this one. Neither may be changed from now on. */
  share<T extends object>(spec: T): T {
    const key = JSON.stringify(spec)
    const known = this.#specs.get(key)
    if (known !== undefined) this.#specs.delete(key)
    else if (key.length > maxCharacters) return spec
    else if (this.#specs.size === maxSpecs) this.#specs.delete(this.#specs.keys().next().value!)
    this.#specs.set(key, known ?? spec)
    return (known ?? spec) as T
  }

  clear(): void {
    this.#specs.clear()
  }
}
