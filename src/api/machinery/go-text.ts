// Values and errors as Go prints and parses them.
// Ours: Go prints these values in its standard library.
import { isJsonObject } from './json-object.ts'
import type { LabelSelector } from './types.ts'

/** JSON as Go writes it: HTML's special characters are escaped. */
export function goJson(value: unknown, indent?: string): string {
  const text = JSON.stringify(value, undefined, indent) as string | undefined
  if (text === undefined) return 'null'
  return /[<>&\u2028\u2029]/.test(text) ? text.replace(/[<>&\u2028\u2029]/g, escapeUnit) : text
}

const escapeUnit = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

const shortEscapes = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
])

/** A string literal of Go. */
export function goQuote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`
  let quoted = '"'
  for (const char of text) quoted += quoteChar(char)
  return `${quoted}"`
}

function quoteChar(char: string): string {
  const short = shortEscapes.get(char)
  if (short !== undefined) return short
  if (char === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char)) return char
  const code = char.codePointAt(0)!
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd'
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
}

/** strconv.ParseBool. Undefined for any other text. */
export function parseGoBool(text: string): boolean | undefined {
  if (/^(?:1|[tT]|true|TRUE|True)$/.test(text)) return true
  return /^(?:0|[fF]|false|FALSE|False)$/.test(text) ? false : undefined
}

/** As Go prints an aggregate of errors: each distinct one once. */
export function joinErrors(errors: readonly string[]): string {
  const distinct = [...new Set(errors)]
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`
}

// A label selector as Go prints it, for events and columns that contain it.
// Kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1.FormatLabelSelector
/** `&LabelSelector{MatchLabels:map[string]string{app: x,},MatchExpressions:[]LabelSelectorRequirement{},}` */
export function formatSelector(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil'
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`)
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  )
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`
}

// Some of Kubernetes' messages contain a whole patch.

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
