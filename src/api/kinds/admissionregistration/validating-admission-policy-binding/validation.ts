// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingAdmissionPolicyBinding
// Kubernetes: pkg/apis/admissionregistration/validation.validateValidatingAdmissionPolicyBindingSpec, validateValidationActions
import { declared, duplicate, type FieldError, invalid, required, typed } from '../../../machinery/field-error.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import type { ValidatingAdmissionPolicyBinding } from '../../../types.ts'
import { validateBinding } from '../validating-admission-policy/policy-validation.ts'

const known = ['Audit', 'Deny', 'Warn']
const path = 'spec.validationActions'

export function validateValidatingAdmissionPolicyBinding({ spec = {} }: ValidatingAdmissionPolicyBinding): FieldError[] {
  const errors = validateBinding(spec)
  const actions = spec.validationActions ?? []
  for (const [index, action] of actions.entries()) {
    addUnsupported(errors, action, known, `${path}[${index}]`)
    if (actions.indexOf(action) < index) errors.push(duplicate(`${path}[${index}]`, typed(action)))
  }
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(
      invalid(
        path,
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    )
  if (actions.length === 0) errors.push(declared(required(path, '')))
  return errors
}
