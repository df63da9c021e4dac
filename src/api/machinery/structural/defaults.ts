// Fills in the defaults of a schema, in place.
import { copyJson } from '../../../base/json.ts'
import type { JsonSchema } from './definition.ts'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const without = new WeakMap<JsonSchema, boolean>()

/** Whether there is a default anywhere in the schema. Most parts of most schemas have none, and are never walked. */
function hasDefaults(schema: JsonSchema): boolean {
  const known = without.get(schema)
  if (known !== undefined) return known
  const inner = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
  const found = schema.default !== undefined || inner.some((one) => typeof one === 'object' && hasDefaults(one))
  without.set(schema, found)
  return found
}

/** A null where null is not allowed counts as absent, as far as there is a default. */
export function fillDefaults(schema: JsonSchema | undefined, value: unknown): void {
  if (schema === undefined || !hasDefaults(schema)) return
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return
    for (const [at, item] of value.entries()) {
      if (item === null && !items.nullable && items.default !== undefined) value[at] = copyDefault(items.default)
      fillDefaults(items, value[at])
    }
    return
  }
  if (!isFields(value)) return
  const { properties = {}, additionalProperties } = schema
  for (const name of Object.keys(properties)) {
    const property = properties[name]!
    const current = Object.hasOwn(value, name) ? value[name] : undefined
    if (property.default !== undefined && (current === undefined || (current === null && !property.nullable)))
      value[name] = copyDefault(property.default)
    if (value[name] !== undefined) fillDefaults(property, value[name])
  }
  if (typeof additionalProperties !== 'object') return
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) continue
    if (value[name] === null && !additionalProperties.nullable && additionalProperties.default !== undefined)
      value[name] = copyDefault(additionalProperties.default)
    fillDefaults(additionalProperties, value[name])
  }
}

const copyDefault = (value: unknown): unknown => (typeof value === 'object' && value !== null ? copyJson(value) : value)
