// What a change of fields does to their owners. Few different changes occur, over and over: a controller that counts pods writes
// the same fields each time. Each is worked out once, and its effect on a set of fields once for each set, by identity.
import type { KubernetesObject } from '../types.ts'
import { compareObjects, withoutFields } from './compare.ts'
import { difference, type FieldSet, union } from './field-set.ts'
import { withoutUnowned } from './of-object.ts'

export class FieldChange {
  /** All fields that the change sets. */
  readonly written: FieldSet
  /** Those that the writer comes to own. */
  readonly owned: FieldSet
  readonly removed: FieldSet
  #left: WeakMap<FieldSet, FieldSet> | undefined
  #joined: WeakMap<FieldSet, FieldSet> | undefined

  constructor(written: FieldSet, removed: FieldSet) {
    this.written = written
    this.owned = withoutUnowned(written)
    this.removed = removed
  }

  /** What remains of the fields of a manager; the same set if the change touches none of them. */
  leftOf(fields: FieldSet): FieldSet {
    this.#left ??= new WeakMap()
    const known = this.#left.get(fields)
    if (known !== undefined) return known
    const left = difference(difference(fields, this.written), this.removed)
    this.#left.set(fields, left)
    return left
  }

  /** The fields of the writer, who owned `fields` before. */
  joinedWith(fields: FieldSet): FieldSet {
    this.#joined ??= new WeakMap()
    const known = this.#joined.get(fields)
    if (known !== undefined) return known
    const joined = union(fields, this.owned)
    this.#joined.set(fields, joined)
    return joined
  }
}

const maxChanges = 1000
/** Longer changes rarely occur twice. */
const maxCharacters = 2000

/** By the fields that the endpoint resets; then by the compared fields as JSON. */
const known = new WeakMap<FieldSet, Map<string, FieldChange>>()

/** The change from `old` to `next`, without the fields that the endpoint resets. */
export function changeOf(typeName: string, old: KubernetesObject, next: KubernetesObject, reset: FieldSet): FieldChange {
  const comparison = compareObjects(typeName, old, next)
  const key = JSON.stringify(comparison)
  const changes = known.get(reset) ?? new Map<string, FieldChange>()
  known.set(reset, changes)
  const found = changes.get(key)
  if (found !== undefined) return found
  const { added, modified, removed } = withoutFields(comparison, reset)
  const change = new FieldChange(union(modified, added), removed)
  if (key.length <= maxCharacters) {
    if (changes.size >= maxChanges) changes.clear()
    changes.set(key, change)
  }
  return change
}
