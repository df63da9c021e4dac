// What needs the engines of expressions and patterns. Loaded on demand (./validator.ts).
import type { FieldError } from '../field-error.ts'
import type { KubernetesObject } from '../types.ts'
import type { JsonSchema } from './definition.ts'
import { validateListTypes } from './list-types.ts'
import { hasRules, validateRules } from './rules.ts'
import { validateValue } from './values.ts'

export { compilePattern, patternProblem } from '../cel/library/regex.ts'
export { compileRules, validateRules } from './rules.ts'
export { validateValue } from './values.ts'

/** As Kubernetes, the rules are evaluated only for objects that fit their schema. */
export function validateObject(schema: JsonSchema, object: KubernetesObject, current: KubernetesObject | undefined): FieldError[] {
  const errors: FieldError[] = []
  validateValue(schema, object, '', errors, current)
  validateListTypes(schema, object, '', errors)
  if (hasRules(schema) && errors.length === 0) errors.push(...validateRules(schema, object, current))
  return errors
}
export { validateSchema } from './schema-rules.ts'
