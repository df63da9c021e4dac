// How Kubernetes prints the wrong value of a field: Go's rules, which are not quite those of JSON.stringify.

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

/** As Go prints an aggregate of errors: each distinct one once. */
export function joinErrors(errors: readonly string[]): string {
  const distinct = [...new Set(errors)]
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`
}
