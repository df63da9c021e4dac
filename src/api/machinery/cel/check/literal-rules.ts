// What can be judged of literals once the types are known: items of one type, and arguments that are written out in the expression.
// Kubernetes: github.com/google/cel-go/cel.homogeneousAggregateLiteralValidator.*, formatValidator.*, compileRegex, evalCall
import { type CelType, optionalElement, typeName } from '../cel-type.ts'
import { compilePattern } from '../library/regex.ts'
import type { Problem } from '../syntax.ts'
import { parseDuration, parseTimestamp } from '../time.ts'
import type { Call, Expression } from './expression.ts'
import { isSameType } from './unification.ts'

/** `isFormatted`: inside of a call of format(), whose arguments may be of several types. */
export function findLiteralProblems(expression: Expression, problems: Problem[] = [], isFormatted = false): Problem[] {
  const inner = (...parts: readonly Expression[]) => {
    for (const part of parts)
      findLiteralProblems(part, problems, isFormatted || (expression.kind === 'call' && expression.name === 'format'))
  }
  switch (expression.kind) {
    case 'select':
      if (!expression.isName) inner(expression.operand)
      break
    case 'call':
      checkArguments(expression, problems)
      inner(...(expression.target === undefined ? [] : [expression.target]), ...expression.args)
      break
    case 'list':
      if (!isFormatted) {
        const items = expression.items.map((item, at) => [item, expression.optionals.has(at)] as const)
        checkSame(items, problems, true)
      }
      inner(...expression.items)
      break
    case 'map':
      if (!isFormatted) {
        checkSame(
          expression.entries.map(({ key }) => [key, false] as const),
          problems,
        )
        checkSame(
          expression.entries.map(({ value, optional }) => [value, optional] as const),
          problems,
        )
      }
      inner(...expression.entries.flatMap(({ key, value }) => [key, value]))
      break
    case 'struct':
      inner(...expression.fields.map(({ value }) => value))
      break
    case 'comprehension':
      inner(expression.range, expression.initial, expression.condition, expression.step, expression.result)
      break
    default:
      break
  }
  return problems
}

function checkSame(items: readonly (readonly [Expression, boolean])[], problems: Problem[], reportsFirst = false): void {
  let common: CelType | undefined
  for (const [{ at, type }, isOptional] of items) {
    const own = isOptional ? (optionalElement(type) ?? type) : type
    common ??= own
    if (isSameType(common, own, false)) continue
    problems.push({ at, message: `expected type '${typeName(common)}' but found '${typeName(own)}'` })
    if (reportsFirst) return
  }
}

function checkArguments({ at, name, target, args, overloads }: Call, problems: Problem[]): void {
  const [first] = args
  if (name === 'format') {
    const text = textOf(target)
    if (text === undefined || first?.kind !== 'list' || overloads.length === 0) return
    const problem = findFormatProblem(at, text, first.items)
    if (problem !== undefined) problems.push(problem)
    return
  }
  const text = textOf(first)
  if (text === undefined || !Object.hasOwn(isValid, name) || isValid[name]!(text)) return
  problems.push({ at: first!.at, message: `invalid ${name} argument` })
}

const textOf = (expression: Expression | undefined): string | undefined =>
  expression?.kind === 'literal' && typeof expression.value === 'string' ? expression.value : undefined

const isValid: Readonly<Record<string, (text: string) => boolean>> = {
  matches: succeeds((text) => compilePattern(text)),
  duration: succeeds(parseDuration),
  timestamp: succeeds(parseTimestamp),
}

function succeeds(read: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      return read(text) !== undefined
    } catch {
      return false
    }
  }
}

// Whether the arguments of `'%s is %d'.format([…])` fit its clauses, where both are written out.
// Kubernetes: github.com/google/cel-go/ext.stringFormatValidator.*
const integers = ['int', 'uint']
const shown = [...integers, ...'list map double bool string timestamp bytes duration type null'.split(' ')]

const clauses: Readonly<Record<string, { readonly kinds: readonly string[]; readonly message: string }>> = {
  s: {
    kinds: shown,
    message: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { kinds: integers, message: 'decimal clause can only be used on integers' },
  f: { kinds: ['double', 'string'], message: 'fixed-point clause can only be used on doubles' },
  e: { kinds: ['double', 'string'], message: 'scientific clause can only be used on doubles' },
  b: { kinds: [...integers, 'bool'], message: 'only integers and bools can be formatted as binary' },
  x: { kinds: [...integers, 'string', 'bytes'], message: 'only integers, byte buffers, and strings can be formatted as hex' },
  X: { kinds: [...integers, 'string', 'bytes'], message: 'only integers, byte buffers, and strings can be formatted as hex' },
  o: { kinds: integers, message: 'octal clause can only be used on integers' },
}

/** `at`: the place of the call. */
function findFormatProblem(at: number, text: string, items: readonly Expression[]): Problem | undefined {
  let used = 0
  for (const [, , clause = ''] of text.replaceAll('%%', '').matchAll(/%(\.[0-9]+)?([\s\S]?)/g)) {
    if (clause === '') return { at, message: 'unexpected end of string' }
    const item = items[used]
    if (item === undefined) return { at, message: `index ${used} out of range` }
    used++
    const known = Object.hasOwn(clauses, clause) ? clauses[clause] : undefined
    if (known === undefined) return { at, message: `could not parse formatting clause: unrecognized formatting clause "${clause}"` }
    const wrong = findUnfit(item, known.kinds, clause === 's')
    if (wrong !== undefined)
      return { at: wrong.at, message: `error during formatting: ${known.message}, was given ${runtimeName(wrong.type)}` }
  }
  if (items.length <= used) return undefined
  return { at, message: `too many arguments supplied to string.format (expected ${used}, got ${items.length})` }
}

/** What of the item does not fit; of a list or map, its parts too where `isDeep`. */
function findUnfit(item: Expression, kinds: readonly string[], isDeep: boolean): Expression | undefined {
  if (item.type.kind !== 'dyn' && !kinds.includes(item.type.kind)) return item
  if (!isDeep) return undefined
  const inner = item.kind === 'list' ? item.items : item.kind === 'map' ? item.entries.flatMap(({ key, value }) => [key, value]) : []
  for (const part of inner) {
    const wrong = findUnfit(part, kinds, true)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

const runtimeNames: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
}

const runtimeName = (type: CelType): string =>
  type.kind === 'object' || type.kind === 'opaque' ? type.name : (runtimeNames[type.kind] ?? type.kind)
