import { fill } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'
import { policyColumns } from '../validating-admission-policy/columns.ts'
import { defaultMatchResources } from '../validating-admission-policy/match-resources.ts'
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
    default(policy) {
      if (policy.spec === undefined) return
      if (policy.spec.matchConstraints) policy.spec.matchConstraints = defaultMatchResources(policy.spec.matchConstraints)
      policy.spec = fill('admissionregistration.MutatingAdmissionPolicySpec', policy.spec, { failurePolicy: 'Fail' })
    },
    validate: validateMutatingAdmissionPolicy,
  },
  columns: policyColumns('Mutations', 'How many mutations it has.', ({ spec }) => (spec?.mutations ?? []).length),
}
