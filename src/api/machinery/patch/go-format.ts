// Values as Go prints them: some of Kubernetes' messages contain a whole patch.
// Ours: Go prints these values in its standard library.
import { isJsonObject } from '../json-object.ts'

/** `%v` of decoded JSON: `map[a:1 b:[x y]]`, keys sorted, nothing quoted. */
export function formatGoValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(formatGoValue).join(' ')}]`
  if (!isJsonObject(value)) return String(value)
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${key}:${formatGoValue(value[key])}`)
  return `map[${entries.join(' ')}]`
}

/** `%s` of decoded JSON that should be a string. */
export function formatGoText(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)'
  return typeof value === 'number' || typeof value === 'boolean' ? `%!s(${goTypeOf(value)}=${value})` : formatGoValue(value)
}

/** The Go type that a JSON value is decoded to. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return 'map[string]interface {}'
}

/** The name of a value's type in the messages of Go's JSON decoder. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value
}
