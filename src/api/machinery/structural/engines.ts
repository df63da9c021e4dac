// What needs the engines of expressions and patterns. Loaded on demand (./validator.ts).
// Ours: engines of expressions and patterns are loaded on demand.
import { isEqualJson } from '../../../base/json.ts'
import { duplicate, type FieldError, invalid, mapValue } from '../field-error.ts'
import { isJsonObject } from '../json-object.ts'
import type { KubernetesObject } from '../types.ts'
import type { JsonSchema } from './definition.ts'
import { validateEmbedded } from './embedded.ts'
import { hasRules, validateRules } from './rules.ts'
import { type ScalePaths, validateScaleSpec, validateScaleStatus } from './scale-values.ts'
import { anywhereIn } from './schema-search.ts'
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

// Lists of list type set and map hold nothing twice.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype.ValidateListSetsAndMaps, validateListSet, validateListMap
const hasListTypes = anywhereIn(({ 'x-kubernetes-list-type': listType }) => listType === 'set' || listType === 'map')

function validateListTypes(schema: JsonSchema, value: unknown, path: string, errors: FieldError[]): void {
  if (!hasListTypes(schema)) return
  if (Array.isArray(value)) {
    const listType = schema['x-kubernetes-list-type']
    if (listType === 'set') checkSet(value, path, errors)
    else if (listType === 'map') checkKeys(schema, value, path, errors)
    const { items } = schema
    if (items !== undefined) for (const [at, item] of value.entries()) validateListTypes(items, item, `${path}[${at}]`, errors)
    return
  }
  if (!isJsonObject(value)) return
  const { properties, additionalProperties } = schema
  for (const name of Object.keys(value)) {
    const inner = path === '' ? name : `${path}.${name}`
    const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (typeof declared === 'object') validateListTypes(declared, value[name], inner, errors)
  }
}

function checkSet(list: readonly unknown[], path: string, errors: FieldError[]): void {
  const seen = new Set<string>()
  for (const [at, item] of list.entries()) {
    const key = typeof item === 'object' ? JSON.stringify(item) : `${typeof item} ${String(item)}`
    if (seen.has(key) || (typeof item === 'object' && list.slice(0, at).some((other) => isEqualJson(item, other))))
      errors.push(duplicate(`${path}[${at}]`, item))
    seen.add(key)
  }
}

function checkKeys(schema: JsonSchema, list: readonly unknown[], path: string, errors: FieldError[]): void {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const seen = new Set<string>()
  for (const [at, item] of list.entries()) {
    if (!isJsonObject(item)) {
      errors.push(invalid(`${path}[${at}]`, item, 'must be an object for an array of list-type map'))
      continue
    }
    const named = Object.fromEntries(
      keys.flatMap((key) => {
        const value = item[key] ?? schema.items?.properties?.[key]?.default
        return value === undefined ? [] : [[key, value]]
      }),
    )
    const id = JSON.stringify(keys.map((key) => named[key] ?? null))
    if (seen.has(id)) errors.push(duplicate(`${path}[${at}]`, mapValue(named)))
    seen.add(id)
  }
}
