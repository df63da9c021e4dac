// What needs the engines of expressions and patterns. Loaded on demand (./validator.ts).
// Ours: engines of expressions and patterns are loaded on demand.
import { type FieldError, invalid } from '../field-error.ts'
import type { KubernetesObject } from '../types.ts'
import type { JsonSchema } from './definition.ts'
import { validateEmbedded } from './embedded.ts'
import { validateListTypes } from './list-types.ts'
import { hasRules, validateRules } from './rules.ts'
import { type ScalePaths, validateScaleSpec, validateScaleStatus } from './scale-values.ts'
import { validateValue } from './values.ts'

export { compilePattern, patternProblem } from '../cel/library/regex.ts'
export { compileRules, validateRules } from './rules.ts'
export { validateValue } from './values.ts'

/** With such an error the rules are not evaluated: they need values that fit their schema. */
const blocking: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

const uncheckedMessage =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'

export function validateObject(
  schema: JsonSchema | undefined,
  scale: ScalePaths | undefined,
  object: KubernetesObject,
  current: KubernetesObject | undefined,
): FieldError[] {
  const errors: FieldError[] = []
  if (schema !== undefined) validateValue(schema, object, '', errors, current)
  if (scale !== undefined) errors.push(...validateScaleSpec(scale, object), ...validateScaleStatus(scale, object))
  if (schema === undefined) return errors
  validateEmbedded(schema, object, '', errors)
  errors.push(...listErrors(schema, object, current))
  return withRules(schema, object, current, errors)
}

type WithStatus = KubernetesObject & { readonly status?: unknown }

/** The status is validated on its own: messages name places in it. */
export function validateStatus(
  schema: JsonSchema | undefined,
  scale: ScalePaths | undefined,
  next: WithStatus,
  current: WithStatus,
): FieldError[] {
  const errors: FieldError[] = []
  const ofStatus = schema?.properties?.['status']
  if (ofStatus !== undefined && next.status !== undefined) validateValue(ofStatus, next.status, '', errors, current.status)
  for (const [at, error] of errors.entries()) errors[at] = { ...error, field: error.field === '<nil>' ? 'status' : `status.${error.field}` }
  if (scale !== undefined) errors.push(...validateScaleStatus(scale, next))
  if (schema === undefined) return errors
  errors.push(...listErrors(schema, next, current))
  return withRules(schema, next, current, errors)
}

/** Where the lists were wrong before an update, they may stay so. */
function listErrors(schema: JsonSchema, next: KubernetesObject, current: KubernetesObject | undefined): FieldError[] {
  const errors: FieldError[] = []
  validateListTypes(schema, next, '', errors)
  if (errors.length === 0 || current === undefined) return errors
  const before: FieldError[] = []
  validateListTypes(schema, current, '', before)
  return before.length === 0 ? errors : []
}

function withRules(schema: JsonSchema, next: KubernetesObject, current: KubernetesObject | undefined, errors: FieldError[]): FieldError[] {
  if (!hasRules(schema)) return errors
  if (errors.some(({ type }) => blocking.has(type))) return [...errors, invalid('<nil>', null, uncheckedMessage)]
  return [...errors, ...validateRules(schema, next, current)]
}

export { validateSchema } from './schema-rules.ts'
