import { afterEach, expect, it } from 'vitest'
import { kinds, validatingAdmissionPolicies } from '../../api/kinds.ts'
import { fixedKinds } from '../../api/machinery/kind-set.ts'
import type { ValidatingAdmissionPolicy } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
// Loaded before the controller asks for it: the bench does not wait for files.
import './plan/type-check.ts'
import { startPolicyStatusController } from './policy-status-controller.ts'

let bench: ControllerBench
afterEach(() => bench?.stop())

const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }

const policyOf = (expression: string): ValidatingAdmissionPolicy => ({
  metadata: { name: 'p' },
  spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
})

const settled = async () => {
  await bench.settle()
  return bench.client.get(validatingAdmissionPolicies, { name: 'p' })
}

it('reports wrong types once for each generation', async () => {
  bench = await openControllerBench({ start: (parts) => startPolicyStatusController({ ...parts, kinds: fixedKinds(kinds) }) })
  await bench.client.create(validatingAdmissionPolicies, undefined, policyOf("object.spec.replicas == 'a'"))
  const first = await settled()
  expect(first.status).toEqual({
    observedGeneration: 1,
    typeChecking: {
      expressionWarnings: [
        {
          fieldRef: 'spec.validations[0].expression',
          warning:
            "apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_==_' applied to '(int, string)'\n | object.spec.replicas == 'a'\n | .....................^\n",
        },
      ],
    },
  })
  const right = { ...first.spec, validations: [{ expression: 'object.spec.replicas < 5' }] }
  await bench.client.update(validatingAdmissionPolicies, { ...first, spec: right })
  const second = await settled()
  expect(second.status).toEqual({ observedGeneration: 2 })
  const labelled = { ...second, metadata: { ...second.metadata, labels: { a: 'b' } } }
  const third = await bench.client.update(validatingAdmissionPolicies, labelled)
  expect((await settled()).metadata.resourceVersion).toBe(third.metadata.resourceVersion)
  expect(bench.failures).toEqual([])
})
