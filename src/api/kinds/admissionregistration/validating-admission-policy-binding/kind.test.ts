// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { validateValidatingAdmissionPolicyBinding, validatingAdmissionPolicyBindings } from './kind.ts'

const binding: Subject = {
  type: 'admissionregistration.ValidatingAdmissionPolicyBinding',
  strategy: validatingAdmissionPolicyBindings.strategy,
  base: { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny'] } },
}
creates(validateValidatingAdmissionPolicyBinding, binding, [
  ['a good one', {}, []],
  [
    'nothing',
    { spec: { policyName: '', validationActions: undefined } },
    ['spec.policyName: Required value', 'spec.validationActions: Required value'],
  ],
  [
    'parameters without a name',
    { spec: { paramRef: {} } },
    ['spec.paramRef: Required value: one of name or selector must be specified', 'spec.paramRef.parameterNotFoundAction: Required value'],
  ],
  [
    'both Deny and Warn',
    { spec: { validationActions: ['Deny', 'Warn'] } },
    [
      'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
    ],
  ],
])
