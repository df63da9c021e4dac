// The part of jq that stages use to look into an object: paths, `select`, comparisons and a handful of functions.

type Filter = (input: unknown) => readonly unknown[]

/** The query cannot be read. */
export class QuerySyntaxError extends Error {}

/** jq would stop with an error here. */
class QueryFailure extends Error {}

const compiled = new Map<string, Filter>()

/** What the query finds, without nulls; undefined where jq fails, as over a list that is not there. */
export function runQuery(query: string, input: unknown): unknown[] | undefined {
  try {
    return compileQuery(query)(input).filter((value) => value !== null && value !== undefined)
  } catch (error) {
    if (error instanceof QueryFailure) return undefined
    throw error
  }
}

/** Throws QuerySyntaxError. */
export function compileQuery(query: string): Filter {
  const known = compiled.get(query)
  if (known !== undefined) return known
  const filter = new Parser(query).whole()
  if (compiled.size > 1000) compiled.clear()
  compiled.set(query, filter)
  return filter
}

const token =
  /\s*(?:("(?:[^"\\]|\\.)*")|([0-9]+(?:\.[0-9]+)?)|([A-Za-z_]\w*)|(\.[A-Za-z_]\w*)|(==|!=|<=|>=|\/\/|\.\.|[.[\](){}|,<>+\-*?:]))/y

const isTruthy = (value: unknown) => value !== null && value !== undefined && value !== false

function field(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object' || Array.isArray(value)) throw new QueryFailure(`cannot index with "${name}"`)
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null
}

function each(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) return Object.values(value)
  throw new QueryFailure('cannot iterate')
}

function compare(a: unknown, b: unknown): number {
  const order = (value: unknown) => ['null', 'boolean', 'number', 'string', 'object'].indexOf(value === null ? 'null' : typeof value)
  if (order(a) !== order(b)) return order(a) - order(b)
  if (typeof a === 'object') return JSON.stringify(a) === JSON.stringify(b) ? 0 : 1
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

const plainFunctions: Readonly<Record<string, (input: unknown) => readonly unknown[]>> = {
  not: (input) => [!isTruthy(input)],
  length: (input) => [
    input === null || input === undefined
      ? 0
      : typeof input === 'number'
        ? Math.abs(input)
        : typeof input === 'object'
          ? Object.keys(input).length
          : String(input).length,
  ],
  keys: (input) => [Object.keys(input as object).sort()],
  first: (input) => [each(input)[0] ?? null],
  last: (input) => [each(input).at(-1) ?? null],
  any: (input) => [each(input).some(isTruthy)],
  all: (input) => [each(input).every(isTruthy)],
  empty: () => [],
  tostring: (input) => [typeof input === 'string' ? input : JSON.stringify(input)],
  tonumber: (input) => [Number(input)],
  ascii_downcase: (input) => [String(input).toLowerCase()],
  type: (input) => [input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input],
}

const functionsOfOne: Readonly<Record<string, (input: unknown, argument: Filter) => readonly unknown[]>> = {
  select: (input, argument) => (argument(input).some(isTruthy) ? [input] : []),
  map: (input, argument) => [each(input).flatMap((one) => argument(one))],
  any: (input, argument) => [each(input).some((one) => argument(one).some(isTruthy))],
  all: (input, argument) => [each(input).every((one) => argument(one).every(isTruthy))],
  first: (input, argument) => argument(input).slice(0, 1),
  has: (input, argument) => [typeof input === 'object' && input !== null && Object.hasOwn(input, String(argument(input)[0]))],
  startswith: (input, argument) => [String(input).startsWith(String(argument(input)[0]))],
  endswith: (input, argument) => [String(input).endsWith(String(argument(input)[0]))],
  contains: (input, argument) => [
    typeof input === 'string' ? input.includes(String(argument(input)[0])) : each(input).includes(argument(input)[0]),
  ],
  test: (input, argument) => [new RegExp(String(argument(input)[0])).test(String(input))],
}

class Parser {
  readonly #text: string
  readonly #tokens: string[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
    token.lastIndex = 0
    while (token.lastIndex < text.trimEnd().length) {
      const match = token.exec(text)
      if (match === null) throw this.#error()
      this.#tokens.push(match[0].trim())
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
    const left = this.#comma()
    if (!this.#skip('|')) return left
    const right = this.#pipe()
    return (input) => left(input).flatMap((value) => right(value))
  }

  #comma(): Filter {
    const left = this.#alternative()
    if (!this.#skip(',')) return left
    const right = this.#comma()
    return (input) => [...left(input), ...right(input)]
  }

  #alternative(): Filter {
    const left = this.#or()
    if (!this.#skip('//')) return left
    const right = this.#alternative()
    return (input) => {
      const found = valuesOrNone(left, input).filter(isTruthy)
      return found.length > 0 ? found : right(input)
    }
  }

  #or(): Filter {
    const left = this.#and()
    if (!this.#skip('or')) return left
    const right = this.#or()
    return (input) => [left(input).some(isTruthy) || right(input).some(isTruthy)]
  }

  #and(): Filter {
    const left = this.#comparison()
    if (!this.#skip('and')) return left
    const right = this.#and()
    return (input) => [left(input).some(isTruthy) && right(input).some(isTruthy)]
  }

  #comparison(): Filter {
    const left = this.#postfix()
    const operator = this.#tokens[this.#at] ?? ''
    if (!Object.hasOwn(comparisons, operator)) return left
    this.#at++
    const right = this.#postfix()
    return (input) => left(input).flatMap((a) => right(input).map((b) => comparisons[operator]!(compare(a ?? null, b ?? null))))
  }

  #postfix(): Filter {
    let filter = this.#primary()
    for (;;) {
      const next = this.#tokens[this.#at] ?? ''
      const before = filter
      if (/^\.[A-Za-z_]/.test(next)) {
        this.#at++
        filter = (input) => before(input).map((value) => field(value, next.slice(1)))
      } else if (next === '[' || (next === '.' && (this.#tokens[this.#at + 1] === '[' || this.#tokens[this.#at + 1]?.startsWith('"')))) {
        if (next === '.') this.#at++
        filter = this.#index(before)
      } else if (next === '?') {
        this.#at++
        filter = (input) => valuesOrNone(before, input)
      } else return filter
    }
  }

  /** `[]`, `[0]`, `["name"]`, or `."name"` behind its dot. */
  #index(before: Filter): Filter {
    const next = this.#take()
    if (next.startsWith('"')) {
      const name = JSON.parse(next) as string
      return (input) => before(input).map((value) => field(value, name))
    }
    if (this.#skip(']')) return (input) => before(input).flatMap((value) => each(value))
    const key = this.#pipe()
    this.#take(']')
    return (input) =>
      before(input).flatMap((value) =>
        key(input).map((one) => {
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
      return (input) => [[...inner(input)]]
    }
    return this.#named(next)
  }

  #named(name: string): Filter {
    if (name === 'true' || name === 'false') return () => [name === 'true']
    if (name === 'null') return () => [null]
    if (this.#skip('(')) {
      const argument = this.#pipe()
      this.#take(')')
      const run = Object.hasOwn(functionsOfOne, name) ? functionsOfOne[name] : undefined
      if (run === undefined) throw this.#error()
      return (input) => run(input, argument)
    }
    const run = Object.hasOwn(plainFunctions, name) ? plainFunctions[name] : undefined
    if (run === undefined) throw this.#error()
    return run
  }
}

function valuesOrNone(filter: Filter, input: unknown): readonly unknown[] {
  try {
    return filter(input)
  } catch (error) {
    if (error instanceof QueryFailure) return []
    throw error
  }
}
