// Kubernetes: pkg/apis/flowcontrol/validation.ValidateFlowSchemaStatus, ValidatePriorityLevelConfigurationStatus
import { duplicate, type FieldError, required } from '../../machinery/field-error.ts'

interface WithConditions {
  readonly status?: { readonly conditions?: readonly { readonly type?: string }[] }
}

export function validateFlowControlStatus({ status }: WithConditions): FieldError[] {
  const errors: FieldError[] = []
  const types = new Set<string>()
  for (const [index, { type = '' }] of (status?.conditions ?? []).entries()) {
    const path = `status.conditions[${index}].type`
    if (types.has(type)) errors.push(duplicate(path, type))
    if (type === '') errors.push(required(path, ''))
    types.add(type)
  }
  return errors
}
