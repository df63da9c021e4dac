// A cache of results about a spec, by identity: pods of one template share one spec, so a result is computed once for all of them.
// A spec in this cache is shared: a step that changes it must copy it first.
// Ours: results about a spec are cached by identity.
import { isEqualJson } from '../../base/json.ts'

interface Known<T> {
  readonly given: readonly unknown[]
  readonly result: T
}

export class KnownSpecs<T> {
  readonly #known = new WeakMap<object, Known<T>>()

  /** The result of `find` for the spec. It is cached until `given`, all other inputs that it depends on, is no longer equal. */
  of(spec: object, given: readonly unknown[], find: () => T, isKept: (result: T) => boolean = () => true): T {
    const known = this.#known.get(spec)
    if (known?.given.every((one, at) => isEqualJson(one, given[at]))) return known.result
    const result = find()
    if (isKept(result)) this.#known.set(spec, { given, result })
    return result
  }
}
