// One copy of each pod spec. Pods come in many copies of few specs, and most of the work of a write is about the spec: its defaults, its
// owned fields, its validation. Steps remember what they found out about a spec by its identity (KnownSpecs), so equal specs must be the
// same object. They are found by their serialized form: a decoded spec has its fields in one order.
//
// It serves every caller alike: bodies, objects and simulations.

const maxSpecs = 1024
/** Longer ones are rarely equal, and would be kept for long. */
const maxCharacters = 16_384

export class SharedSpecs {
  /** Least recently used first. */
  readonly #specs = new Map<string, object>()

  /** The object that stands for all specs that are equal to this one. It must not be changed from now on. */
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
