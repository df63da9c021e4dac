import type { Kind } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultPolicyBinding } from '../validating-admission-policy/match-resources.ts'
import { policyBindingColumns } from '../validating-admission-policy-binding/columns.ts'
import { validateMutatingAdmissionPolicyBinding } from './validation.ts'

export const mutatingAdmissionPolicyBindings: Kind<MutatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.MutatingAdmissionPolicyBinding',
  types: {
    'admissionregistration.MutatingAdmissionPolicyBinding': {
      $typeMeta: 'object',
      spec: 'admissionregistration.MutatingAdmissionPolicyBindingSpec #2',
    },
    'admissionregistration.MutatingAdmissionPolicyBindingSpec': {
      policyName: 'string #1',
      paramRef: '*admissionregistration.ParamRef #2',
      matchResources: '*admissionregistration.MatchResources #3',
    },
  },
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: defaultPolicyBinding,
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateMutatingAdmissionPolicyBinding,
  },
  columns: policyBindingColumns,
}
