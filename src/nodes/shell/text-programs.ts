// Programs that print, filter and compare text. Each implements only what scripts in manifests commonly use.
import { formatTime } from '../../base/clock.ts'
import { compilePattern, PatternError } from '../regular-expression.ts'
import { unescapeText } from './escapes.ts'
import {
  done,
  failed,
  inputOf,
  linesOf,
  operandsOf,
  type Program,
  type ProgramContext,
  ProgramFailure,
  type ProgramResult,
  printing,
} from './program-context.ts'

export function filter(change: (lines: string[], options: readonly string[]) => string[]): Program {
  return (words, context) => {
    const isOption = words.map((word, index) => word.startsWith('-') || (index > 0 && /^-[nck]$/.test(words[index - 1]!)))
    const options = words.filter((_, index) => isOption[index])
    const paths = words.filter((_, index) => !isOption[index])
    const lines = change(linesOf(inputOf(paths, context)), options)
    if (lines.length > 0) context.print(`${lines.join('\n')}\n`)
    return done
  }
}

/** `-5` or `-n 5`; without either 10. */
export const countOption = (options: readonly string[]) => Number(/\d+/.exec(options.join(' '))?.[0] ?? 10)

export const echo = printing((words, { work }) => {
  let ending = '\n'
  let isEscaped = false
  let at = 0
  for (; /^-[neE]+$/.test(words[at] ?? ''); at++) {
    if (words[at]!.includes('n')) ending = ''
    if (words[at]!.includes('e')) isEscaped = true
  }
  const text = words.slice(at).join(' ')
  if (!isEscaped) return `${text}${ending}`
  work.spendCharacters(text.length * 4)
  const plain = unescapeText(text, 'argument')
  return plain.isEnd ? plain.text : `${plain.text}${ending}`
})

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const date = printing((words, { nowMs }) => {
  const time = formatTime(nowMs)
  const day = weekdays[(Math.floor(nowMs / 86_400_000) + 4) % 7]!
  const month = months[Number(time.slice(5, 7)) - 1]!
  const parts: Readonly<Record<string, string>> = {
    Y: time.slice(0, 4),
    m: time.slice(5, 7),
    d: time.slice(8, 10),
    H: time.slice(11, 13),
    M: time.slice(14, 16),
    S: time.slice(17, 19),
    F: time.slice(0, 10),
    T: time.slice(11, 19),
    s: String(Math.floor(nowMs / 1000)),
    N: String((nowMs % 1000) * 1_000_000).padStart(9, '0'),
    Z: 'UTC',
    z: '+0000',
    a: day,
    b: month,
    '%': '%',
  }
  const format = words.find((word) => word.startsWith('+'))
  if (format !== undefined) return `${format.slice(1).replace(/%(\w|%)/g, (all, key: string) => parts[key] ?? all)}\n`
  if (words.some((word) => /^-[Iu]*I/.test(word))) return `${parts['F']}\n`
  return `${day} ${month} ${String(Number(parts['d'])).padStart(2)} ${parts['T']} UTC ${parts['Y']}\n`
})

export function expr(words: readonly string[], { print }: ProgramContext): ProgramResult {
  const [a = '', operator, b = ''] = words
  if (operator === undefined) {
    print(`${a}\n`)
    return a === '' || a === '0' ? failed : done
  }
  const [x, y] = [Number(a), Number(b)]
  const isNumeric = a !== '' && b !== '' && Number.isInteger(x) && Number.isInteger(y)
  const order = isNumeric ? x - y : a < b ? -1 : a > b ? 1 : 0
  const results: Readonly<Record<string, () => number | string>> = {
    '+': () => x + y,
    '-': () => x - y,
    '*': () => x * y,
    '/': () => Math.trunc(x / y),
    '%': () => x % y,
    '=': () => Number(order === 0),
    '!=': () => Number(order !== 0),
    '<': () => Number(order < 0),
    '<=': () => Number(order <= 0),
    '>': () => Number(order > 0),
    '>=': () => Number(order >= 0),
    '|': () => (a !== '' && a !== '0' ? a : b),
    '&': () => (a !== '' && a !== '0' && b !== '' && b !== '0' ? a : 0),
  }
  const result = Object.hasOwn(results, operator) ? results[operator]!() : undefined
  if (result === undefined || (typeof result === 'number' && !Number.isFinite(result))) return { code: 2 }
  print(`${result}\n`)
  return result === 0 || result === '' ? failed : done
}

export const cat = printing((words, context) => {
  const paths = words.filter((word) => word === '-' || !word.startsWith('-'))
  return inputOf(paths, context)
})

export function grep(words: readonly string[], context: ProgramContext): ProgramResult {
  const options = words.filter((word) => word.startsWith('-')).join('')
  const [pattern = '', ...paths] = operandsOf(words)
  const text = inputOf(paths, context, 2)
  let matches: (line: string) => boolean
  if (options.includes('F')) {
    const isCaseless = options.includes('i')
    const part = isCaseless ? pattern.toLowerCase() : pattern
    matches = (line) => (isCaseless ? line.toLowerCase() : line).includes(part)
  } else
    try {
      matches = compilePattern(pattern, options.includes('i'), context.work)
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      throw new ProgramFailure(`bad regex '${pattern.slice(0, 100)}': ${error.message.slice(0, 200)}`, 2)
    }
  const found = linesOf(text).filter((line) => matches(line) !== options.includes('v'))
  if (options.includes('c')) context.print(`${found.length}\n`)
  else if (!options.includes('q') && found.length > 0) context.print(`${found.join('\n')}\n`)
  return found.length > 0 ? done : failed
}

export const wc = printing((words, context) => {
  const paths = operandsOf(words)
  const text = inputOf(paths, context)
  const lines = text.split('\n').length - 1
  const count = words.includes('-l') ? lines : words.includes('-c') ? text.length : text.split(/\s+/).filter(Boolean).length
  return `${[count, ...paths].join(' ')}\n`
})

/** `awk`: only `{print $1, "x", $NF}` for every line, with `-F`. */
export const awk = printing((words, context) => {
  const rest = [...words]
  let separator: string | RegExp = /\s+/
  if (rest[0]?.startsWith('-F')) {
    const option = rest.shift()!
    separator = option.length > 2 ? option.slice(2) : (rest.shift() ?? ' ')
  }
  const [script = '', ...paths] = rest
  const list = printedBy(script.trim())
  const parts = list?.match(/"[^"]*"|\$NF|\$\d+|,|[^\s]/g) ?? []
  if (list === undefined || !parts.every((part) => /^(?:".*"|\$NF|\$\d+|,)$/.test(part)))
    throw new ProgramFailure('only {print …} of columns is supported', 2)
  const text = inputOf(paths, context, 2)
  context.work.spend((1 + parts.length) * (1 + text.length / 64))
  const shown = (line: string) => {
    const columns = (typeof separator === 'string' ? line : line.trim()).split(separator)
    const column = (part: string) => (part === '$0' ? line : (columns.at(part === '$NF' ? -1 : Number(part.slice(1)) - 1) ?? ''))
    const pieces = parts.map((part) => (part === ',' ? ' ' : part.startsWith('"') ? part.slice(1, -1) : column(part)))
    return parts.length === 0 ? line : pieces.join('')
  }
  const lines = linesOf(text).map((line) => `${shown(line)}\n`)
  return lines.join('')
})

/** The operands of `print` in `{ print … }`. */
function printedBy(script: string): string | undefined {
  if (!script.startsWith('{') || !script.endsWith('}')) return undefined
  const inner = script.slice(1, -1).trim()
  if (!/^print\b/.test(inner) || /[{}]/.test(inner)) return undefined
  const list = inner.slice('print'.length)
  return list.endsWith(';') ? list.slice(0, -1) : list
}

export const seq = printing((words) => {
  const numbers = words.map(Number)
  const [from, step, to] = numbers.length === 1 ? [1, 1, numbers[0]!] : numbers.length === 2 ? [numbers[0]!, 1, numbers[1]!] : numbers
  let text = ''
  let count = 0
  for (let value = from!; step! !== 0 && (step! > 0 ? value <= to! : value >= to!) && count < 10_000; value += step!, count++)
    text += `${value}\n`
  return text
})
