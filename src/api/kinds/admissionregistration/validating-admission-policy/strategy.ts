import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { ValidatingAdmissionPolicy } from '../../../types.ts'
import { defaultValidatingAdmissionPolicy } from './defaults.ts'
import { validateValidatingAdmissionPolicy } from './validation.ts'

export const validatingAdmissionPolicyStrategy: Strategy<ValidatingAdmissionPolicy> = {
  names: 'dns-subdomain',
  generation: true,
  unconditionalUpdate: false,
  default: defaultValidatingAdmissionPolicy,
  ...ownStatus('admissionregistration.ValidatingAdmissionPolicyStatus'),
  validate: validateValidatingAdmissionPolicy,
  validateUpdate: (next) => validateValidatingAdmissionPolicy(next),
}
