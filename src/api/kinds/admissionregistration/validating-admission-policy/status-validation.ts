// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingAdmissionPolicyStatusUpdate
import { type FieldError, required } from '../../../machinery/field-error.ts'
import { validateConditions } from '../../../machinery/validation/conditions.ts'
import type { ValidatingAdmissionPolicy } from '../../../types.ts'

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
