// Definitions for the tests of custom resources.
import type { CustomResourceDefinition, DefinitionVersion, JsonSchema } from '../../../api/machinery/structural/definition.ts'

export const schema = (spec: JsonSchema, more: Partial<JsonSchema> = {}): JsonSchema => ({ type: 'object', properties: { spec }, ...more })

export const version = (openAPIV3Schema: JsonSchema, more: Partial<DefinitionVersion> = {}): DefinitionVersion => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema },
  ...more,
})

/** `crontabs.example.com`. */
export function definition(versions: readonly DefinitionVersion[], more: Partial<CustomResourceDefinition['spec']> = {}): object {
  const spec = {
    group: 'example.com',
    names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', shortNames: ['ct'] },
    scope: 'Namespaced',
    versions,
    ...more,
  }
  return { metadata: { name: `${spec.names.plural}.${spec.group}` }, spec }
}
