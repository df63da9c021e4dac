// Shares equal parts of JSON values in memory: a thousand pods of one template differ in little more than their names, and a
// parser creates every part anew.
import { dropOldest, getOrAdd } from './maps.ts'

type Json = Record<string, unknown>

// V8 deduplicates shorter strings itself.
const sharedCharacters = 10

/**
 * Replaces every part of `own` that equals the one at the same path of `base` by that one, in place. Returns the base if everything
 * is equal, apart from the order of fields, and `own` otherwise. Both are parsed JSON: no field is undefined.
 */
export function shareParts<T>(own: T, base: unknown): T {
  if (Array.isArray(own)) return Array.isArray(base) ? (shareElements(own, base) as T) : own
  return isContainer(own) && isContainer(base) && !Array.isArray(base) ? (shareFields(own, base) as T) : own
}

function shareElements(own: unknown[], base: readonly unknown[]): readonly unknown[] {
  let isEqual = own.length === base.length
  for (let at = 0; at < own.length && at < base.length; at++) {
    const part = own[at]
    const known = base[at]
    if (part !== known && shareParts(part, known) !== known) isEqual = false
    else if (isWorthSharing(known)) own[at] = known
  }
  return isEqual ? base : own
}

function shareFields(own: Json, base: Readonly<Json>): Readonly<Json> {
  let isEqual = true
  let fields = 0
  for (const field in own) {
    fields++
    const part = own[field]
    const known = base[field]
    // A field of the name __proto__ would be read from the prototype, and assigning it would set the prototype.
    if ((part !== known && shareParts(part, known) !== known) || field === '__proto__') isEqual = false
    else if (isWorthSharing(known)) own[field] = known
  }
  if (!isEqual) return own
  for (const _ in base) fields--
  return fields === 0 ? base : own
}

const isWorthSharing = (part: unknown) => (typeof part === 'string' ? part.length > sharedCharacters : isContainer(part))

function isContainer(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

interface WithStatus {
  status?: object
}

/** The models that the objects of a group share parts with: the object that was added last, and the latest status of those with the most fields. */
interface Model<T> {
  object?: T | undefined
  objectId?: string
  status?: object | undefined
  statusId?: string
  statusFields: number
}

const maxGroups = 1024

/** Shares parts among the objects of a group, such as the pods of one owner. `id` distinguishes the objects of a group. */
export class PartSharing<T extends object> {
  readonly #models = new Map<string, Model<T & WithStatus>>()

  /** For an object that is new. */
  share(group: string, id: string, object: T): T {
    const model = this.#modelOf(group)
    const shared = shareStatus(model, id, shareParts(object, model.object))
    model.object = shared
    model.objectId = id
    return shared
  }

  /** For an object that has changed, and shares the rest with its previous version. */
  shareStatus(group: string, id: string, object: T): T {
    return shareStatus(this.#modelOf(group), id, object)
  }

  /** For an object that was deleted: others no longer share with it. */
  forget(group: string, id: string): void {
    const model = this.#models.get(group)
    if (model === undefined) return
    if (model.objectId === id) model.object = undefined
    if (model.statusId === id) {
      model.status = undefined
      model.statusFields = 0
    }
    if (model.object === undefined && model.status === undefined) this.#models.delete(group)
  }

  #modelOf(group: string): Model<T & WithStatus> {
    const model = getOrAdd(this.#models, group, () => ({ statusFields: 0 }))
    dropOldest(this.#models, maxGroups)
    return model
  }
}

function shareStatus<T extends WithStatus>(model: Model<T>, id: string, object: T): T {
  if (object.status === undefined) return object
  const status = shareParts(object.status, model.status)
  const fields = Object.keys(status).length
  // The status of a new pod has few fields. The parts that running pods have in common are added later.
  if (fields >= model.statusFields) {
    model.status = status
    model.statusId = id
    model.statusFields = fields
  }
  object.status = status
  return object
}
