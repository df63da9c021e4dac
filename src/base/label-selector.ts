// Label selectors: the string form of query parameters, the object form of specs, and matching.

type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<'

interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  readonly values: readonly string[]
}

/** All requirements hold. The empty selector matches everything. */
export type LabelRequirements = readonly LabelRequirement[]

export type Labels = Readonly<Record<string, string>>

/** The problems of a key or a value; empty when it is valid. */
export interface LabelRules {
  key(key: string): readonly string[]
  value(value: string): readonly string[]
}

/** An invalid selector; the message is that of Kubernetes. */
export class SelectorSyntaxError extends Error {}

/** A LabelSelector in a spec. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[]
}

export function matchesLabels(requirements: LabelRequirements, labels: Labels | undefined): boolean {
  for (const requirement of requirements) if (!matchesRequirement(requirement, labels)) return false
  return true
}

function matchesRequirement({ key, operator, values }: LabelRequirement, labels: Labels | undefined): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value)
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case '!':
      return value === undefined
    case '>':
    case '<': {
      if (value === undefined || !isInteger(value)) return false
      return operator === '>' ? BigInt(value) > BigInt(values[0]!) : BigInt(value) < BigInt(values[0]!)
    }
  }
}

const isInteger = (text: string) => /^[+-]?[0-9]{1,19}$/.test(text)

/** Compares labels or annotations. */
export function hasSameLabels(a: Labels | undefined, b: Labels | undefined): boolean {
  if (a === b) return true
  const one = Object.entries(a ?? {})
  if (one.length !== Object.keys(b ?? {}).length) return false
  for (const [key, value] of one) if (b === undefined || !Object.hasOwn(b, key) || b[key] !== value) return false
  return true
}

/**
 * The requirements of a spec's selector. An absent selector matches nothing (undefined), an empty one everything.
 * Throws SelectorSyntaxError for an unknown operator.
 */
export function selectorRequirements(selector: LabelSelectorObject | undefined): LabelRequirements | undefined {
  if (selector === undefined) return undefined
  const requirements: LabelRequirement[] = []
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) requirements.push({ key, operator: '=', values: [value] })
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const meant = expressionOperators.get(operator)
    if (meant === undefined) throw new SelectorSyntaxError(`"${operator}" is not a valid label selector operator`)
    requirements.push({ key, operator: meant, values })
  }
  return sortByKey(requirements)
}

const expressionOperators = new Map<string, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
])

const sortByKey = (requirements: LabelRequirement[]) => requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))

/** The string form: `app=x,tier in (a,b)`. */
export function formatRequirements(requirements: LabelRequirements): string {
  return requirements.map(formatRequirement).join(',')
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === '!') return `!${key}`
  if (operator === 'exists') return key
  const list = [...values].sort().join(',')
  return operator === 'in' || operator === 'notin' ? `${key} ${operator} (${list})` : `${key}${operator}${list}`
}

type Token = { readonly type: 'end' | 'error' | 'identifier' | 'symbol'; readonly text: string }

const symbols = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '('])
const keywords = new Set(['in', 'notin'])
const isSpace = (char: string) => char === ' ' || char === '\t' || char === '\r' || char === '\n'
const isSpecial = (char: string) => '=!(),><'.includes(char)
const operatorList = 'in, notin, =, ==, !=, gt, lt'

function scan(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    while (at < text.length && isSpace(text[at]!)) at++
    if (at >= text.length) break
    const start = at
    if (!isSpecial(text[at]!)) {
      while (at < text.length && !isSpace(text[at]!) && !isSpecial(text[at]!)) at++
      tokens.push({ type: 'identifier', text: text.slice(start, at) })
      continue
    }
    // The longest symbol at this position.
    let found = ''
    while (at < text.length && isSpecial(text[at]!)) {
      const longer = text.slice(start, at + 1)
      if (symbols.has(longer)) found = longer
      else if (found !== '') break
      at++
    }
    tokens.push(
      found === '' ? { type: 'error', text: `error expected: keyword found '${text.slice(start, at)}'` } : { type: 'symbol', text: found },
    )
  }
  tokens.push({ type: 'end', text: '' })
  return tokens
}

/** Parses the string form. Throws SelectorSyntaxError with the message of Kubernetes. */
export function parseSelector(text: string, rules: LabelRules): LabelRequirements {
  const tokens = scan(text)
  let at = 0
  const peek = () => tokens[Math.min(at, tokens.length - 1)]!
  const take = () => {
    const token = peek()
    at++
    return token
  }
  const isSymbol = (token: Token, symbol: string) => token.type === 'symbol' && token.text === symbol
  const isName = (token: Token) => token.type === 'identifier'
  const fail = (message: string): never => {
    throw new SelectorSyntaxError(message)
  }
  const wrong = (message: string): never => fail(`unable to parse requirement: ${message}`)

  const readIdentifiers = (): string[] => {
    const values = new Set<string>()
    for (;;) {
      const token = take()
      if (isName(token)) {
        values.add(token.text)
        if (isSymbol(peek(), ',')) continue
        if (isSymbol(peek(), ')')) return [...values]
        wrong(`found '${peek().text}', expected: ',' or ')'`)
      } else if (isSymbol(token, ',')) {
        if (values.size === 0) values.add('')
        if (isSymbol(peek(), ')')) {
          values.add('')
          return [...values]
        }
        if (isSymbol(peek(), ',')) values.add('')
      } else wrong(`found '${token.text}', expected: ',', or identifier`)
    }
  }

  const readValues = (): string[] => {
    const open = take()
    if (!isSymbol(open, '(')) wrong(`found '${open.text}' expected: '('`)
    const next = peek()
    if (isSymbol(next, ')')) {
      take()
      return ['']
    }
    if (!isName(next) && !isSymbol(next, ',')) wrong(`found '${next.text}', expected: ',', ')' or identifier`)
    const values = readIdentifiers()
    if (!isSymbol(take(), ')')) wrong(`found '${next.text}', expected: ')'`)
    return values
  }

  const readRequirement = (): LabelRequirement => {
    let token = take()
    const negated = isSymbol(token, '!')
    if (negated) token = take()
    if (!isName(token)) wrong(`found '${token.text}', expected: identifier`)
    const key = token.text
    const keyProblems = rules.key(key)
    if (keyProblems.length > 0) wrong(`<nil>: Invalid value: ${JSON.stringify(key)}: ${keyProblems.join('; ')}`)
    if (negated) return { key, operator: '!', values: [] }
    if (peek().type === 'end' || isSymbol(peek(), ',')) return { key, operator: 'exists', values: [] }
    const operator = take()
    if (isName(operator) && keywords.has(operator.text))
      return checked({ key, operator: operator.text as 'in' | 'notin', values: readValues().sort() }, rules, wrong)
    if (operator.type !== 'symbol' || !['=', '==', '!=', '>', '<'].includes(operator.text))
      wrong(`found '${operator.text}', expected: ${operatorList}`)
    let value = ''
    if (peek().type !== 'end' && !isSymbol(peek(), ',')) {
      const literal = take()
      if (!isName(literal)) wrong(`found '${literal.text}', expected: identifier`)
      value = literal.text
    }
    return checked({ key, operator: operator.text as LabelOperator, values: [value] }, rules, wrong)
  }

  const requirements: LabelRequirement[] = []
  for (;;) {
    const token = peek()
    if (token.type === 'end') return sortByKey(requirements)
    if (!isName(token) && !isSymbol(token, '!')) fail(`found '${token.text}', expected: !, identifier, or 'end of string'`)
    requirements.push(readRequirement())
    const after = take()
    if (after.type === 'end') return sortByKey(requirements)
    if (!isSymbol(after, ',')) fail(`found '${after.text}', expected: ',' or 'end of string'`)
    if (!isName(peek()) && !isSymbol(peek(), '!')) fail(`found '${peek().text}', expected: identifier after ','`)
  }
}

function checked(requirement: LabelRequirement, rules: LabelRules, wrong: (message: string) => never): LabelRequirement {
  const { key, operator, values } = requirement
  if (operator === '>' || operator === '<') {
    if (!isInteger(values[0]!))
      wrong(`values[0]: Invalid value: ${JSON.stringify(values[0])}: for 'Gt', 'Lt' operators, the value must be an integer`)
    return requirement
  }
  for (const value of values) {
    const problems = rules.value(value)
    if (problems.length > 0)
      wrong(`values[${values.indexOf(value)}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problems.join('; ')}`)
  }
  return requirement
}
