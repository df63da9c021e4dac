// The tokens of CEL.
// Ours: cel-go's lexer is generated from a grammar.
import { CompileError, type Problem } from './syntax.ts'

type TokenKind = 'ident' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end'

export interface Token {
  readonly kind: TokenKind
  readonly at: number
  /** As written; of strings and bytes their value is in `value`. */
  readonly text: string
  readonly value?: string | Uint8Array
}

const symbols = ['&&', '||', '==', '!=', '<=', '>=', ...'?:<>+-*/%!.,()[]{}'] as const
const space = /(?:[\s\f]+|\/\/[^\n]*)+/y
const number = /0x[0-9a-fA-F]+[uU]?|(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)|[0-9]+[uU]?/y
const word = /[_a-zA-Z][_a-zA-Z0-9]*/y
const quoted = /([rR]?[bB]?|[bB][rR])("""|'''|"|')/y
const escapedIdent = /`[a-zA-Z0-9_.\-/ ]+`/y

/** Characters that no token begins with are left out, and reported. */
export function tokenize(source: string): { readonly tokens: readonly Token[]; readonly problems: readonly Problem[] } {
  const tokens: Token[] = []
  const problems: Problem[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  for (;;) {
    at += match(space)?.[0].length ?? 0
    if (at >= source.length) break
    const opening = match(quoted)
    if (opening !== null) {
      const token = readString(source, at, opening[1]!.toLowerCase(), opening[2]!)
      if (token === undefined) {
        problems.push({ at, message: `Syntax error: token recognition error at: '${source.slice(at)}'` })
        at = source.length
        continue
      }
      tokens.push(token)
      at += token.text.length
      continue
    }
    const digits = match(number)
    if (digits !== null) {
      tokens.push({ kind: kindOfNumber(digits[0]), at, text: digits[0] })
      at += digits[0].length
      continue
    }
    const name = match(word) ?? match(escapedIdent)
    if (name !== null) {
      tokens.push({ kind: 'ident', at, text: name[0] })
      at += name[0].length
      continue
    }
    const symbol = symbols.find((one) => source.startsWith(one, at))
    if (symbol === undefined) {
      const wrong = /^[=&|].?|^./su.exec(source.slice(at))![0]
      problems.push({ at, message: `Syntax error: token recognition error at: '${wrong}'` })
      at += wrong.length
      continue
    }
    tokens.push({ kind: 'symbol', at, text: symbol })
    at += symbol.length
  }
  tokens.push({ kind: 'end', at: source.length, text: '<EOF>' })
  return { tokens, problems }
}

function kindOfNumber(text: string): TokenKind {
  if (/[uU]$/.test(text)) return 'uint'
  return text.startsWith('0x') || !/[.eE]/.test(text) ? 'int' : 'double'
}

/** Undefined: the text has no end. */
function readString(source: string, at: number, prefix: string, quote: string): Token | undefined {
  const isRaw = prefix.includes('r')
  const isBytes = prefix.includes('b')
  const start = at + prefix.length + quote.length
  let end = start
  while (end < source.length && !source.startsWith(quote, end)) {
    if (!isRaw && source[end] === '\\') end++
    else if (quote.length === 1 && source[end] === '\n') break
    end++
  }
  if (!source.startsWith(quote, end)) return undefined
  const body = source.slice(start, end)
  const text = source.slice(at, end + quote.length)
  if (isBytes) return { kind: 'bytes', at, text, value: isRaw ? new TextEncoder().encode(body) : unescapeBytes(source, at, body) }
  return { kind: 'string', at, text, value: isRaw ? body : unescapeText(source, at, body) }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
}
const escapeSequence = /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))/g

function unescapeText(source: string, at: number, body: string): string {
  return body.replace(escapeSequence, (_all, x?: string, bigX?: string, u?: string, bigU?: string, octal?: string, simple?: string) => {
    const hex = x ?? bigX ?? u ?? bigU
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
    return simpleEscape(source, at, simple!)
  })
}

/** In bytes, \x and octal escapes are single bytes; all else is UTF-8. */
function unescapeBytes(source: string, at: number, body: string): Uint8Array {
  const parts: number[] = []
  let last = 0
  const encoder = new TextEncoder()
  for (const found of body.matchAll(escapeSequence)) {
    parts.push(...encoder.encode(body.slice(last, found.index)))
    const [all, x, bigX, u, bigU, octal, simple] = found
    if (x !== undefined || bigX !== undefined) parts.push(Number.parseInt((x ?? bigX)!, 16))
    else if (octal !== undefined) parts.push(Number.parseInt(octal, 8))
    else if (u !== undefined || bigU !== undefined) parts.push(...encoder.encode(String.fromCodePoint(Number.parseInt((u ?? bigU)!, 16))))
    else parts.push(...encoder.encode(simpleEscape(source, at, simple!)))
    last = found.index + all.length
  }
  parts.push(...encoder.encode(body.slice(last)))
  return Uint8Array.from(parts)
}

function simpleEscape(source: string, at: number, letter: string): string {
  const value = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined
  if (value === undefined) throw new CompileError(source, [{ at, message: `Syntax error: token recognition error at: '\\${letter}'` }])
  return value
}
