import type { Kind } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'
import { policyColumns } from '../validating-admission-policy/columns.ts'
import { defaultMutatingAdmissionPolicy } from './defaults.ts'
import { mutatingAdmissionPolicyTypes } from './schema.ts'
import { validateMutatingAdmissionPolicy } from './validation.ts'

export const mutatingAdmissionPolicies: Kind<MutatingAdmissionPolicy> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.MutatingAdmissionPolicy',
  types: mutatingAdmissionPolicyTypes,
  strategy: {
    names: 'dns-subdomain',
    generation: true,
    unconditionalUpdate: false,
    default: defaultMutatingAdmissionPolicy,
    validate: validateMutatingAdmissionPolicy,
  },
  columns: policyColumns('Mutations', 'How many mutations it has.', ({ spec }) => (spec?.mutations ?? []).length),
}
