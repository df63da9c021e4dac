// The warnings were recorded from kube-controller-manager v1.36.4, without the numbers that it adds to the names of types.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kinds } from '../../../api/kinds.ts'
import type { Kind } from '../../../api/machinery/kind.ts'
import type { JsonSchema } from '../../../api/machinery/structural/definition.ts'
import type { ValidatingAdmissionPolicy } from '../../../api/types.ts'
import { findTypeWarnings } from './type-check.ts'

interface Recorded {
  readonly widgetSchema: JsonSchema
  readonly policies: readonly {
    readonly name: string
    readonly spec: NonNullable<ValidatingAdmissionPolicy['spec']>
    readonly warnings: readonly object[]
  }[]
}

const { widgetSchema, policies } = JSON.parse(
  readFileSync(new URL('./testing/recorded-warnings.json', import.meta.url), 'utf8'),
) as Recorded

const widgets: Kind = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
  type: 'example.com/v1.Widget',
  strategy: { names: 'dns-subdomain' },
  readSchema: () => widgetSchema,
}

test.each(policies.map((policy) => [policy.name, policy] as const))('%s', (_name, { spec, warnings }) => {
  expect(findTypeWarnings({ spec }, [...kinds, widgets])).toEqual(warnings)
})
