import type { Strategy } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultMutatingAdmissionPolicyBinding } from './defaults.ts'
import { validateMutatingAdmissionPolicyBinding } from './validation.ts'

export const mutatingAdmissionPolicyBindingStrategy: Strategy<MutatingAdmissionPolicyBinding> = {
  names: 'dns-subdomain',
  generation: true,
  unconditionalUpdate: false,
  default: defaultMutatingAdmissionPolicyBinding,
  validate: validateMutatingAdmissionPolicyBinding,
  validateUpdate: (next) => validateMutatingAdmissionPolicyBinding(next),
}
