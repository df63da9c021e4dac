// Kubernetes: pkg/registry/admissionregistration/validatingadmissionpolicybinding.validatingAdmissionPolicyBindingStrategy.*
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { ValidatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultPolicyBinding } from '../validating-admission-policy/match-resources.ts'
import { policyBindingColumns } from './columns.ts'
import { validateValidatingAdmissionPolicyBinding } from './validation.ts'

export const validatingAdmissionPolicyBindings: Kind<ValidatingAdmissionPolicyBinding> = {
  ...resource('admissionregistration.ValidatingAdmissionPolicyBinding'),
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: defaultPolicyBinding,
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateValidatingAdmissionPolicyBinding,
  },
  columns: policyBindingColumns,
}
