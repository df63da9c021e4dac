// metav1.Condition, as in the status of a PodDisruptionBudget.
// Kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1/validation.ValidateConditions, ValidateCondition
import { duplicate, type FieldError, invalid, notSupported, required, tooLong, typed } from '../field-error.ts'
import type { meta } from '../generated/models.ts'
import { isLongerThan, isQualifiedName, patternMessage } from './names.ts'

const reasonFormat = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'
const reasonPattern = new RegExp(`^(?:${reasonFormat})$`)
const reasonMessage = patternMessage(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonFormat,
  'my_name',
  'MY_NAME',
  'MyName',
  'ReasonA,ReasonB',
  'ReasonA:ReasonB',
)

export function validateConditions(conditions: readonly meta.Condition[] | undefined, path: string): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, condition] of (conditions ?? []).entries()) {
    const here = `${path}[${index}]`
    const type = condition.type ?? ''
    if (seen.has(type)) errors.push(duplicate(`${here}.type`, type))
    seen.add(type)
    addConditionErrors(errors, condition, here)
  }
  return errors
}

function addConditionErrors(errors: FieldError[], condition: meta.Condition, path: string): void {
  const { type = '', status, observedGeneration, lastTransitionTime, reason, message } = condition
  for (const sentence of isQualifiedName(type)) errors.push(invalid(`${path}.type`, type, sentence))
  if (status !== 'True' && status !== 'False' && status !== 'Unknown')
    errors.push(notSupported(`${path}.status`, typed(status), ['False', 'True', 'Unknown']))
  if (observedGeneration !== undefined && observedGeneration < 0)
    errors.push(invalid(`${path}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'))
  if (!lastTransitionTime) errors.push(required(`${path}.lastTransitionTime`, ''))
  if (!reason) errors.push(required(`${path}.reason`, ''))
  else {
    if (!reasonPattern.test(reason)) errors.push(invalid(`${path}.reason`, reason, reasonMessage))
    if (isLongerThan(reason, 1024)) errors.push(tooLong(`${path}.reason`, 1024))
  }
  if (message && isLongerThan(message, 32768)) errors.push(tooLong(`${path}.message`, 32768))
}
