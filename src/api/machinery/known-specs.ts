// What was found out about a spec, by identity: pods of one template hold one spec, and what holds for it need not be found out for
// each of them. A spec that is known here is shared: a step that changes it must copy it first.
import { isEqualJson } from '../../base/json.ts'

interface Known<T> {
  readonly given: readonly unknown[]
  readonly result: T
}

export class KnownSpecs<T> {
  readonly #known = new WeakMap<object, Known<T>>()

  /** What `find` returns for the spec, or returned for it when all of `given`, which is all else that it depends on, was equal. */
  of(spec: object, given: readonly unknown[], find: () => T, isKept: (result: T) => boolean = () => true): T {
    const known = this.#known.get(spec)
    if (known !== undefined && known.given.every((one, at) => isEqualJson(one, given[at]))) return known.result
    const result = find()
    if (isKept(result)) this.#known.set(spec, { given, result })
    return result
  }
}
