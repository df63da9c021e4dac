// Kubernetes: pkg/registry/admissionregistration/validatingadmissionpolicybinding.validatingAdmissionPolicyBindingStrategy.*
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { declared, duplicate, type FieldError, invalid, required, typed } from '../../../machinery/field-error.ts'
import { formatSelector } from '../../../machinery/go-text.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import type { MutatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBinding } from '../../../types.ts'
import { defaultPolicyBinding } from '../validating-admission-policy/match-resources.ts'
import { validateBinding } from '../validating-admission-policy/policy-validation.ts'

// Kubernetes: pkg/printers/internalversion.printValidatingAdmissionPolicyBinding, printMutatingAdmissionPolicyBinding
type PolicyBinding = MutatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding

/** The columns of validating and of mutating bindings. */
export const policyBindingColumns = columnsOf<PolicyBinding>([
  nameColumn,
  text('PolicyName', 'The policy that it binds.', ({ spec }) => spec?.policyName ?? ''),
  text('ParamRef', 'The parameters of the policy.', paramCell),
  ageColumn,
])

function paramCell({ spec }: PolicyBinding): string {
  const param = spec?.paramRef
  if (param === undefined) return '<unset>'
  if (param.name) return `${param.namespace || '*'}/${param.name}`
  return param.selector === undefined ? '<unset>' : formatSelector(param.selector)
}

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

// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingAdmissionPolicyBinding
// Kubernetes: pkg/apis/admissionregistration/validation.validateValidatingAdmissionPolicyBindingSpec, validateValidationActions
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
