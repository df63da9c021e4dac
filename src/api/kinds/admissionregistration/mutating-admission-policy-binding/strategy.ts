import type { Strategy } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultMutatingAdmissionPolicyBinding } from './defaults.ts'

export const mutatingAdmissionPolicyBindingStrategy: Strategy<MutatingAdmissionPolicyBinding> = {
  names: 'dns-subdomain',
  generation: true,
  unconditionalUpdate: false,
  default: defaultMutatingAdmissionPolicyBinding,
}
