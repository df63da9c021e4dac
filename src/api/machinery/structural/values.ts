// Whether a value fits a schema, in the words of Kubernetes' OpenAPI validator.
// Kubernetes: k8s.io/kube-openapi/pkg/validation/validate.SchemaValidator.*, objectValidator.*, schemaSliceValidator.*
// Kubernetes: k8s.io/kube-openapi/pkg/validation/validate.stringValidator.*, numberValidator.*
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/validation.kubeOpenAPIResultToFieldErrors

import { isEqualJson } from '../../../base/json.ts'
import { compilePattern, patternProblem } from '../cel/library/regex.ts'
import { type FieldError, invalid, notSupported, required, tooLong, tooMany } from '../field-error.ts'
import { isJsonObject } from '../json-object.ts'
import type { JsonSchema } from './definition.ts'
import { isOfFormat } from './formats.ts'

type Fields = Readonly<Record<string, unknown>>

/** `old` is the value before an update, where it is known: unchanged values are not validated again. */
export function validateValue(schema: JsonSchema, value: unknown, path: string, errors: FieldError[], old?: unknown): void {
  if (old !== undefined && isEqualJson(value, old)) return
  if (value === null || value === undefined) {
    if (schema.nullable !== true && (schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true))
      errors.push(wrongType(path, typesOf(schema), 'null'))
    checkEnum(schema, null, path, errors)
    return
  }
  const isRightType = checkType(schema, value, path, errors)
  checkComposed(schema, value, path, errors)
  if (typeof value === 'string') checkText(schema, value, path, errors, isRightType)
  else if (typeof value === 'number') checkNumber(schema, value, path, errors)
  checkEnum(schema, value, path, errors)
  if (Array.isArray(value)) checkList(schema, value, path, errors, old)
  else if (isJsonObject(value)) checkFields(schema, value, path, errors, old)
}

/** Null is never one of the values, not even where it is listed, or the schema is nullable. */
function checkEnum({ enum: values = [] }: JsonSchema, value: unknown, path: string, errors: FieldError[]): void {
  if (values.length === 0 || (value !== null && values.some((one) => isEqualJson(one, value)))) return
  const shown = values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  errors.push(notSupported(path, value, shown))
}

/** As messages name the place: the root has an empty path. */
const inBody = (path: string) => `${path} in body`

function wrongType(path: string, wanted: string, given: string): FieldError {
  return {
    type: 'FieldValueTypeInvalid',
    field: path || '<nil>',
    value: given,
    detail: `${inBody(path)} must be of type ${wanted}: "${given}"`,
  }
}

/** Errors of which Kubernetes' validator does not report the place. */
const elsewhere = (detail: string) => invalid('<nil>', '', detail)

const typesOf = (schema: JsonSchema) => (schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : (schema.type ?? ''))

/** Whole numbers are read as int64, and larger ones as floats. */
const isWhole = (value: number) => Number.isInteger(value) && Math.abs(value) < 2 ** 63

export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return isWhole(value) ? 'integer' : 'number'
  return value === null ? 'null' : typeof value === 'object' ? 'object' : typeof value
}

/** The format that Go gives a value. */
const goFormatOf = (value: unknown) => (typeof value !== 'number' ? '' : isWhole(value) ? 'int64' : 'float64')

/** With a format, the type of a list is not checked where a string is wanted, and other types are named by their formats. */
function checkType(schema: JsonSchema, value: unknown, path: string, errors: FieldError[]): boolean {
  const wanted = typesOf(schema)
  if (wanted === '') return true
  const given = jsonTypeOf(value)
  const types = wanted.split(',')
  if (types.includes(given) || (given === 'integer' && types.includes('number'))) return true
  const { format = '' } = schema
  const hasOwnFormat = format !== '' && given !== 'string' && given !== 'array'
  if (hasOwnFormat) {
    if (format !== goFormatOf(value)) errors.push(wrongType(path, format, goFormatOf(value)))
  } else if (format === '' || types.includes('number') || types.includes('integer')) errors.push(wrongType(path, wanted, given))
  return false
}

/** Go counts characters; JavaScript's length counts those beyond the first 65,536 twice. */
const characters = (value: string) => [...value].length

function checkText(schema: JsonSchema, value: string, path: string, errors: FieldError[], isRightType: boolean): void {
  const { maxLength, minLength, pattern, format } = schema
  // Of these three, only the first problem is reported.
  if (maxLength !== undefined && value.length > maxLength && characters(value) > maxLength) errors.push(tooLong(path, maxLength))
  else if (minLength !== undefined && value.length < 2 * minLength && characters(value) < minLength)
    errors.push(invalid(path, value, `${inBody(path)} should be at least ${minLength} chars long`))
  else if (pattern !== undefined && pattern !== '') checkPattern(pattern, value, path, errors)
  if (format !== undefined && isRightType && !isOfFormat(format, value))
    errors.push({
      type: 'FieldValueTypeInvalid',
      field: path,
      value,
      detail: `${inBody(path)} must be of type ${format}: ${JSON.stringify(value)}`,
    })
}

function checkPattern(pattern: string, value: string, path: string, errors: FieldError[]): void {
  try {
    if (!compilePattern(pattern).test(value)) errors.push(invalid(path, value, `${inBody(path)} should match '${pattern}'`))
  } catch (error) {
    errors.push(invalid(path, value, `${inBody(path)} should match '${pattern}, but pattern is invalid: ${patternProblem(error)}'`))
  }
}

function checkNumber(schema: JsonSchema, value: number, path: string, errors: FieldError[]): void {
  const { maximum, minimum, multipleOf, exclusiveMaximum, exclusiveMinimum, format } = schema
  if (schema.type === 'integer' && !(isWhole(value) && (format !== 'int32' || value === (value | 0))))
    errors.push(elsewhere(`Checked value must be of type integer ${format ? `with format ${format}` : '(default format)'} in ${path}`))
  const fail = (detail: string) => errors.push(invalid(path, value, `${inBody(path)} should be ${detail}`))
  if (multipleOf !== undefined && multipleOf > 0 && !Number.isInteger(value / multipleOf)) fail(`a multiple of ${multipleOf}`)
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    fail(exclusiveMaximum ? `less than ${maximum}` : `less than or equal to ${maximum}`)
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    fail(exclusiveMinimum ? `greater than ${minimum}` : `greater than or equal to ${minimum}`)
}

function checkList(schema: JsonSchema, value: readonly unknown[], path: string, errors: FieldError[], old: unknown): void {
  const { items, minItems, maxItems, uniqueItems } = schema
  if (items !== undefined) {
    const before = correlated(schema, old)
    for (const [at, item] of value.entries()) validateValue(items, item, `${path}[${at}]`, errors, before?.(item))
  }
  if (minItems !== undefined && value.length < minItems)
    errors.push(invalid(path, value.length, `${inBody(path)} should have at least ${minItems} items`))
  if (maxItems !== undefined && value.length > maxItems) errors.push(tooMany(path, value.length, maxItems))
  if (uniqueItems === true && value.some((item, at) => value.slice(0, at).some((other) => isEqualJson(item, other))))
    errors.push(invalid(path, '', `${inBody(path)} shouldn't contain duplicates`))
}

/** Finds the item of the list before the update that an item was: possible for lists with keys. */
export function correlated(schema: JsonSchema, old: unknown): ((item: unknown) => unknown) | undefined {
  const keys = schema['x-kubernetes-list-map-keys']
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map' || keys === undefined) return undefined
  const keyOf = (item: unknown) =>
    isJsonObject(item) ? JSON.stringify(keys.map((key) => item[key] ?? schema.items?.properties?.[key]?.default ?? null)) : ''
  const byKey = new Map<string, unknown>(old.map((item: unknown) => [keyOf(item), item]))
  return (item) => byKey.get(keyOf(item))
}

function checkFields(schema: JsonSchema, value: Fields, path: string, errors: FieldError[], old: unknown): void {
  const { properties, additionalProperties, minProperties, maxProperties } = schema
  const before = isJsonObject(old) ? old : undefined
  const count = Object.keys(value).length
  if (minProperties !== undefined && count < minProperties)
    errors.push(invalid(path, count, `${inBody(path)} should have at least ${minProperties} properties`))
  if (maxProperties !== undefined && count > maxProperties) errors.push(tooMany(path, count, maxProperties))
  for (const name of Object.keys(value)) {
    const inner = path === '' ? name : `${path}.${name}`
    const declared = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (declared !== undefined) validateValue(declared, value[name], inner, errors, before?.[name])
    else if (typeof additionalProperties === 'object') validateValue(additionalProperties, value[name], inner, errors, before?.[name])
  }
  for (const name of schema.required ?? []) if (value[name] === undefined) errors.push(required(path === '' ? name : `${path}.${name}`, ''))
}

/** allOf, anyOf, oneOf and not. They judge values only: ratcheting does not reach into them. */
function checkComposed(schema: JsonSchema, value: unknown, path: string, errors: FieldError[]): void {
  const { allOf, anyOf, oneOf, not } = schema
  if (allOf === undefined && anyOf === undefined && oneOf === undefined && not === undefined) return
  const problemsOf = (one: JsonSchema) => {
    const found: FieldError[] = []
    validateValue(one, value, path, found)
    return found
  }
  const add = (detail: string) => errors.push(elsewhere(`${JSON.stringify(path)} ${detail}`))
  const best = (all: readonly FieldError[][]) => all.reduce((one, other) => (other.length < one.length ? other : one))
  if (anyOf !== undefined && anyOf.length > 0) {
    const results = anyOf.map(problemsOf)
    if (results.every((found) => found.length > 0)) {
      add('must validate at least one schema (anyOf)')
      errors.push(...best(results))
    }
  }
  if (oneOf !== undefined && oneOf.length > 0) {
    const results = oneOf.map(problemsOf)
    const valid = results.filter((found) => found.length === 0).length
    if (valid !== 1) {
      add(`must validate one and only one schema (oneOf). ${valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`}`)
      if (valid === 0) errors.push(...best(results))
    }
  }
  if (allOf !== undefined && allOf.length > 0) {
    const results = allOf.map(problemsOf)
    const valid = results.filter((found) => found.length === 0).length
    for (const found of results) errors.push(...found)
    if (valid !== allOf.length) add(`must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`)
  }
  if (not !== undefined && problemsOf(not).length === 0) add('must not validate the schema (not)')
}
