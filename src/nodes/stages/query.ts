// The part of jq that stages use: paths, `select`, comparisons and some functions.
// Ours: Stages belong to KWOK, another program.
import { cached } from '../../base/cached.ts'
import { compilePattern, PatternError } from '../regular-expression.ts'
import { spendValue, WorkBudget } from '../work-budget.ts'

type Filter = (input: unknown, work: WorkBudget) => readonly unknown[]

/** The query is not valid. */
class QuerySyntaxError extends Error {}

/** An error at run time, as in jq. */
class QueryFailure extends Error {}

/** The results without nulls. Undefined: jq would fail, for instance when it iterates over an absent list. Throws WorkLimitError. */
export function runQuery(query: string, input: unknown, work = new WorkBudget()): unknown[] | undefined {
  work.spend(1 + query.length / 64)
  try {
    return compileQuery(query)(input, work).filter((value) => value !== null && value !== undefined)
  } catch (error) {
    if (error instanceof QueryFailure) return undefined
    throw error
  }
}

/** Throws QuerySyntaxError. */
export const compileQuery = cached(100, (query: string): Filter => new Parser(query).whole())

const token =
  /\s*(?:("(?:[^"\\]|\\.)*")|([0-9]+(?:\.[0-9]+)?)|([A-Za-z_]\w*)|(\.[A-Za-z_]\w*)|(==|!=|<=|>=|\/\/|\.\.|[.[\](){}|,<>+\-*?:]))/y

const isTruthy = (value: unknown) => value !== null && value !== undefined && value !== false

function field(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object' || Array.isArray(value)) throw new QueryFailure(`cannot index with "${name}"`)
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null
}

function each(value: unknown, work: WorkBudget): readonly unknown[] {
  if (typeof value === 'object' && value !== null) {
    const values = Array.isArray(value) ? value : Object.values(value)
    work.spend(1 + values.length / 16)
    return values
  }
  throw new QueryFailure('cannot iterate')
}

function compare(a: unknown, b: unknown, work: WorkBudget): number {
  const order = (value: unknown) => ['null', 'boolean', 'number', 'string', 'object'].indexOf(value === null ? 'null' : typeof value)
  if (order(a) !== order(b)) return order(a) - order(b)
  if (typeof a === 'object') return formatValue(a, work) === formatValue(b, work) ? 0 : 1
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

const plainFunctions: Readonly<Record<string, Filter>> = {
  not: (input) => [!isTruthy(input)],
  length: (input) => [
    input === null || input === undefined
      ? 0
      : typeof input === 'number'
        ? Math.abs(input)
        : typeof input === 'object'
          ? Object.keys(input).length
          : typeof input === 'string'
            ? input.length
            : String(input).length,
  ],
  keys: (input, work) => [keysOf(input, work)],
  first: (input, work) => [each(input, work)[0] ?? null],
  last: (input, work) => [each(input, work).at(-1) ?? null],
  any: (input, work) => [each(input, work).some(isTruthy)],
  all: (input, work) => [each(input, work).every(isTruthy)],
  empty: () => [],
  tostring: (input, work) => [formatValue(input, work)],
  tonumber: (input) => [typeof input === 'object' ? Number.NaN : Number(input)],
  ascii_downcase: (input, work) => [formatValue(input, work).toLowerCase()],
  type: (input) => [input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input],
}

const functionsOfOne: Readonly<Record<string, (input: unknown, argument: Filter, work: WorkBudget) => readonly unknown[]>> = {
  select: (input, argument, work) => (argument(input, work).some(isTruthy) ? [input] : []),
  map: (input, argument, work) => [each(input, work).flatMap((one) => argument(one, work))],
  any: (input, argument, work) => [each(input, work).some((one) => argument(one, work).some(isTruthy))],
  all: (input, argument, work) => [each(input, work).every((one) => argument(one, work).every(isTruthy))],
  first: (input, argument, work) => argument(input, work).slice(0, 1),
  has: (input, argument, work) => [
    typeof input === 'object' && input !== null && Object.hasOwn(input, formatValue(firstOf(argument, input, work), work)),
  ],
  startswith: (input, argument, work) => [formatValue(input, work).startsWith(formatValue(firstOf(argument, input, work), work))],
  endswith: (input, argument, work) => [formatValue(input, work).endsWith(formatValue(firstOf(argument, input, work), work))],
  contains: (input, argument, work) => {
    const wanted = firstOf(argument, input, work)
    return [typeof input === 'string' ? input.includes(formatValue(wanted, work)) : each(input, work).includes(wanted)]
  },
  test: (input, argument, work) => [matches(formatValue(input, work), formatValue(firstOf(argument, input, work), work), work)],
}

const firstOf = (filter: Filter, input: unknown, work: WorkBudget) => filter(input, work)[0]

function keysOf(input: unknown, work: WorkBudget): string[] | number[] {
  each(input, work)
  if (Array.isArray(input)) return input.map((_, index) => index)
  return Object.keys(input as object).sort()
}

export function formatValue(input: unknown, work: WorkBudget): string {
  spendValue(input, work)
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? 'null')
}

function matches(text: string, pattern: string, work: WorkBudget): boolean {
  try {
    return compilePattern(pattern, false, work)(text)
  } catch (error) {
    if (error instanceof PatternError)
      throw new QuerySyntaxError(`Cannot read regular expression ${JSON.stringify(pattern)}: ${error.message}`)
    throw error
  }
}

/** The maximum nesting of a query, and of the calls of its compiled functions. */
const maxDepth = 200
const maxTokens = 2000

class Parser {
  readonly #text: string
  readonly #tokens: string[] = []
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    token.lastIndex = 0
    while (token.lastIndex < text.trimEnd().length) {
      const match = token.exec(text)
      if (match === null) throw this.#error()
      this.#tokens.push(match[0].trim())
      if (this.#tokens.length > maxTokens) throw new QuerySyntaxError(`Cannot read query: it has more than ${maxTokens} words`)
    }
  }

  #error(): QuerySyntaxError {
    return new QuerySyntaxError(`Cannot read query ${JSON.stringify(this.#text)}`)
  }

  #take(expected?: string): string {
    const next = this.#tokens[this.#at++]
    if (next === undefined || (expected !== undefined && next !== expected)) throw this.#error()
    return next
  }

  #skip(text: string): boolean {
    if (this.#tokens[this.#at] !== text) return false
    this.#at++
    return true
  }

  whole(): Filter {
    const filter = this.#pipe()
    if (this.#at < this.#tokens.length) throw this.#error()
    return filter
  }

  #pipe(): Filter {
    if (++this.#depth > maxDepth) throw new QuerySyntaxError('Cannot read query: it is nested too deeply')
    const filter = this.#readPipe()
    this.#depth--
    return filter
  }

  #readPipe(): Filter {
    const left = this.#comma()
    if (!this.#skip('|')) return left
    const right = this.#pipe()
    return (input, work) =>
      counted(
        left(input, work).flatMap((value) => right(value, work)),
        work,
      )
  }

  #comma(): Filter {
    const left = this.#alternative()
    if (!this.#skip(',')) return left
    const right = this.#comma()
    return (input, work) => counted(left(input, work).concat(right(input, work)), work)
  }

  #alternative(): Filter {
    const left = this.#or()
    if (!this.#skip('//')) return left
    const right = this.#alternative()
    return (input, work) => {
      const found = valuesOrNone(left, input, work).filter(isTruthy)
      return found.length > 0 ? found : right(input, work)
    }
  }

  #or(): Filter {
    const left = this.#and()
    if (!this.#skip('or')) return left
    const right = this.#or()
    return (input, work) => [left(input, work).some(isTruthy) || right(input, work).some(isTruthy)]
  }

  #and(): Filter {
    const left = this.#comparison()
    if (!this.#skip('and')) return left
    const right = this.#and()
    return (input, work) => [left(input, work).some(isTruthy) && right(input, work).some(isTruthy)]
  }

  #comparison(): Filter {
    const left = this.#postfix()
    const operator = this.#tokens[this.#at] ?? ''
    if (!Object.hasOwn(comparisons, operator)) return left
    this.#at++
    const right = this.#postfix()
    return (input, work) => {
      const others = right(input, work)
      return left(input, work).flatMap((a) => {
        work.spend(1 + others.length)
        return others.map((b) => comparisons[operator]!(compare(a ?? null, b ?? null, work)))
      })
    }
  }

  #postfix(): Filter {
    let filter = this.#primary()
    for (;;) {
      const next = this.#tokens[this.#at] ?? ''
      const before = filter
      if (/^\.[A-Za-z_]/.test(next)) {
        this.#at++
        filter = (input, work) => before(input, work).map((value) => field(value, next.slice(1)))
      } else if (next === '[' || (next === '.' && (this.#tokens[this.#at + 1] === '[' || this.#tokens[this.#at + 1]?.startsWith('"')))) {
        if (next === '.') this.#at++
        filter = this.#index(before)
      } else if (next === '?') {
        this.#at++
        filter = (input, work) => valuesOrNone(before, input, work)
      } else return filter
    }
  }

  /** `[]`, `[0]`, `["name"]`, or `."name"` after its dot. */
  #index(before: Filter): Filter {
    const next = this.#take()
    if (next.startsWith('"')) {
      const name = JSON.parse(next) as string
      return (input, work) => before(input, work).map((value) => field(value, name))
    }
    if (this.#skip(']'))
      return (input, work) =>
        counted(
          before(input, work).flatMap((value) => each(value, work)),
          work,
        )
    const key = this.#pipe()
    this.#take(']')
    return (input, work) =>
      before(input, work).flatMap((value) =>
        key(input, work).map((one) => {
          if (typeof one === 'string') return field(value, one)
          if (value === null || value === undefined) return null
          if (!Array.isArray(value)) throw new QueryFailure('cannot index with a number')
          return value.at(Number(one)) ?? null
        }),
      )
  }

  #primary(): Filter {
    const next = this.#take()
    if (next === '.') {
      const following = this.#tokens[this.#at]
      if (following?.startsWith('"')) return this.#index((input) => [input])
      return (input) => [input]
    }
    if (/^\.[A-Za-z_]/.test(next)) return (input) => [field(input, next.slice(1))]
    if (next.startsWith('"')) {
      const text = JSON.parse(next) as string
      return () => [text]
    }
    if (/^[0-9]/.test(next)) return () => [Number(next)]
    if (next === '-') {
      const number = Number(this.#take())
      return () => [-number]
    }
    if (next === '(') {
      const inner = this.#pipe()
      this.#take(')')
      return inner
    }
    if (next === '[') {
      if (this.#skip(']')) return () => [[]]
      const inner = this.#pipe()
      this.#take(']')
      return (input, work) => [counted(inner(input, work), work).slice()]
    }
    return this.#named(next)
  }

  #named(name: string): Filter {
    if (name === 'true' || name === 'false') return () => [name === 'true']
    if (name === 'null') return () => [null]
    if (this.#skip('(')) {
      const literal = this.#tokens[this.#at]
      if (name === 'test' && literal?.startsWith('"') && this.#tokens[this.#at + 1] === ')')
        matches('', JSON.parse(literal) as string, new WorkBudget())
      const argument = this.#pipe()
      this.#take(')')
      const run = Object.hasOwn(functionsOfOne, name) ? functionsOfOne[name] : undefined
      if (run === undefined) throw this.#error()
      return (input, work) => run(input, argument, work)
    }
    const run = Object.hasOwn(plainFunctions, name) ? plainFunctions[name] : undefined
    if (run === undefined) throw this.#error()
    return run
  }
}

function valuesOrNone(filter: Filter, input: unknown, work: WorkBudget): readonly unknown[] {
  try {
    return filter(input, work)
  } catch (error) {
    if (error instanceof QueryFailure) return []
    throw error
  }
}

function counted(values: readonly unknown[], work: WorkBudget): readonly unknown[] {
  work.spend(1 + values.length / 4)
  return values
}
