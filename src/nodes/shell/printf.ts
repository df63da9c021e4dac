// `printf`, as BusyBox and GNU have it.
import { unescapeText } from './escapes.ts'
import { done, failed, type ProgramContext, ProgramFailure, type ProgramResult } from './program-context.ts'

interface Directive {
  readonly flags: string
  /** `*`: an argument has it. */
  readonly width: string
  readonly precision?: string | undefined
  readonly type: string
}

const directive = /%([-+ 0#]*)(\*|[0-9]*)(?:\.(\*|[0-9]*))?([a-zA-Z%]?)/g
const maxWidth = 1000
const maxDigits = 20

export function printf(words: readonly string[], { print, printError, work }: ProgramContext): ProgramResult {
  const [format = '', ...values] = words[0] === '--' ? words.slice(1) : words
  work.spendCharacters(format.length * 4)
  const pieces = piecesOf(format)
  let next = 0
  let text = ''
  let isWrong = false
  let isEnd = false
  const take = () => values[next++] ?? ''
  const refuse = (value: string) => {
    printError(`printf: invalid number '${value.slice(0, 100)}'\n`)
    isWrong = true
  }
  const formatted = ({ flags, width: written, precision: digits, type }: Directive): string => {
    if (type === '%') return '%'
    const width = written === '*' ? String(integerOf(take(), refuse)) : written
    const precision = digits === '*' ? Math.max(0, Number(integerOf(take(), refuse))) : digits === undefined ? undefined : Number(digits)
    const isLeft = flags.includes('-') || width.startsWith('-')
    const size = Math.min(maxWidth, Math.abs(Number(width)))
    const value = take()
    work.spendCharacters(value.length * 2 + size)
    if (type === 'b') {
      const plain = unescapeText(value, 'argument')
      isEnd = plain.isEnd
      return padded(cut(plain.text, precision), size, isLeft)
    }
    if (type === 's') return padded(cut(value, precision), size, isLeft)
    if (type === 'c') return padded([...value.slice(0, 2)][0] ?? '', size, isLeft)
    const { sign, digits: number } = 'feEgG'.includes(type)
      ? decimal(realOf(value, refuse), type, precision)
      : integer(integerOf(value, refuse), type, precision, flags.includes('#'))
    const shown = sign || (!'uxXo'.includes(type) && /[+ ]/.exec(flags.includes('+') ? '+' : flags)?.[0]) || ''
    if (flags.includes('0') && !isLeft) return shown + number.padStart(size - shown.length, '0')
    return padded(shown + number, size, isLeft)
  }
  do {
    const before = next
    for (const piece of pieces) {
      if (isEnd) break
      if (typeof piece === 'string') {
        const plain = unescapeText(piece, 'format')
        text += plain.text
        isEnd = plain.isEnd
      } else if (/^[bcsdiuxXofeEgG%]$/.test(piece.type)) text += formatted(piece)
      else {
        print(text)
        throw new ProgramFailure(`%${piece.flags}${piece.width}${piece.type}: invalid format`)
      }
    }
    work.spendCharacters(format.length * 4)
    if (next === before) break
  } while (next < values.length && !isEnd)
  print(text)
  return isWrong ? failed : done
}

/** Directives, and the text between them: an escaped percent sign starts no directive. */
function piecesOf(format: string): (string | Directive)[] {
  const pieces: (string | Directive)[] = []
  let end = 0
  for (const match of format.matchAll(directive)) {
    const [all, flags = '', width = '', precision, type = ''] = match
    if (match.index > end) pieces.push(format.slice(end, match.index))
    pieces.push({ flags, width, precision, type })
    end = match.index + all.length
  }
  if (end < format.length) pieces.push(format.slice(end))
  return pieces
}

const cut = (text: string, length: number | undefined) => (length === undefined ? text : text.slice(0, length))
const padded = (text: string, size: number, isLeft: boolean) => (isLeft ? text.padEnd(size) : text.padStart(size))

const maxInteger = 2n ** 63n - 1n

/** `12`, `0x1f`, `017`, or `'A` for the code of a character. */
function integerOf(value: string, refuse: (value: string) => void): bigint {
  if (/^['"]./s.test(value)) return BigInt(value.codePointAt(1)!)
  const [written = '', sign = '', digits = '0'] = /^\s*([-+]?)(0x[0-9a-f]+|[0-9]+)/i.exec(value) ?? []
  if (written.length < value.length) refuse(value)
  const limit = sign === '-' ? -maxInteger : maxInteger
  if (digits.length > maxDigits + 4) return limit
  const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits)
  return size > maxInteger ? limit : sign === '-' ? -size : size
}

function realOf(value: string, refuse: (value: string) => void): number {
  const number = Number(value.slice(0, 400))
  if (!Number.isNaN(number)) return number
  refuse(value)
  return Number.parseFloat(value) || 0
}

interface Formatted {
  readonly sign: '-' | ''
  readonly digits: string
}

function integer(value: bigint, type: string, precision: number | undefined, isPrefixed: boolean): Formatted {
  const isSigned = type === 'd' || type === 'i'
  const size = isSigned ? (value < 0n ? -value : value) : BigInt.asUintN(64, value)
  const prefix = !isPrefixed || isSigned || type === 'u' || size === 0n ? '' : type === 'o' ? '0' : `0${type}`
  const digits = size.toString(type === 'o' ? 8 : type === 'x' || type === 'X' ? 16 : 10)
  const long = digits.padStart(Math.min(maxWidth, precision ?? 0), '0')
  return { sign: isSigned && value < 0n ? '-' : '', digits: prefix + (type === 'X' ? long.toUpperCase() : long) }
}

function decimal(value: number, type: string, precision = 6): Formatted {
  const size = Math.abs(value)
  const count = Math.min(maxDigits, precision)
  const twoDigits = (text: string) => text.replace(/e([-+])(\d)$/, 'e$10$2')
  const lower = type.toLowerCase()
  const digits =
    lower === 'f' ? size.toFixed(count) : twoDigits(lower === 'e' ? size.toExponential(count) : general(size, Math.max(1, count)))
  return { sign: value < 0 ? '-' : '', digits: type === lower ? digits : digits.toUpperCase() }
}

/** The shorter of both forms, without trailing zeros. */
function general(size: number, digits: number): string {
  const exponent = Number(size.toExponential(digits - 1).split('e')[1])
  const text = exponent < -4 || exponent >= digits ? size.toExponential(digits - 1) : size.toFixed(Math.min(100, digits - 1 - exponent))
  return text.includes('.') ? text.replace(/\.?0+(?=e|$)/, '') : text
}
