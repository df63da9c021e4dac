// Kubernetes: pkg/registry/admissionregistration/mutatingadmissionpolicy.mutatingAdmissionPolicyStrategy.*
// Kubernetes: pkg/printers/internalversion.printMutatingAdmissionPolicy
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_MutatingAdmissionPolicySpec
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { MutatingAdmissionPolicy } from '../../../types.ts'
import { policyColumns } from '../validating-admission-policy/columns.ts'
import { defaultPolicy } from '../validating-admission-policy/match-resources.ts'
import { validateMutatingAdmissionPolicy } from './validation.ts'

export const mutatingAdmissionPolicies: Kind<MutatingAdmissionPolicy> = {
  ...resource('admissionregistration.MutatingAdmissionPolicy'),
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: (policy) => defaultPolicy('admissionregistration.MutatingAdmissionPolicySpec', policy),
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateMutatingAdmissionPolicy,
  },
  columns: policyColumns('Mutations', 'How many mutations it has.', ({ spec }) => (spec?.mutations ?? []).length),
}
