import type { Strategy } from '../../../machinery/kind.ts'
import type { ValidatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultValidatingAdmissionPolicyBinding } from './defaults.ts'
import { validateValidatingAdmissionPolicyBinding } from './validation.ts'

export const validatingAdmissionPolicyBindingStrategy: Strategy<ValidatingAdmissionPolicyBinding> = {
  names: 'dns-subdomain',
  generation: true,
  unconditionalUpdate: false,
  default: defaultValidatingAdmissionPolicyBinding,
  validate: validateValidatingAdmissionPolicyBinding,
  validateUpdate: (next) => validateValidatingAdmissionPolicyBinding(next),
}
