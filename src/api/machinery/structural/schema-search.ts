// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.SchemaHas, schemaHasRecurse
import { getOrAdd } from '../../../base/maps.ts'
import type { JsonSchema } from './definition.ts'

/** Whether `isFound` holds anywhere in a schema. The result is cached for each schema, so that parts without a match are not searched again. */
export function anywhereIn(isFound: (schema: JsonSchema) => boolean): (schema: JsonSchema) => boolean {
  const known = new WeakMap<JsonSchema, boolean>()
  const search = (schema: JsonSchema): boolean =>
    getOrAdd(known, schema, () => {
      const inner = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
      return isFound(schema) || inner.some((one) => typeof one === 'object' && search(one))
    })
  return search
}
