// What can be judged of literals once the types are known: items of one type, and arguments that are written out in the expression.
// Kubernetes: github.com/google/cel-go/cel.homogeneousAggregateLiteralValidator.*, formatValidator.*, compileRegex, evalCall
import { type CelType, optionalElement, typeName } from '../cel-type.ts'
import { compilePattern } from '../library/regex.ts'
import type { Problem } from '../syntax.ts'
import { parseDuration, parseTimestamp } from '../time.ts'
import type { Call, Expression } from './expression.ts'
import { findFormatProblem } from './format-rules.ts'
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
