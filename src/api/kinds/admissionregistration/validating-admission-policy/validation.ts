// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingAdmissionPolicy, validateValidatingAdmissionPolicySpec
// Kubernetes: pkg/apis/admissionregistration/validation.validateValidation, validateAuditAnnotation
import { duplicate, type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'
import type { ValidatingAdmissionPolicy } from '../../../types.ts'
import { validatePolicy } from './policy-validation.ts'

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
