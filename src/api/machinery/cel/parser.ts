// Reads the text of a CEL expression. Macros are recognised here, as in cel-go.
// Kubernetes: github.com/google/cel-go/parser.parser.*
import { type Token, tokenize } from './lexer.ts'
import { CompileError, type Fold, type FoldName, type MapEntry, type Node, type Problem, type StructField } from './syntax.ts'
import { UnsignedInt } from './values.ts'

const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while false in null true'.split(' '),
)
/** cel-go's limit for nested expressions. */
const maxDepth = 250
const maxInt = 2n ** 63n

/** Throws CompileError. */
export function parse(source: string): Node {
  const parser = new Parser(source)
  return parser.parseAll()
}

interface Macro {
  readonly fold: FoldName
  readonly variables: number
  /** With a condition before the last argument: `map(x, condition, body)`. */
  readonly hasCondition?: boolean
}

const macros: Readonly<Record<string, Macro>> = {
  'all/2': { fold: 'all', variables: 1 },
  'all/3': { fold: 'all', variables: 2 },
  'exists/2': { fold: 'exists', variables: 1 },
  'exists/3': { fold: 'exists', variables: 2 },
  'exists_one/2': { fold: 'existsOne', variables: 1 },
  'exists_one/3': { fold: 'existsOne', variables: 2 },
  'existsOne/3': { fold: 'existsOne', variables: 2 },
  'map/2': { fold: 'map', variables: 1 },
  'map/3': { fold: 'map', variables: 1, hasCondition: true },
  'filter/2': { fold: 'filter', variables: 1 },
  'transformList/3': { fold: 'transformList', variables: 2 },
  'transformList/4': { fold: 'transformList', variables: 2, hasCondition: true },
  'transformMap/3': { fold: 'transformMap', variables: 2 },
  'transformMap/4': { fold: 'transformMap', variables: 2, hasCondition: true },
  'transformMapEntry/3': { fold: 'transformMapEntry', variables: 2 },
  'transformMapEntry/4': { fold: 'transformMapEntry', variables: 2, hasCondition: true },
  'optMap/2': { fold: 'optMap', variables: 1 },
  'optFlatMap/2': { fold: 'optFlatMap', variables: 1 },
  'sortBy/2': { fold: 'sortBy', variables: 1 },
}

const comparisons: Readonly<Record<string, string>> = {
  '<': '_<_',
  '<=': '_<=_',
  '>': '_>_',
  '>=': '_>=_',
  '==': '_==_',
  '!=': '_!=_',
  in: '@in',
}

class Parser {
  readonly #source: string
  readonly #tokens: readonly Token[]
  /** What was wrong so far, and did not stop the parser. */
  readonly #problems: Problem[]
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
    const { tokens, problems } = tokenize(source)
    this.#tokens = tokens
    this.#problems = [...problems]
  }

  parseAll(): Node {
    const node = this.#parse()
    if (this.#problems.length > 0) throw new CompileError(this.#source, this.#problems)
    return node
  }

  #parse(): Node {
    const node = this.#expression()
    const rest = this.#peek()
    if (rest.kind === 'end') return node
    const isLast = this.#tokens[this.#at + 1]?.kind === 'end'
    throw this.#fail(rest, `${isLast ? 'extraneous' : 'mismatched'} input '${rest.text}' expecting <EOF>`)
  }

  #peek(): Token {
    return this.#tokens[this.#at]!
  }

  #next(): Token {
    return this.#tokens[this.#at++]!
  }

  #is(symbol: string): boolean {
    const token = this.#peek()
    return token.kind === 'symbol' && token.text === symbol
  }

  #accept(symbol: string): Token | undefined {
    return this.#is(symbol) ? this.#next() : undefined
  }

  /** One token too many, or one too few, is reported, and parsing goes on. */
  #expect(symbol: string, expected = `'${symbol}'`): Token {
    const token = this.#peek()
    if (this.#is(symbol)) return this.#next()
    const next = this.#tokens[this.#at + 1]
    if (next?.kind === 'symbol' && next.text === symbol) {
      this.#report(token, `extraneous input '${token.text}' expecting ${expected}`)
      this.#at++
      return this.#next()
    }
    const mayFollow = symbol === ':' ? startsExpression(token) : token.kind === 'end' || continuesExpression(token)
    if (!mayFollow || expected !== `'${symbol}'`) throw this.#fail(token, `mismatched input '${token.text}' expecting ${expected}`)
    this.#report(token, `missing '${symbol}' at '${token.text}'`)
    return token
  }

  /** Where an expression or another symbol may stand, the message about a token that is neither names the symbol too. */
  #expectStart(before: string, extended: string): void {
    const token = this.#peek()
    if (startsExpression(token)) return
    const expected = expressionStarts.replace(before, extended)
    const next = this.#tokens[this.#at + 1]
    if (next === undefined || !startsExpression(next)) throw this.#fail(token, `mismatched input '${token.text}' expecting ${expected}`)
    this.#report(token, `extraneous input '${token.text}' expecting ${expected}`)
    this.#at++
  }

  #report({ at }: Token, message: string): void {
    this.#problems.push({ at, message: `Syntax error: ${message}` })
  }

  #fail(token: { readonly at: number }, message: string): CompileError {
    return new CompileError(this.#source, [...this.#problems, { at: token.at, message: `Syntax error: ${message}` }])
  }

  #expression(): Node {
    if (++this.#depth > maxDepth)
      throw new CompileError(this.#source, [{ at: 0, message: `expression recursion limit exceeded: ${maxDepth}` }])
    const condition = this.#or()
    const question = this.#accept('?')
    let node = condition
    if (question !== undefined) {
      const yes = this.#or()
      this.#expect(':')
      node = { kind: 'call', at: question.at, name: '_?_:_', args: [condition, yes, this.#expression()] }
    }
    this.#depth--
    return node
  }

  #or(): Node {
    return this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()))
  }

  #logical(symbol: string, name: string, operand: () => Node): Node {
    const operands = [operand()]
    const places: number[] = []
    for (let token = this.#accept(symbol); token !== undefined; token = this.#accept(symbol)) {
      places.push(token.at)
      operands.push(operand())
    }
    return balance(name, operands, places)
  }

  #relation(): Node {
    let left = this.#additive()
    for (;;) {
      const token = this.#peek()
      const name = token.kind === 'symbol' || token.text === 'in' ? comparisons[token.text] : undefined
      if (name === undefined) return left
      this.#next()
      left = { kind: 'call', at: token.at, name, args: [left, this.#additive()] }
    }
  }

  #additive(): Node {
    let left = this.#multiplicative()
    for (;;) {
      const token = this.#accept('+') ?? this.#accept('-')
      if (token === undefined) return left
      left = { kind: 'call', at: token.at, name: `_${token.text}_`, args: [left, this.#multiplicative()] }
    }
  }

  #multiplicative(): Node {
    let left = this.#unary()
    for (;;) {
      const token = this.#accept('*') ?? this.#accept('/') ?? this.#accept('%')
      if (token === undefined) return left
      left = { kind: 'call', at: token.at, name: `_${token.text}_`, args: [left, this.#unary()] }
    }
  }

  #unary(): Node {
    const first = this.#peek()
    if (this.#is('!') || this.#is('-')) {
      let count = 0
      while (this.#accept(first.text) !== undefined) count++
      const literal = this.#peek()
      if (first.text === '-' && count % 2 === 1 && (literal.kind === 'int' || literal.kind === 'double')) {
        this.#next()
        return this.#member(numberOf(literal, true, (message) => new CompileError(this.#source, [{ at: first.at, message }]), first.at))
      }
      const operand = this.#member(this.#primary())
      return count % 2 === 0 ? operand : { kind: 'call', at: first.at, name: first.text === '!' ? '!_' : '-_', args: [operand] }
    }
    return this.#member(this.#primary())
  }

  #member(operand: Node): Node {
    let node = operand
    for (let steps = 0; ; steps++) {
      if (steps > 1000) throw this.#fail(this.#peek(), 'expression recursion limit exceeded')
      const dot = this.#accept('.')
      if (dot !== undefined) {
        const optional = this.#accept('?') !== undefined
        const name = this.#next()
        if (name.text === 'true' || name.text === 'false' || name.text === 'null')
          throw this.#fail(name, `mismatched input '${name.text}' expecting IDENTIFIER`)
        if (name.text.startsWith('`')) throw new CompileError(this.#source, [{ at: name.at, message: "unsupported syntax: '`'" }])
        if (name.kind !== 'ident' || name.text === 'in')
          throw this.#fail(name, `no viable alternative at input '.${name.kind === 'end' ? '' : name.text}'`)
        const open = optional ? undefined : this.#accept('(')
        if (open !== undefined) node = this.#call(name.text, open.at, node, this.#arguments(')'))
        else node = { kind: 'select', at: dot.at, operand: node, field: name.text, optional, testOnly: false }
        continue
      }
      const bracket = this.#accept('[')
      if (bracket !== undefined) {
        const optional = this.#accept('?') !== undefined
        if (!optional) this.#expectStart("'!', ", "'!', '?', ")
        const index = this.#expression()
        this.#expect(']')
        node = { kind: 'index', at: bracket.at, operand: node, index, optional }
        continue
      }
      const name = structName(node)
      if (name === undefined || !this.#is('{')) return node
      node = { kind: 'struct', at: this.#next().at, name, fields: this.#fields() }
    }
  }

  #primary(): Node {
    const token = this.#next()
    if (token.kind === 'symbol') {
      if (token.text === '(') {
        const node = this.#expression()
        this.#expect(')')
        return node
      }
      if (token.text === '[') return this.#list(token.at)
      if (token.text === '{') return { kind: 'map', at: token.at, entries: this.#entries() }
      if (token.text === '.' && this.#peek().kind === 'ident') return this.#primary()
    }
    if (token.kind === 'string' || token.kind === 'bytes') return { kind: 'literal', at: token.at, value: token.value! }
    if (token.kind === 'int' || token.kind === 'uint' || token.kind === 'double')
      return numberOf(token, false, (message) => new CompileError(this.#source, [{ at: token.at, message }]))
    if (token.kind === 'ident' && token.text !== 'in' && !token.text.startsWith('`')) return this.#name(token)
    if (token.kind !== 'end' && startsExpression(this.#peek())) {
      this.#report(token, `extraneous input '${token.text}' expecting ${expressionStarts}`)
      return this.#primary()
    }
    throw this.#fail(token, `mismatched input '${token.text}' expecting ${expressionStarts}`)
  }

  #name(token: Token): Node {
    const { text, at } = token
    if (text === 'true' || text === 'false') return { kind: 'literal', at, value: text === 'true' }
    if (text === 'null') return { kind: 'literal', at, value: null }
    if (reserved.has(text)) throw new CompileError(this.#source, [{ at, message: `reserved identifier: ${text}` }])
    const open = this.#accept('(')
    return open === undefined ? { kind: 'ident', at, name: text } : this.#call(text, open.at, undefined, this.#arguments(')'))
  }

  #arguments(close: string): Node[] {
    const nodes: Node[] = []
    if (this.#accept(close) !== undefined) return nodes
    this.#expectStart("'(', ", "'(', ')', ")
    do nodes.push(this.#expression())
    while (this.#accept(',') !== undefined)
    this.#expect(close)
    return nodes
  }

  #list(at: number): Node {
    const items: Node[] = []
    const optionals = new Set<number>()
    while (this.#accept(']') === undefined) {
      if (this.#accept('?') !== undefined) optionals.add(items.length)
      items.push(this.#expression())
      if (!this.#is(']')) this.#expect(',', "{']', ','}")
    }
    return { kind: 'list', at, items, optionals }
  }

  #entries(): MapEntry[] {
    const entries: MapEntry[] = []
    while (this.#accept('}') === undefined) {
      const optional = this.#accept('?') !== undefined
      const key = this.#expression()
      const { at } = this.#expect(':')
      entries.push({ at, key, value: this.#expression(), optional })
      if (!this.#is('}')) this.#expect(',')
    }
    return entries
  }

  #fields(): StructField[] {
    const fields: StructField[] = []
    while (this.#accept('}') === undefined) {
      const optional = this.#accept('?') !== undefined
      const name = this.#next()
      if (name.kind !== 'ident') throw this.#fail(name, `mismatched input '${name.text}' expecting IDENTIFIER`)
      const { at } = this.#expect(':')
      fields.push({ at, name: name.text, value: this.#expression(), optional })
      if (!this.#is('}')) this.#expect(',')
    }
    return fields
  }

  #call(name: string, at: number, target: Node | undefined, args: readonly Node[]): Node {
    if (target === undefined) {
      if (name !== 'has' || args.length !== 1) return { kind: 'call', at, name, args }
      const [argument] = args
      if (argument!.kind !== 'select' || argument!.optional)
        throw new CompileError(this.#source, [{ at: argument!.at, message: 'invalid argument to has() macro' }])
      return { ...argument!, at, testOnly: true }
    }
    const macro = Object.hasOwn(macros, `${name}/${args.length}`) ? macros[`${name}/${args.length}`]! : undefined
    return macro === undefined ? { kind: 'call', at, name, target, args } : this.#fold(macro, at, target, args)
  }

  #fold(macro: Macro, at: number, range: Node, args: readonly Node[]): Fold {
    const fail = (node: Node, message: string) => new CompileError(this.#source, [{ at: node.at, message }])
    if (macro.fold === 'sortBy' && ['literal', 'map', 'struct'].includes(range.kind))
      throw fail(range, 'sortBy can only be applied to a list, identifier, comprehension, call or select expression')
    const variables: string[] = []
    for (const node of args.slice(0, macro.variables)) {
      if (node.kind !== 'ident') throw fail(node, variableProblem[macro.fold] ?? 'argument must be a simple name')
      if (variables.includes(node.name)) throw fail(node, `duplicate variable name: ${node.name}`)
      if (node.name === '__result__') throw fail(node, 'iteration variable overwrites accumulator variable')
      variables.push(node.name)
    }
    const condition = macro.hasCondition ? args[macro.variables] : undefined
    return { kind: 'fold', at, fold: macro.fold, range, variables, body: args.at(-1)!, ...(condition !== undefined && { condition }) }
  }
}

const variableProblem: Partial<Record<FoldName, string>> = {
  map: 'argument is not an identifier',
  filter: 'argument is not an identifier',
  sortBy: 'argument is not an identifier',
  optMap: 'optMap() variable name must be a simple identifier',
  optFlatMap: 'optFlatMap() variable name must be a simple identifier',
}

const expressionStarts = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

const startsExpression = ({ kind, text }: Token) =>
  kind === 'symbol' ? ['[', '{', '(', '.', '-', '!'].includes(text) : kind !== 'end' && text !== 'in' && !text.startsWith('`')

const continuesExpression = ({ kind, text }: Token) => (kind === 'symbol' && !['{', '(', '!'].includes(text)) || text === 'in'

/** cel-go builds a balanced tree of `a && b && c && …`, so that long chains do not nest deeply. */
function balance(name: string, operands: readonly Node[], places: readonly number[]): Node {
  const build = (low: number, high: number): Node => {
    if (low === high) return operands[low]!
    const middle = Math.floor((low + high + 1) / 2)
    return { kind: 'call', at: places[middle - 1]!, name, args: [build(low, middle - 1), build(middle, high)] }
  }
  return build(0, operands.length - 1)
}

function numberOf(token: Token, isNegative: boolean, fail: (message: string) => CompileError, at = token.at): Node {
  const sign = isNegative ? -1 : 1
  if (token.kind === 'double') return { kind: 'literal', at, value: sign * Number(token.text) }
  if (token.kind === 'uint') {
    const value = BigInt(token.text.slice(0, -1))
    if (value >= 2n ** 64n) throw fail('invalid uint literal')
    return { kind: 'literal', at, value: new UnsignedInt(value) }
  }
  const value = BigInt(token.text) * BigInt(sign)
  if (value >= maxInt || value < -maxInt) throw fail('invalid int literal')
  return { kind: 'literal', at, value }
}

/** `Object`, `Object.spec`: the name of a type before the braces of a literal. */
function structName(node: Node): string | undefined {
  if (node.kind === 'ident') return node.name
  if (node.kind !== 'select' || node.optional || node.testOnly) return undefined
  const prefix = structName(node.operand)
  return prefix === undefined ? undefined : `${prefix}.${node.field}`
}
