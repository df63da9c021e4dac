// One wrong field of an object, in Kubernetes' words. Validation returns lists of these; the server turns a list into
// one Status of reason Invalid.
import { goQuote, omitted, showValue } from './shown-value.ts'
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
