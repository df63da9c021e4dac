// Fills in the defaults of a schema, in place.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting.Default, PruneNonNullableNullsWithoutDefaults
import { copyJson } from '../../../base/json.ts'
import { getOrAdd } from '../../../base/maps.ts'
import { isJsonObject } from '../json-object.ts'
import { maxRequestBytes, requestTooLargeError } from '../status-error.ts'
import type { JsonSchema } from './definition.ts'
import { anywhereIn } from './schema-search.ts'

/** Most parts of most schemas have none. */
export const hasDefaults = anywhereIn((schema) => schema.default !== undefined)

/** How many bytes of JSON defaults may still add. */
interface Room {
  bytes: number
}

/** For an object that is to be stored: with more defaults it would be refused in any case, after it has taken the memory. */
export const roomOfStoredObject = (): Room => ({ bytes: maxRequestBytes })

const sizes = new WeakMap<JsonSchema, number>()
const sizeOfDefault = (schema: JsonSchema) => getOrAdd(sizes, schema, () => JSON.stringify(schema.default).length)

/**
 * A null where null is not allowed counts as absent, as far as there is a default. Returns whether anything was filled in. Throws a
 * StatusError where there is no more room.
 */
export function fillDefaults(schema: JsonSchema | undefined, value: unknown, room?: Room): boolean {
  if (schema === undefined || !hasDefaults(schema)) return false
  let isFilled = false
  const fill = (inner: JsonSchema, holder: Record<string | number, unknown>, key: string | number) => {
    const current = holder[key]
    if (inner.default !== undefined && (current === undefined || (current === null && !inner.nullable))) {
      if (room !== undefined) {
        room.bytes -= sizeOfDefault(inner)
        if (room.bytes < 0) throw requestTooLargeError()
      }
      holder[key] = copyDefault(inner.default)
      isFilled = true
    }
    if (holder[key] !== undefined && fillDefaults(inner, holder[key], room)) isFilled = true
  }
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const at of value.keys()) fill(schema.items, value as Record<number, unknown>, at)
    return isFilled
  }
  if (!isJsonObject(value)) return false
  const { properties = {}, additionalProperties } = schema
  for (const name of Object.keys(properties)) if (name !== '__proto__') fill(properties[name]!, value, name)
  if (typeof additionalProperties === 'object')
    for (const name of Object.keys(value))
      if (!Object.hasOwn(properties, name) && name !== '__proto__') fill(additionalProperties, value, name)
  return isFilled
}

const copyDefault = (value: unknown): unknown => (typeof value === 'object' && value !== null ? copyJson(value) : value)
