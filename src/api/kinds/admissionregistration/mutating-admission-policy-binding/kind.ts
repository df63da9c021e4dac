// Kubernetes: pkg/registry/admissionregistration/mutatingadmissionpolicybinding.mutatingAdmissionPolicyBindingStrategy.*
// Kubernetes: pkg/printers/internalversion.printMutatingAdmissionPolicyBinding
import type { FieldError } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { MutatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultPolicyBinding } from '../validating-admission-policy/match-resources.ts'
import { addMutatedOperations, validateBinding } from '../validating-admission-policy/policy-validation.ts'
import { policyBindingColumns } from '../validating-admission-policy-binding/kind.ts'

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

// Kubernetes: pkg/apis/admissionregistration/validation.ValidateMutatingAdmissionPolicyBinding
// Kubernetes: pkg/apis/admissionregistration/validation.validateMutatingAdmissionPolicyBindingSpec
function validateMutatingAdmissionPolicyBinding({ spec = {} }: MutatingAdmissionPolicyBinding): FieldError[] {
  const errors = validateBinding(spec)
  addMutatedOperations(errors, spec.matchResources, 'spec.matchResources')
  return errors
}
