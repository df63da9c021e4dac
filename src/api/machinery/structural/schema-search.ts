import { getOrAdd } from '../../../base/maps.ts'
import type { JsonSchema } from './definition.ts'

/** Whether `isFound` holds anywhere in a schema. It is asked once for each schema: parts without what is looked for are never walked again. */
export function anywhereIn(isFound: (schema: JsonSchema) => boolean): (schema: JsonSchema) => boolean {
  const known = new WeakMap<JsonSchema, boolean>()
  const search = (schema: JsonSchema): boolean =>
    getOrAdd(known, schema, () => {
      const inner = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
      return isFound(schema) || inner.some((one) => typeof one === 'object' && search(one))
    })
  return search
}
