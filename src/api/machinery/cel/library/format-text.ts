// `'%s is %d'.format([…])`.
// Kubernetes: github.com/google/cel-go/ext.stringFormatter.*, FormatString, formatList, formatMap
import { EvaluationError } from '../evaluation-error.ts'
import { Duration, showDuration, showTimestamp, Timestamp } from '../time.ts'
import { CelList, isMap, TypeValue, typeNameOf, UnsignedInt } from '../values.ts'

const clause = /%(?:(%)|(?:\.([0-9]+))?([a-zA-Z]))/y

export function formatText(pattern: string, args: CelList): string {
  let result = ''
  let used = 0
  for (let at = 0; at < pattern.length; ) {
    if (pattern[at] !== '%') {
      result += pattern[at++]
      continue
    }
    clause.lastIndex = at
    const found = clause.exec(pattern)
    if (found === null) throw new EvaluationError('could not parse formatting clause: unexpected end of string')
    at += found[0].length
    if (found[1] !== undefined) {
      result += '%'
      continue
    }
    if (used >= args.size) throw new EvaluationError(`index ${used} out of range`)
    result += formatOne(found[3]!, found[2] === undefined ? 6 : Number(found[2]), args.at(used++))
  }
  return result
}

function formatOne(verb: string, precision: number, value: unknown): string {
  switch (verb) {
    case 's':
      return show(value)
    case 'd':
      return showInteger(value)
    case 'f':
      return showNumber(value, (number) => number.toFixed(Math.min(precision, 100)))
    case 'e':
      return showNumber(value, (number) => number.toExponential(Math.min(precision, 100)).replace(/e([+-])(\d)$/, 'e$10$2'))
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integerOf(value, 'binary').toString(2)
    case 'o':
      return integerOf(value, 'octal').toString(8)
    case 'x':
      return hexadecimal(value)
    case 'X':
      return hexadecimal(value).toUpperCase()
    default:
      throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`)
  }
}

function showInteger(value: unknown): string {
  if (typeof value === 'number' && Number.isNaN(value)) return 'NaN'
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return value > 0 ? 'Infinity' : '-Infinity'
  return integerOf(value, 'decimal').toString()
}

function integerOf(value: unknown, clauseName: string): bigint {
  if (typeof value === 'bigint') return value
  if (value instanceof UnsignedInt) return value.value
  const only = clauseName === 'decimal' ? 'integers' : clauseName === 'binary' ? 'integers and bools' : 'integers'
  throw new EvaluationError(`error during formatting: ${clauseName} clause can only be used on ${only}, was given ${typeNameOf(value)}`)
}

function showNumber(value: unknown, show: (value: number) => string): string {
  const number = value instanceof UnsignedInt ? Number(value.value) : typeof value === 'bigint' ? Number(value) : value
  if (typeof number !== 'number')
    throw new EvaluationError(`error during formatting: fixed-point clause can only be used on doubles, was given ${typeNameOf(value)}`)
  if (Number.isFinite(number)) return show(number)
  return Number.isNaN(number) ? 'NaN' : number > 0 ? 'Infinity' : '-Infinity'
}

function hexadecimal(value: unknown): string {
  const ofBytes = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (typeof value === 'string') return ofBytes(new TextEncoder().encode(value))
  if (value instanceof Uint8Array) return ofBytes(value)
  if (typeof value === 'bigint' || value instanceof UnsignedInt) return integerOf(value, 'hex').toString(16)
  throw new EvaluationError(
    `error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given ${typeNameOf(value)}`,
  )
}

/** As %s shows it. */
export function show(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return 'null'
  if (typeof value === 'number') return showDouble(value)
  if (value instanceof UnsignedInt) return String(value.value)
  if (value instanceof Timestamp) return showTimestamp(value)
  if (value instanceof Duration) return showDuration(value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  if (value instanceof CelList) return `[${[...value].map(showNested).join(', ')}]`
  if (isMap(value)) {
    const entries = [...value.entries()].map(([key, one]) => [showNested(key), showNested(one)] as const)
    return `{${entries
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]) => `${key}:${one}`)
      .join(', ')}}`
  }
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  throw new EvaluationError(
    `error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${typeNameOf(value)}`,
  )
}

/** Strings inside of lists and maps are quoted. */
const showNested = (value: unknown): string => (typeof value === 'string' ? quote(value) : show(value))

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

export const quote = (text: string): string =>
  `"${[...text].map((character) => (Object.hasOwn(escapes, character) ? escapes[character]! : character)).join('')}"`

// Kubernetes: github.com/google/cel-go/common/types.Double.ConvertToType
/** As Go's %g: the shortest form, with an exponent of at least two digits from 1e21 on and below 1e-4. */
export function showDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const absolute = Math.abs(value)
  if (value !== 0 && (absolute < 1e-4 || absolute >= 1e21))
    return value.toExponential().replace(/e([+-])(\d)$/, (_all, sign: string, digit: string) => `e${sign}0${digit}`)
  return String(value)
}
