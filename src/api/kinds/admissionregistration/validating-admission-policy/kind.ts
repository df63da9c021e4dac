// Kubernetes: pkg/registry/admissionregistration/validatingadmissionpolicy.validatingAdmissionPolicyStrategy.*
// Kubernetes: pkg/registry/admissionregistration/validatingadmissionpolicy.validatingAdmissionPolicyStatusStrategy.*
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_ValidatingAdmissionPolicySpec
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ValidatingAdmissionPolicy } from '../../../types.ts'
import { policyColumns } from './columns.ts'
import { defaultPolicy } from './match-resources.ts'
import { validatePolicyStatusUpdate } from './status-validation.ts'
import { validateValidatingAdmissionPolicy } from './validation.ts'

export const validatingAdmissionPolicies: Kind<ValidatingAdmissionPolicy> = {
  ...resource('admissionregistration.ValidatingAdmissionPolicy'),
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: (policy) => defaultPolicy('admissionregistration.ValidatingAdmissionPolicySpec', policy),
    ...ownStatus('admissionregistration.ValidatingAdmissionPolicyStatus'),
    ...onlyStatus(),
    metadata: { anyFinalizer: true, onUpdate: ['as new'], onStatusUpdate: [] },
    validate: validateValidatingAdmissionPolicy,
    validateStatusUpdate: validatePolicyStatusUpdate,
  },
  columns: policyColumns('Validations', 'How many validations it has.', ({ spec }) => (spec?.validations ?? []).length),
}
