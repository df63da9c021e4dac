import { expect, it } from 'vitest'
import { validatingAdmissionPolicies } from '../../api/kinds.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { input, openBench, options } from './testing/rest-bench.ts'

it('a write of the status of a policy keeps the spec, whatever its expressions are', async () => {
  const { rest, create } = await openBench()
  const policies = validatingAdmissionPolicies
  const rule = { operations: ['CREATE'], apiGroups: ['a.b'], apiVersions: ['v1'], resources: ['c'] }
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] }
  const stored = (await create(policies, { metadata: { name: 'p' }, spec })) as KubernetesObject & { spec: typeof spec }
  const next = { ...stored, spec: { ...stored.spec, validations: [{ expression: 'wrong' }] } }
  const { response } = await rest.update(policies, '', 'p', 'status', input(next), options)
  expect((response.object as typeof stored).spec.validations).toEqual([{ expression: 'true' }])
})
