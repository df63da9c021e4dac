// Kubernetes: pkg/registry/admissionregistration/mutatingadmissionpolicybinding.mutatingAdmissionPolicyBindingStrategy.*
// Kubernetes: pkg/printers/internalversion.printMutatingAdmissionPolicyBinding
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { MutatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultPolicyBinding } from '../validating-admission-policy/match-resources.ts'
import { policyBindingColumns } from '../validating-admission-policy-binding/columns.ts'
import { validateMutatingAdmissionPolicyBinding } from './validation.ts'

export const mutatingAdmissionPolicyBindings: Kind<MutatingAdmissionPolicyBinding> = {
  ...resource('admissionregistration.MutatingAdmissionPolicyBinding'),
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: defaultPolicyBinding,
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateMutatingAdmissionPolicyBinding,
  },
  columns: policyBindingColumns,
}
