import type { Strategy } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'
import { defaultMutatingAdmissionPolicy } from './defaults.ts'
import { validateMutatingAdmissionPolicy } from './validation.ts'

export const mutatingAdmissionPolicyStrategy: Strategy<MutatingAdmissionPolicy> = {
  names: 'dns-subdomain',
  generation: true,
  unconditionalUpdate: false,
  default: defaultMutatingAdmissionPolicy,
  validate: validateMutatingAdmissionPolicy,
  validateUpdate: (next) => validateMutatingAdmissionPolicy(next),
}
