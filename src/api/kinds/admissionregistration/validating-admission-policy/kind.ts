// Kubernetes: pkg/registry/admissionregistration/validatingadmissionpolicy.validatingAdmissionPolicyStrategy.*
// Kubernetes: pkg/registry/admissionregistration/validatingadmissionpolicy.validatingAdmissionPolicyStatusStrategy.*
// Kubernetes: pkg/apis/admissionregistration/v1.SetDefaults_ValidatingAdmissionPolicySpec
import { ageColumn, columnsOf, integer, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { duplicate, type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { validateConditions } from '../../../machinery/validation/conditions.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'
import type { MutatingAdmissionPolicy, ValidatingAdmissionPolicy } from '../../../types.ts'
import { defaultPolicy } from './match-resources.ts'
import { validatePolicy } from './policy-validation.ts'

// Kubernetes: pkg/printers/internalversion.printValidatingAdmissionPolicy, printMutatingAdmissionPolicy
/** The columns of validating and of mutating policies, with the number of rules in between. */
export const policyColumns = <T extends ValidatingAdmissionPolicy | MutatingAdmissionPolicy>(
  name: string,
  description: string,
  count: (policy: T) => number,
) =>
  columnsOf<T>([nameColumn, integer(name, description, count), text('ParamKind', 'The kind of its parameters.', paramKindCell), ageColumn])

function paramKindCell({ spec }: ValidatingAdmissionPolicy | MutatingAdmissionPolicy): string {
  return spec?.paramKind === undefined ? '<unset>' : `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}`
}

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

// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingAdmissionPolicy, validateValidatingAdmissionPolicySpec
// Kubernetes: pkg/apis/admissionregistration/validation.validateValidation, validateAuditAnnotation
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const atLeastOne = 'validations or auditAnnotations must contain at least one item'
const maxAnnotations = 20

export function validateValidatingAdmissionPolicy({ metadata, spec = {} }: ValidatingAdmissionPolicy): FieldError[] {
  const errors = validatePolicy(spec)
  const validations = spec.validations ?? []
  const auditAnnotations = spec.auditAnnotations ?? []
  if (validations.length === 0 && auditAnnotations.length === 0)
    errors.push(required('spec.validations', atLeastOne), required('spec.auditAnnotations', atLeastOne))
  for (const [index, validation] of validations.entries()) addValidationErrors(errors, validation, `spec.validations[${index}]`)
  if (auditAnnotations.length > maxAnnotations)
    errors.push(invalid('spec.auditAnnotations', auditAnnotations, `must not have more than ${maxAnnotations} auditAnnotations`))
  const keys = new Set<string>()
  for (const [index, { key = '', valueExpression = '' }] of auditAnnotations.entries()) {
    const path = `spec.auditAnnotations[${index}]`
    const name = metadata?.name ?? ''
    if (name === '') errors.push(invalid(`${path}.key`, key, 'requires metadata.name be non-empty'))
    else for (const message of isQualifiedName(`${name}/${key}`)) errors.push(invalid(`${path}.key`, `${name}/${key}`, message))
    if (valueExpression.trim() === '') errors.push(required(`${path}.valueExpression`, 'valueExpression is not specified'))
    if (keys.has(key)) errors.push(duplicate(`${path}.key`, key))
    keys.add(key)
  }
  return errors
}

type Validation = NonNullable<NonNullable<ValidatingAdmissionPolicy['spec']>['validations']>[number]

function addValidationErrors(errors: FieldError[], validation: Validation, path: string): void {
  const { expression = '', message = '', messageExpression = '', reason } = validation
  if (expression.trim() === '') errors.push(required(`${path}.expression`, 'expression is not specified'))
  const notEmpty = 'must be non-empty if specified'
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(invalid(`${path}.messageExpression`, messageExpression, notEmpty))
  if (message !== '' && message.trim() === '') errors.push(invalid(`${path}.message`, message, notEmpty))
  else if (/[\n\r]/.test(message.trim())) errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'))
  addUnsupported(errors, reason, reasons, `${path}.reason`)
}

// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingAdmissionPolicyStatusUpdate
export function validatePolicyStatusUpdate({ status }: ValidatingAdmissionPolicy): FieldError[] {
  const warnings = status?.typeChecking?.expressionWarnings ?? []
  return [
    ...warnings.flatMap(({ warning, fieldRef }, index) => {
      const path = `status.typeChecking.expressionWarnings[${index}]`
      return [...(warning ? [] : [required(`${path}.warning`, '')]), ...(fieldRef?.trim() ? [] : [required(`${path}.fieldRef`, '')])]
    }),
    ...validateConditions(status?.conditions, 'status.conditions'),
  ]
}
