// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { mutatingAdmissionPolicies, validateMutatingAdmissionPolicy } from './kind.ts'

const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }
const mutations = [{ patchType: 'JSONPatch', jsonPatch: { expression: '[]' } }]
const policy: Subject = {
  type: 'admissionregistration.MutatingAdmissionPolicy',
  strategy: mutatingAdmissionPolicies.strategy,
  base: { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules: [rule] }, mutations, reinvocationPolicy: 'Never' } },
}
creates(validateMutatingAdmissionPolicy, policy, [
  ['a good one', {}, []],
  [
    'nothing to change',
    { spec: { mutations: undefined, reinvocationPolicy: '' } },
    ['spec.mutations: Required value: mutations must contain at least one item', 'spec.reinvocationPolicy: Required value'],
  ],
  [
    'a deletion',
    { spec: { matchConstraints: { resourceRules: [{ ...rule, operations: ['DELETE'] }] } } },
    ['spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"'],
  ],
  [
    'the wrong patch',
    { spec: { mutations: [{ patchType: 'ApplyConfiguration', jsonPatch: { expression: '[]' } }] } },
    [
      'spec.mutations[0].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration',
      'spec.mutations[0].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration',
    ],
  ],
])
