// Word expansion: parameters, arithmetic and command substitution, then field splitting of unquoted parts.

import type { WorkBudget } from '../work-budget.ts'
import { evaluateArithmetic, type Variables } from './arithmetic.ts'
import { matchingLength } from './pattern.ts'
import { type Node, type Part, ShellSyntaxError, type Word } from './syntax.ts'

export interface Expander extends Variables {
  readonly work: WorkBudget
  /** `$1`, `$2`, … */
  readonly positional: readonly string[]
  /** The output of the commands, without trailing line breaks. */
  capture(script: Node): string
  /** The files and directories that match the pattern of a path, in order. */
  matchPaths(pattern: string): readonly string[]
}

/** The limit of Linux for the arguments of a program. */
const maxFieldsLength = 2 * 1024 * 1024

/** The fields of the words. A word that consists of empty expansions gives no field. */
export function expandWords(words: readonly Word[], expander: Expander): string[] {
  const fields: string[] = []
  let length = 0
  for (const word of words)
    for (const field of expandPaths(word, expander) ?? expandFields(word, expander)) {
      length += field.length + 8
      if (length > maxFieldsLength) throw new ShellSyntaxError('Argument list too long')
      fields.push(field)
    }
  return fields
}

/** A single string without field splitting: for assignments, redirections and patterns. */
export function expandText({ parts }: Word, expander: Expander): string {
  if (parts.length === 1) return expandPart(parts[0]!, expander)
  let text = ''
  for (const part of parts) text = joined(text, expandPart(part, expander))
  return text
}

function joined(text: string, more: string): string {
  if (text.length + more.length > maxFieldsLength) throw new ShellSyntaxError('Argument list too long')
  return text + more
}

/** The same as a pattern, in which quoted characters are literal. */
export function expandPattern({ parts }: Word, expander: Expander): string {
  return parts
    .map((part) => {
      const text = expandPart(part, expander)
      return part.isQuoted ? text.replace(/[\\*?[\]]/g, '\\$&') : text
    })
    .join('')
}

/** Whether it has `*`, `?` or characters in brackets. */
function isPattern(text: string): boolean {
  const bracket = text.search(/\[[^\]]/)
  return /[*?]/.test(text) || (bracket >= 0 && text.includes(']', bracket + 2))
}

/** Undefined: it is not a pattern, or nothing matches it. Patterns in the values of variables are not expanded. */
function expandPaths(word: Word, expander: Expander): readonly string[] | undefined {
  if (!word.parts.some((part) => part.type === 'text' && !part.isQuoted && isPattern(part.text))) return undefined
  const found = expander.matchPaths(expandPattern(word, expander))
  return found.length === 0 ? undefined : found
}

function expandFields({ parts }: Word, expander: Expander): string[] {
  const fields: string[] = []
  let current: string | undefined
  for (const part of parts) {
    if (part.type === 'variable' && part.name === '@' && part.operator === undefined) {
      const [first, ...rest] = expander.positional
      if (first === undefined) continue
      current = joined(current ?? '', first)
      expander.work.spend(expander.positional.length / 4)
      for (const one of rest) {
        fields.push(current)
        current = one
      }
      continue
    }
    const text = expandPart(part, expander)
    if (part.isQuoted || part.type === 'text') {
      current = joined(current ?? '', text)
      continue
    }
    const pieces = text.split(/[ \t\n]+/)
    if (pieces.length === 1) {
      if (text !== '') current = (current ?? '') + text
      continue
    }
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && current !== undefined) {
        fields.push(current)
        current = undefined
      }
      if (piece !== '') current = (current ?? '') + piece
    }
  }
  if (current !== undefined) fields.push(current)
  return fields
}

function expandPart(part: Part, expander: Expander): string {
  const text = textOf(part, expander)
  expander.work.spend(0.5 + text.length / (part.isQuoted || part.type === 'text' ? 128 : 16))
  return text
}

function textOf(part: Part, expander: Expander): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'command':
      return expander.capture(part.script)
    case 'arithmetic': {
      const text = expandText(part.expression, expander).replace(/\$/g, '')
      expander.work.spend(text.length / 4)
      return String(evaluateArithmetic(text, expander))
    }
    case 'variable':
      return expandVariable(part, expander)
  }
}

function expandVariable({ name, operator, argument }: Extract<Part, { type: 'variable' }>, expander: Expander): string {
  const value = expander.get(name)
  if (operator === undefined) return value ?? ''
  if (operator === 'length') return String((value ?? '').length)
  const isUnset = value === undefined || (operator.startsWith(':') && value === '')
  const text = () => (argument === undefined ? '' : expandText(argument, expander))
  switch (operator) {
    case '-':
    case ':-':
      return isUnset ? text() : value
    case '+':
    case ':+':
      return isUnset ? '' : text()
    case '=':
    case ':=':
      if (!isUnset) return value
      expander.set(name, text())
      return expander.get(name) ?? ''
    case '?':
    case ':?':
      if (isUnset) throw new ShellSyntaxError(`${name}: ${text() || 'parameter not set'}`)
      return value
    case ':':
      return substring(value ?? '', text())
    case '/':
    case '//':
      return replaced(value ?? '', text(), operator === '//')
    default:
      return trimmed(value ?? '', argument === undefined ? '' : expandPattern(argument, expander), operator, expander.work)
  }
}

function substring(value: string, range: string): string {
  const [from = '0', length] = range.split(':')
  const start = Number(from.trim())
  return length === undefined ? value.slice(start) : value.substr(start, Number(length))
}

function replaced(value: string, argument: string, isAll: boolean): string {
  const slash = argument.indexOf('/')
  const [from, to] = slash < 0 ? [argument, ''] : [argument.slice(0, slash), argument.slice(slash + 1)]
  if (from === '') return value
  if (!isAll) return value.replace(from, () => to)
  const pieces = value.split(from)
  if (value.length + pieces.length * to.length > maxFieldsLength) throw new ShellSyntaxError('Argument list too long')
  return pieces.join(to)
}

/** `%` and `%%` remove a suffix, `#` and `##` a prefix; the doubled ones remove the longest match. */
function trimmed(value: string, pattern: string, operator: string, work: WorkBudget): string {
  const isFromEnd = operator.startsWith('%')
  const cut = matchingLength(value, pattern, isFromEnd, operator.length === 2, work)
  if (cut === undefined) return value
  return isFromEnd ? value.slice(0, value.length - cut) : value.slice(cut)
}
