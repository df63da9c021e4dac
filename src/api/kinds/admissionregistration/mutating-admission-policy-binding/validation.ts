// Kubernetes: pkg/apis/admissionregistration/validation.ValidateMutatingAdmissionPolicyBinding
// Kubernetes: pkg/apis/admissionregistration/validation.validateMutatingAdmissionPolicyBindingSpec
import type { FieldError } from '../../../machinery/field-error.ts'
import type { MutatingAdmissionPolicyBinding } from '../../../types.ts'
import { addMutatedOperations, validateBinding } from '../validating-admission-policy/policy-validation.ts'

export function validateMutatingAdmissionPolicyBinding({ spec = {} }: MutatingAdmissionPolicyBinding): FieldError[] {
  const errors = validateBinding(spec)
  addMutatedOperations(errors, spec.matchResources, 'spec.matchResources')
  return errors
}
