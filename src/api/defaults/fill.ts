// Objects stay as Go would write them while defaults are put in: fields in the order of their struct, maps sorted.
import { structOf } from '../schema/schema.ts'

const orders = new Map<string, readonly string[]>()

function fieldOrder(type: string): readonly string[] {
  let order = orders.get(type)
  if (order === undefined) {
    order = structOf(type).fields.map((field) => field.name)
    orders.set(type, order)
  }
  return order
}

/**
 * `object` with those `values` that it lacks, in the field order of the struct `type` (`core.PodSpec`). Absent and null
 * lack a value; an empty string does not. Gives back the object itself when it lacks nothing, which is the rule for updates.
 */
export function fill<T extends object>(
  type: string,
  object: T | undefined | null,
  values: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  const own = (object ?? {}) as Record<string, unknown>
  const wanted = values as Readonly<Record<string, unknown>>
  let lacks = object === undefined || object === null
  for (const name in wanted) {
    if (lacks) break
    if (wanted[name] !== undefined && (own[name] === undefined || own[name] === null)) lacks = true
  }
  if (!lacks) return object as T
  const filled: Record<string, unknown> = {}
  for (const name of fieldOrder(type)) {
    const value = own[name] ?? wanted[name] ?? own[name]
    if (value !== undefined) filled[name] = value
  }
  return filled as T
}

/** `object` with exactly these `values` for their fields, in the field order of the struct `type`; undefined takes a field out. */
export function replaceFields<T extends object>(
  type: string,
  object: T | undefined | null,
  values: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  const own = (object ?? {}) as Record<string, unknown>
  const wanted = values as Readonly<Record<string, unknown>>
  const result: Record<string, unknown> = {}
  for (const name of fieldOrder(type)) {
    const value = Object.hasOwn(wanted, name) ? wanted[name] : own[name]
    if (value !== undefined) result[name] = value
  }
  return result as T
}

/** The two maps as one, sorted by key as Go writes maps; `map` wins where both have a key. */
export function fillMap<V>(map: Readonly<Record<string, V>> | undefined, more: Readonly<Record<string, V>>): Record<string, V> {
  return sortMap({ ...more, ...map })
}

export function sortMap<V>(map: Readonly<Record<string, V>>): Record<string, V> {
  const sorted: Record<string, V> = {}
  // Defined rather than assigned: a key may be `__proto__`.
  for (const key of Object.keys(map).sort())
    Object.defineProperty(sorted, key, { value: map[key], writable: true, enumerable: true, configurable: true })
  return sorted
}

/** `fill` for a whole object, in place: `kind` and `apiVersion` first, then the fields of its type. */
export function fillObject<T extends object>(type: string, object: T, values: { readonly [K in keyof T]?: T[K] | undefined }): void {
  const filled = fill(type, object, values)
  if (filled !== object) putBack(object, filled)
}

/** `replaceFields` for a whole object, in place. */
export function replaceObjectFields<T extends object>(
  type: string,
  object: T,
  values: { readonly [K in keyof T]?: T[K] | undefined },
): void {
  putBack(object, replaceFields(type, object, values))
}

// The order of an object's properties is the order in which they came, so all go and come again.
function putBack(object: object, fields: object): void {
  const own = object as Record<string, unknown>
  const { kind, apiVersion } = own
  for (const name of Object.keys(own)) delete own[name]
  if (kind !== undefined) own['kind'] = kind
  if (apiVersion !== undefined) own['apiVersion'] = apiVersion
  Object.assign(own, fields)
}
