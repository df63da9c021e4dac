// Sets defaults in the order in which Go writes objects: fields in the order of their struct, maps sorted.
// Ours: Go writes the fields of a struct in their order.
import { getOrAdd, sortKeys } from '../../base/maps.ts'
import { structOf } from './schema/schema.ts'

/** A field that is set and empty, such as a time that Go writes as null. The generated types have no null. */
export const explicitNull = null as unknown as string

const orders = new Map<string, ReadonlyMap<string, number>>()

/** The place of each field in its struct. */
function fieldOrder(type: string): ReadonlyMap<string, number> {
  return getOrAdd(orders, type, () => new Map(structOf(type).fields.map((field, place) => [field.name, place])))
}

/**
 * `object` with the `values` of fields that are absent or null (an empty string is a value), in the field order of the struct
 * `type` (`core.PodSpec`), which the fields of `object` already have. Returns the object itself if no field is missing, as for most
 * updates.
 */
export function fill<T extends object>(
  type: string,
  object: T | undefined | null,
  values: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  const own = (object ?? {}) as Record<string, unknown>
  const wanted = values as Readonly<Record<string, unknown>>
  const lacking: string[] = []
  for (const name in wanted) if (wanted[name] !== undefined && (own[name] === undefined || own[name] === null)) lacking.push(name)
  if (lacking.length === 0) return (object ?? {}) as T
  const order = fieldOrder(type)
  const place = ([name]: readonly [string, unknown]) => order.get(name) ?? -1
  const kept = Object.entries(own).filter(([name, value]) => value !== undefined && !lacking.includes(name))
  const all = [...kept, ...lacking.map((name) => [name, wanted[name]] as const)]
  return Object.fromEntries(all.sort((a, b) => place(a) - place(b))) as T
}

/** `object` with exactly these `values` for their fields, in the field order of the struct `type`; undefined removes a field. */
export function replaceFields<T extends object>(
  type: string,
  object: T | undefined | null,
  values: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  const own = (object ?? {}) as Record<string, unknown>
  const wanted = values as Readonly<Record<string, unknown>>
  const result: Record<string, unknown> = {}
  for (const name of fieldOrder(type).keys()) {
    const value = Object.hasOwn(wanted, name) ? wanted[name] : own[name]
    if (value !== undefined) result[name] = value
  }
  return result as T
}

/** The two maps as one, sorted by key as Go writes maps; `map` wins where both have a key. */
export function fillMap<V>(map: Readonly<Record<string, V>> | undefined, more: Readonly<Record<string, V>>): Record<string, V> {
  return sortKeys({ ...more, ...map })
}

/** `fill` for a whole object, in place: `kind` and `apiVersion` first, then the fields of its type. */
export function fillObject<T extends object>(type: string, object: T, values: { readonly [K in keyof T]?: T[K] | undefined }): void {
  const filled = fill(type, object, values)
  if (filled !== object) putBack(object, filled)
}

// JavaScript keeps properties in the order in which they were added, so all are removed and added again.
function putBack(object: object, fields: object): void {
  const own = object as Record<string, unknown>
  const { kind, apiVersion } = own
  for (const name of Object.keys(own)) delete own[name]
  if (kind !== undefined) own['kind'] = kind
  if (apiVersion !== undefined) own['apiVersion'] = apiVersion
  Object.assign(own, fields)
}
