import type { Strategy } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'
import { defaultMutatingAdmissionPolicy } from './defaults.ts'

export const mutatingAdmissionPolicyStrategy: Strategy<MutatingAdmissionPolicy> = {
  names: 'dns-subdomain',
  generation: true,
  unconditionalUpdate: false,
  default: defaultMutatingAdmissionPolicy,
}
