// Values and errors as Go prints and parses them.
// Ours: Go prints these values in its standard library.

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
