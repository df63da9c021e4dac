// Kubernetes: pkg/apis/admissionregistration/validation.validateMatchConditions, validateMatchCondition
import { duplicate, type FieldError, invalid, required, tooMany } from '../../../machinery/field-error.ts'
import type { admissionregistration } from '../../../machinery/generated/models.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'

const maxConditions = 64

/** The form of match conditions. Whether an expression can be compiled is not checked here. */
export function validateMatchConditions(
  conditions: readonly admissionregistration.MatchCondition[] | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  const all = conditions ?? []
  if (all.length > maxConditions) errors.push(tooMany(path, all.length, maxConditions))
  const names = new Set<string>()
  for (const [index, { name = '', expression = '' }] of all.entries()) {
    const at = `${path}[${index}]`
    if (expression.trim() === '') errors.push(required(`${at}.expression`, ''))
    if (name === '') errors.push(required(`${at}.name`, ''))
    else for (const message of isQualifiedName(name)) errors.push(invalid(`${at}.name`, name, message))
    if (name !== '' && names.has(name)) errors.push(duplicate(`${at}.name`, name))
    names.add(name)
  }
  return errors
}
