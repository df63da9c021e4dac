// One wrong field of an object, in Kubernetes' words. Validation returns lists of these; the server turns a list into
// one Status of reason Invalid.
// Kubernetes: k8s.io/apimachinery/pkg/util/validation/field.Error.ErrorBody, NotSupported, Forbidden, TooLong, TooMany
import { goJson, goQuote } from './go-text.ts'
import type { StatusCause } from './types.ts'

type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueTooShort'
  | 'FieldValueNotFound'
  | 'FieldValueTypeInvalid'
  | 'InternalError'

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTooShort: 'Too short',
  FieldValueNotFound: 'Not found',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
}

export interface FieldError {
  readonly type: FieldErrorType
  /** Where: `spec.containers[0].name`, `metadata.labels`. */
  readonly field: string
  readonly value?: unknown
  readonly detail: string
  /** Kubernetes declares the rule at the type: such errors come after all others. */
  readonly isDeclared?: true
}

/** The message without the path: `Invalid value: "x": must be …`. */
function fieldErrorBody(error: FieldError): string {
  const title = titles[error.type]
  const showsValue =
    error.type !== 'FieldValueRequired' &&
    error.type !== 'FieldValueForbidden' &&
    error.type !== 'FieldValueTooLong' &&
    error.type !== 'FieldValueTooShort' &&
    error.type !== 'InternalError'
  const shown = showsValue ? showValue(error.value) : ''
  const start = shown === '' ? title : `${title}: ${shown}`
  return error.detail === '' ? start : `${start}: ${error.detail}`
}

export function fieldErrorMessage(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`
}

export function toCause(error: FieldError): StatusCause {
  return { reason: error.type, message: fieldErrorBody(error), field: error.field }
}

// Kubernetes: k8s.io/apiserver/pkg/registry/rest.ValidateDeclarativelyWithMigrationChecks
export const declared = (error: FieldError): FieldError => ({ ...error, isDeclared: true })

/** In the order in which Kubernetes lists them. */
export const withDeclaredLast = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.some(({ isDeclared }) => isDeclared)
    ? [...errors.filter(({ isDeclared }) => !isDeclared), ...errors.filter(({ isDeclared }) => isDeclared)]
    : errors

/** A field that Kubernetes declares immutable has changed. */
export const changed = (field: string): FieldError => declared(invalid(field, null, 'field is immutable'))

export const required = (field: string, detail: string): FieldError => ({ type: 'FieldValueRequired', field, detail })
export const invalid = (field: string, value: unknown, detail: string): FieldError => ({ type: 'FieldValueInvalid', field, value, detail })
export const duplicate = (field: string, value: unknown): FieldError => ({ type: 'FieldValueDuplicate', field, value, detail: '' })
export const forbidden = (field: string, detail: string): FieldError => ({ type: 'FieldValueForbidden', field, detail })
export const notFound = (field: string, value: unknown): FieldError => ({ type: 'FieldValueNotFound', field, value, detail: '' })
export const tooLong = (field: string, maxLength: number): FieldError => ({
  type: 'FieldValueTooLong',
  field,
  detail: maxLength >= 0 ? `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}` : 'value is too long',
})
/** A negative number of items is not shown. */
export const tooMany = (field: string, actual: number, most: number): FieldError => ({
  type: 'FieldValueTooMany',
  field,
  value: actual >= 0 ? actual : omitted,
  detail: most >= 0 ? `must have at most ${most} ${most === 1 ? 'item' : 'items'}` : 'has too many items',
})
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  value,
  detail: supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
})

/** The path of a field. It is called only when the field is wrong, so that a valid object costs no strings. */
export type At = () => string

// How the wrong value is shown: by Go's rules, which are not quite those of JSON.stringify.

/** Stands for a value that is not shown. */
export const omitted: unique symbol = Symbol('omitted')

/** A value whose shown text differs from what its JavaScript type suggests. */
class Shown {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A string of a named Go type (an enumeration, a Quantity): it is shown as JSON, where a plain string is shown quoted for Go. */
export const typed = (value: string | undefined): unknown => new Shown(goJson(value ?? ''))

/** A map: its keys are shown in order. */
export const mapValue = (value: Readonly<Record<string, unknown>> | undefined): unknown =>
  new Shown(value === undefined ? 'null' : `{${Object.entries(value).sort(byKey).map(memberJson).join(',')}}`)

/** Text that is to be shown as it is. */
export const shownAs = (text: string): unknown => new Shown(text)

const memberJson = ([key, value]: [string, unknown]) => `${goJson(key)}:${goJson(value)}`
const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : a > b ? 1 : 0)

/** The text of a wrong value; empty when it is not to be shown. Objects keep their order of keys: a struct's must be in the order of its fields. */
export function showValue(value: unknown): string {
  if (value === omitted) return ''
  if (value instanceof Shown) return value.text
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  return goJson(value)
}
