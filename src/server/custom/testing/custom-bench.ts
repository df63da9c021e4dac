// An API server that serves custom resources, for tests.
import { kinds as builtIn, customResourceDefinitions } from '../../../api/kinds.ts'
import type { Kind } from '../../../api/machinery/kind.ts'
import { KindSet } from '../../../api/machinery/kind-set.ts'
import type { CustomResourceDefinition, DefinitionVersion, JsonSchema } from '../../../api/machinery/structural/definition.ts'
import { type Bench, input, openBench, options } from '../../rest/testing/rest-bench.ts'
import { definition, schema, version } from './definitions.ts'

export const crds = customResourceDefinitions

/** A schema of `spec`. */
export const spec: JsonSchema = {
  type: 'object',
  properties: { replicas: { type: 'integer', minimum: 0 }, image: { type: 'string', default: 'busybox' } },
}

export const crontab = (spec: unknown, more: object = {}) => ({ metadata: { name: 'a' }, spec, ...more })

export interface CustomBench extends Bench {
  readonly kinds: KindSet
  kindOf(plural?: string, version?: string): Kind
  /** Defines CronTab with this schema of `spec`. */
  define(spec: JsonSchema): Promise<unknown>
  /** Replaces the versions of the definition. */
  redefine(versions: readonly DefinitionVersion[]): Promise<unknown>
  readDefinition(): CustomResourceDefinition
}

export async function openCustomBench(): Promise<CustomBench> {
  const kinds = new KindSet(builtIn)
  const bench = await openBench({ kinds })
  const readDefinition = () => bench.rest.get(crds, '', 'crontabs.example.com').object as CustomResourceDefinition
  return {
    ...bench,
    kinds,
    kindOf: (plural = 'crontabs', name = 'v1') => kinds.all.find((kind) => kind.plural === plural && kind.version === name)!,
    define: (spec) => bench.create(crds, definition([version(schema(spec))])),
    redefine(versions) {
      const current = readDefinition()
      const next = { ...current, spec: { ...current.spec, versions } }
      return bench.rest.update(crds, '', 'crontabs.example.com', undefined, input(next), options)
    },
    readDefinition,
  }
}
