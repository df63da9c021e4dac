// Parses JSON as Go's decoder does, with its messages. JSON.parse does the work; the text is scanned here only if that fails, or if
// keys may be duplicate.
// Kubernetes: sigs.k8s.io/json/internal/golang/encoding/json.scanner.*, SyntaxError
import { getOrAdd } from '../../../base/maps.ts'
import { DecodeError } from './decode-error.ts'

const deepest = 10_000

/** Throws a DecodeError with Go's sentence. */
export function parseJson(text: string): unknown {
  // Every level takes two characters at least.
  if (text.length > 2 * deepest && isTooDeep(text)) throw new DecodeError(syntaxProblem(text))
  try {
    return JSON.parse(escapedSurrogate.test(text) ? replaceLoneSurrogates(text) : text) as unknown
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DecodeError(syntaxProblem(text))
  }
}

const escapedSurrogate = /\\u[dD][89a-fA-F]/
const escapes = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/gs

/** Half a character becomes U+FFFD, as in Go. A pair is twelve characters long, a half six. */
function replaceLoneSurrogates(text: string): string {
  return text.replace(escapes, (one) => (one.length === 6 ? '\\ufffd' : one))
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
      if (at < 0) return false
    } else if (code === openBrace || code === openBracket) {
      if (++depth > deepest) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}

const quote = 0x22
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const colon = 0x3a
const backslash = 0x5c

/** Where the string that starts at `start` has its closing quote, or -1. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && text.charCodeAt(end - 1) === backslash) {
    let slashes = 1
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return end
}

/**
 * The keys that occur twice in an object, as Kubernetes reports them: `duplicate field "data.a"`. `value` is the parsed text: if it has as
 * many keys as the text, there are no duplicates, and the text is not read again.
 */
export function findDuplicateFields(text: string, value: unknown): string[] {
  return countKeysInText(text) === countKeysInValue(value) ? [] : listProblems(text, [])
}

/** Both unknown and duplicate fields, in the order of the text. An unknown key is reported as unknown only, with everything inside it. */
export function findStrictProblems(text: string, value: unknown, unknownFields: readonly string[]): readonly string[] {
  return countKeysInText(text) === countKeysInValue(value) ? unknownFields : listProblems(text, unknownFields)
}

function countKeysInText(text: string): number {
  let keys = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = endOfString(text, at) + 1
    if (at === 0) return keys
    let code = text.charCodeAt(at)
    while (code <= 0x20) code = text.charCodeAt(++at)
    if (code === colon) keys++
  }
  return keys
}

function countKeysInValue(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at]
      if (typeof item === 'object') keys += countKeysInValue(item)
    }
    return keys
  }
  for (const item of Object.values(value)) {
    keys++
    if (typeof item === 'object') keys += countKeysInValue(item)
  }
  return keys
}

/** A field of the text, by its path. A path is written out only for a message: paths of long keys would take time and memory. */
interface Field {
  readonly parent: Field | undefined
  /** The end of the path: `.key`, or `[0]` in a list. */
  readonly end: string
  readonly pathLength: number
  readonly fields: Map<string, Field>
  isReported: boolean
}

interface Level {
  readonly field: Field
  /** Undefined in a list. */
  readonly keys: Set<string> | undefined
  /** The paths of unknown fields that are in here. */
  readonly unknown: readonly string[]
  /** Inside of an unknown field. */
  readonly isUnknown: boolean
  index: number
}

/** As in Kubernetes' decoder. */
const maxProblems = 100

function listProblems(text: string, unknownFields: readonly string[]): string[] {
  const prefix = 'unknown field '
  const found = new Set<string>()
  const levels: Level[] = []
  let field: Field = { parent: undefined, end: '', pathLength: 0, fields: new Map(), isReported: false }
  let unknown = unknownFields.map((problem) => JSON.parse(problem.slice(prefix.length)) as string)
  let isUnknown = false
  for (let at = 0; at < text.length && found.size < maxProblems; at++) {
    const code = text.charCodeAt(at)
    const level = levels.at(-1)
    if (code === openBrace || code === openBracket) {
      if (level !== undefined) {
        if (level.keys === undefined) field = fieldIn(level.field, `[${level.index}]`)
        isUnknown = level.isUnknown || level.unknown.some((path) => isPathOf(field, path))
        unknown = isUnknown ? [] : level.unknown.filter((path) => path.startsWith(field.end, level.field.pathLength))
      }
      levels.push({ field, keys: code === openBrace ? new Set() : undefined, unknown, isUnknown, index: 0 })
    } else if (code === closeBrace || code === closeBracket) levels.pop()
    else if (code === 0x2c && level !== undefined) level.index++
    else if (code === quote) {
      const end = endOfString(text, at)
      if (level?.keys !== undefined && !level.isUnknown && /^\s*:/.test(text.slice(end + 1, end + 100))) {
        const key = JSON.parse(text.slice(at, end + 1)) as string
        field = fieldIn(level.field, level.field.pathLength === 0 ? key : `.${key}`)
        const path = level.unknown.find((one) => isPathOf(field, one))
        if (path !== undefined) found.add(`${prefix}${JSON.stringify(path)}`)
        else if (level.keys.has(key) && !field.isReported) {
          field.isReported = true
          found.add(`duplicate field ${JSON.stringify(pathOf(field))}`)
        }
        level.keys.add(key)
      }
      at = end
    }
  }
  return [...new Set([...found, ...unknownFields])].slice(0, maxProblems)
}

const fieldIn = (parent: Field, end: string) =>
  getOrAdd(parent.fields, end, () => ({
    parent,
    end,
    pathLength: parent.pathLength + end.length,
    fields: new Map<string, Field>(),
    isReported: false,
  }))

/** `path` starts with that of the parent. */
const isPathOf = ({ end, pathLength }: Field, path: string) => path.length === pathLength && path.endsWith(end)

function pathOf(field: Field): string {
  const ends: string[] = []
  for (let one: Field | undefined = field; one !== undefined; one = one.parent) ends.push(one.end)
  return ends.reverse().join('')
}

/** Go's message about a text that is not JSON. */
function syntaxProblem(text: string): string {
  const parents: ('{' | '[')[] = []
  let at = 0
  const character = () => text[at]
  const unexpectedEnd = 'unexpected end of JSON input'
  const invalid = (where: string) => (at >= text.length ? unexpectedEnd : `invalid character ${quoteCharacter(text, at)} ${where}`)
  const skipSpace = () => {
    while (at < text.length && ' \t\r\n'.includes(text[at]!)) at++
  }
  type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'end of value'
  let wanted: Wanted = 'value'
  while (true) {
    skipSpace()
    if (wanted === 'end of value') {
      const parent = parents.at(-1)
      if (parent === undefined) return invalid('after top-level value')
      if (character() === ',') {
        wanted = parent === '{' ? 'key' : 'value'
      } else if (character() === (parent === '{' ? '}' : ']')) parents.pop()
      else return invalid(parent === '{' ? 'after object key:value pair' : 'after array element')
      at++
    } else if (wanted === 'colon') {
      if (character() !== ':') return invalid('after object key')
      at++
      wanted = 'value'
    } else if (wanted === 'key' || wanted === 'key or }') {
      if (wanted === 'key or }' && character() === '}') {
        at++
        parents.pop()
        wanted = 'end of value'
      } else if (character() === '"') {
        const problem = readString()
        if (problem !== undefined) return problem
        wanted = 'colon'
      } else return invalid('looking for beginning of object key string')
    } else if (wanted === 'value or ]' && character() === ']') {
      at++
      parents.pop()
      wanted = 'end of value'
    } else if (character() === '{' || character() === '[') {
      parents.push(character() as '{' | '[')
      if (parents.length > deepest) return invalid('exceeded max depth')
      wanted = character() === '{' ? 'key or }' : 'value or ]'
      at++
    } else {
      const problem = readLiteral()
      if (problem !== undefined) return problem
      wanted = 'end of value'
    }
  }

  function readString(): string | undefined {
    for (at++; at < text.length; at++) {
      const one = text[at]!
      if (one === '"') {
        at++
        return undefined
      }
      if (one < ' ') return invalid('in string literal')
      if (one !== '\\') continue
      at++
      if (at < text.length && !'bfnrt\\/"u'.includes(text[at]!)) return invalid('in string escape code')
      if (text[at] !== 'u') continue
      for (let digits = 0; digits < 4; digits++) {
        at++
        if (!/^[0-9a-fA-F]$/.test(text[at] ?? '')) return invalid('in \\u hexadecimal character escape')
      }
    }
    return unexpectedEnd
  }

  function readLiteral(): string | undefined {
    const first = text[at] ?? ''
    if (first === '"') return readString()
    const word = first === 't' ? 'true' : first === 'f' ? 'false' : first === 'n' ? 'null' : undefined
    if (word !== undefined) {
      for (const letter of word.slice(1)) {
        at++
        if (text[at] !== letter) return invalid(`in literal ${word} (expecting '${letter}')`)
      }
      at++
      return undefined
    }
    if (!/^[-0-9]$/.test(first)) return invalid('looking for beginning of value')
    return readNumber()
  }

  function readNumber(): string | undefined {
    const isDigit = () => /^[0-9]$/.test(text[at] ?? '')
    const skipDigits = () => {
      while (isDigit()) at++
    }
    if (text[at] === '-') at++
    if (!isDigit()) return invalid('in numeric literal')
    if (text[at] === '0') at++
    else skipDigits()
    if (text[at] === '.') {
      at++
      if (!isDigit()) return invalid('after decimal point in numeric literal')
      skipDigits()
    }
    if (text[at] === 'e' || text[at] === 'E') {
      at++
      if (text[at] === '+' || text[at] === '-') at++
      if (!isDigit()) return invalid('in exponent of numeric literal')
      skipDigits()
    }
    return undefined
  }
}

// Go reads bytes: of a character beyond ASCII it shows the first byte.
function quoteCharacter(text: string, at: number): string {
  const code = text.codePointAt(at)!
  const byte = code < 0x80 ? code : code < 0x800 ? 0xc0 | (code >> 6) : code < 0x10000 ? 0xe0 | (code >> 12) : 0xf0 | (code >> 18)
  const one = String.fromCharCode(byte)
  if (one === "'") return "'\\''"
  if (one === '"') return `'"'`
  const named: Readonly<Record<string, string>> = {
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\b': '\\b',
    '\f': '\\f',
    '\v': '\\v',
    '\x07': '\\a',
    '\\': '\\\\',
  }
  if (named[one] !== undefined) return `'${named[one]}'`
  return byte < 0x20 || byte === 0x7f ? `'\\x${byte.toString(16).padStart(2, '0')}'` : `'${one}'`
}
