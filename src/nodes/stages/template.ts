// The part of Go templates that stages use: actions, variables, pipelines, if, range and with.
// Ours: Stages belong to KWOK, another program.
import { cached } from '../../base/cached.ts'
import { spendValue, WorkBudget } from '../work-budget.ts'
import { contextFunctionNames, isEmpty, printed, type TemplateFunctions, templateFunctions } from './template-functions.ts'

/** The template cannot be parsed or executed. */
export class TemplateError extends Error {}

type Value = unknown

type Expression =
  | { readonly type: 'literal'; readonly value: Value }
  | { readonly type: 'path'; readonly base: Expression | undefined; readonly names: readonly string[] }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'call'; readonly name: string; readonly words: readonly Expression[] }
  | { readonly type: 'pipe'; readonly first: Expression; readonly rest: readonly Expression[] }

interface Pipeline {
  /** `$a, $b :=`. */
  readonly names: readonly string[]
  readonly isDeclared: boolean
  readonly value: Expression
}

type Item =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly pipeline: Pipeline }
  | {
      readonly type: 'if' | 'with' | 'range'
      readonly pipeline: Pipeline
      readonly body: readonly Item[]
      readonly otherwise: readonly Item[]
    }

type Template = readonly Item[]

/** Throws TemplateError. */
export const parseTemplate = cached(100, (text: string): Template => new Reader(text.trim()).items([]).items)

/** The size limit of a patch. */
const maxTextLength = 128 * 1024
const maxDepth = 100

/** Throws TemplateError, or WorkLimitError. */
export function renderTemplate(template: Template, data: Value, functions: TemplateFunctions, work = new WorkBudget()): string {
  const renderer = new Renderer({ ...templateFunctions, ...functions }, work)
  renderer.run(template, data, new Scope(undefined, [['$', data]]))
  return renderer.text
}

interface Action {
  readonly text: string
}

class Reader {
  readonly #parts: (string | Action)[]
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#parts = splitActions(text)
  }

  /** Parses up to one of the keywords, and consumes it. */
  items(until: readonly string[]): { readonly items: Item[]; readonly end: string; readonly rest: string } {
    const items: Item[] = []
    for (;;) {
      const part = this.#parts[this.#at++]
      if (part === undefined) {
        if (until.length > 0) throw new TemplateError('unexpected end of template')
        return { items, end: '', rest: '' }
      }
      if (typeof part === 'string') {
        if (part !== '') items.push({ type: 'text', text: part })
        continue
      }
      const [, word = '', rest = ''] = /^(\w*)\s*([\s\S]*)$/.exec(part.text) ?? []
      if (until.includes(word)) return { items, end: word, rest }
      if (word === 'end' || word === 'else') throw new TemplateError(`unexpected {{${word}}}`)
      if (word === 'if' || word === 'with' || word === 'range') items.push(this.#block(word, rest))
      else if (part.text !== '') items.push({ type: 'action', pipeline: parsePipeline(part.text) })
    }
  }

  #block(type: 'if' | 'with' | 'range', text: string): Item {
    if (++this.#depth > maxDepth) throw new TemplateError('blocks are nested too deeply')
    const block = this.#readBlock(type, text)
    this.#depth--
    return block
  }

  #readBlock(type: 'if' | 'with' | 'range', text: string): Item {
    const pipeline = parsePipeline(text)
    const { items: body, end, rest } = this.items(['else', 'end'])
    if (end === 'end') return { type, pipeline, body, otherwise: [] }
    const [, word, more = ''] = /^(if|with)\s+([\s\S]*)$/.exec(rest) ?? []
    if (word !== undefined) return { type, pipeline, body, otherwise: [this.#block(word as 'if' | 'with', more)] }
    return { type, pipeline, body, otherwise: this.items(['end']).items }
  }
}

function splitActions(text: string): (string | Action)[] {
  const parts: (string | Action)[] = []
  let at = 0
  let trimsNext = false
  for (;;) {
    const open = text.indexOf('{{', at)
    let plain = text.slice(at, open < 0 ? undefined : open)
    if (trimsNext) plain = plain.trimStart()
    if (open < 0) {
      parts.push(plain)
      return parts
    }
    let close = open + 2
    for (let quote = ''; ; close++) {
      const char = text[close]
      if (char === undefined) throw new TemplateError('unclosed action')
      if (quote !== '') {
        if (char === '\\' && quote === '"') close++
        else if (char === quote) quote = ''
      } else if (char === '"' || char === '`') quote = char
      else if (text.startsWith('}}', close)) break
    }
    let inner = text.slice(open + 2, close)
    if (/^-\s/.test(inner)) {
      plain = plain.trimEnd()
      inner = inner.slice(1)
    }
    trimsNext = /\s-$/.test(inner)
    if (trimsNext) inner = inner.slice(0, -1)
    parts.push(plain)
    parts.push({ text: /^\s*\/\*/.test(inner) ? '' : inner.trim() })
    at = close + 2
  }
}

const tokenShape = /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)'|:=|[|(),=]|\$?\w*(?:\.\w+)+|\.|\$\w*|-?[0-9]+(?:\.[0-9]+)?|\w+)/y

function tokenize(text: string): string[] {
  const tokens: string[] = []
  tokenShape.lastIndex = 0
  const end = text.trimEnd().length
  while (tokenShape.lastIndex < end) {
    const match = tokenShape.exec(text)
    if (match === null) throw new TemplateError(`cannot read {{${text}}}`)
    tokens.push(match[1]!)
  }
  return tokens
}

function parsePipeline(text: string): Pipeline {
  const tokens = tokenize(text)
  const names: string[] = []
  const assignment = tokens.findIndex((token) => token === ':=' || token === '=')
  if (assignment > 0 && tokens.slice(0, assignment).every((token) => token === ',' || token.startsWith('$')))
    names.push(...tokens.slice(0, assignment).filter((token) => token !== ','))
  const parser = new ExpressionParser(names.length > 0 ? tokens.slice(assignment + 1) : tokens, text)
  return { names, isDeclared: tokens[assignment] === ':=', value: parser.whole() }
}

class ExpressionParser {
  readonly #tokens: readonly string[]
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[], text: string) {
    this.#tokens = tokens
    this.#text = text
  }

  whole(): Expression {
    const value = this.#pipeline()
    if (this.#at < this.#tokens.length) throw this.#error()
    return value
  }

  #error(): TemplateError {
    return new TemplateError(`cannot read {{${this.#text}}}`)
  }

  #pipeline(): Expression {
    if (++this.#depth > maxDepth) throw new TemplateError('parentheses are nested too deeply')
    const value = this.#readPipeline()
    this.#depth--
    return value
  }

  #readPipeline(): Expression {
    const first = this.#command()
    const rest: Expression[] = []
    while (this.#tokens[this.#at] === '|') {
      this.#at++
      rest.push(this.#command())
    }
    return rest.length === 0 ? first : { type: 'pipe', first, rest }
  }

  /** A value, or a function with its arguments. */
  #command(): Expression {
    const name = this.#tokens[this.#at]
    if (name === undefined) throw this.#error()
    if (!/^[A-Za-z_]\w*$/.test(name) || ['true', 'false', 'nil'].includes(name)) return this.#operand()
    mustBeFunction(name)
    this.#at++
    const words: Expression[] = []
    for (;;) {
      const next = this.#tokens[this.#at]
      if (next === undefined || next === '|' || next === ')') return { type: 'call', name, words }
      words.push(this.#operand())
    }
  }

  #operand(): Expression {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw this.#error()
    if (token === '(') {
      const inner = this.#pipeline()
      if (this.#tokens[this.#at++] !== ')') throw this.#error()
      const path = this.#tokens[this.#at]
      if (path === undefined || !/^\.\w/.test(path)) return inner
      this.#at++
      return { type: 'path', base: inner, names: path.slice(1).split('.') }
    }
    if (token === '.') return { type: 'path', base: undefined, names: [] }
    if (token.startsWith('.')) return { type: 'path', base: undefined, names: token.slice(1).split('.') }
    if (token.startsWith('$')) {
      const [name = '$', ...names] = token.split('.')
      const variable: Expression = { type: 'variable', name }
      return names.length === 0 ? variable : { type: 'path', base: variable, names }
    }
    if (token.startsWith('"')) return { type: 'literal', value: JSON.parse(token) }
    if (token.startsWith('`')) return { type: 'literal', value: token.slice(1, -1) }
    if (/^-?[0-9]/.test(token)) return { type: 'literal', value: Number(token) }
    if (token === 'true' || token === 'false') return { type: 'literal', value: token === 'true' }
    if (token === 'nil') return { type: 'literal', value: null }
    // A function without arguments as an argument of another function.
    if (/^[A-Za-z_]\w*$/.test(token)) return { type: 'call', name: mustBeFunction(token), words: [] }
    throw this.#error()
  }
}

const contextFunctions = new Set<string>(contextFunctionNames)

/** As in Go, a template that calls an undefined function cannot be parsed. */
function mustBeFunction(name: string): string {
  if (!Object.hasOwn(templateFunctions, name) && !contextFunctions.has(name)) throw new TemplateError(`function "${name}" not defined`)
  return name
}

class Scope {
  readonly #outer: Scope | undefined
  readonly #values: Map<string, Value>

  constructor(outer: Scope | undefined, values: readonly (readonly [string, Value])[] = []) {
    this.#outer = outer
    this.#values = new Map(values)
  }

  get(name: string): Value {
    if (this.#values.has(name)) return this.#values.get(name)
    if (this.#outer === undefined) throw new TemplateError(`undefined variable "${name}"`)
    return this.#outer.get(name)
  }

  declare(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  assign(name: string, value: Value): void {
    if (this.#values.has(name) || this.#outer === undefined) this.#values.set(name, value)
    else this.#outer.assign(name, value)
  }
}

class Renderer {
  readonly #functions: TemplateFunctions
  readonly #work: WorkBudget
  text = ''

  constructor(functions: TemplateFunctions, work: WorkBudget) {
    this.#functions = functions
    this.#work = work
  }

  run(items: readonly Item[], dot: Value, scope: Scope): void {
    for (const item of items) {
      this.#work.spend(1)
      if (item.type === 'text') this.#print(item.text)
      else if (item.type === 'action') this.#act(item.pipeline, dot, scope)
      else this.#runBlock(item, dot, scope)
    }
  }

  #act({ names, isDeclared, value }: Pipeline, dot: Value, scope: Scope): void {
    const result = this.#evaluate(value, dot, scope)
    if (names.length === 0) this.#print(this.#printed(result))
    else if (isDeclared) scope.declare(names[0]!, result)
    else scope.assign(names[0]!, result)
  }

  #printed(value: Value): string {
    spendValue(value, this.#work)
    return printed(value)
  }

  #print(text: string): void {
    this.#work.spendCharacters(text.length)
    this.text += text
    if (this.text.length > maxTextLength) throw new TemplateError(`the template gives more than ${maxTextLength} characters`)
  }

  #runBlock({ type, pipeline, body, otherwise }: Extract<Item, { body: readonly Item[] }>, dot: Value, outer: Scope): void {
    const scope = new Scope(outer)
    const value = this.#evaluate(pipeline.value, dot, scope)
    if (type === 'range') {
      const entries = entriesOf(value)
      if (entries.length === 0) this.run(otherwise, dot, scope)
      const [first, second] = pipeline.names
      for (const [key, one] of entries) {
        const inner = new Scope(scope)
        if (second !== undefined) {
          inner.declare(first!, key)
          inner.declare(second, one)
        } else if (first !== undefined) inner.declare(first, one)
        this.run(body, one, inner)
      }
      return
    }
    if (pipeline.names[0] !== undefined) scope.declare(pipeline.names[0], value)
    if (isEmpty(value)) this.run(otherwise, dot, scope)
    else this.run(body, type === 'with' ? value : dot, scope)
  }

  #evaluate(expression: Expression, dot: Value, scope: Scope, piped?: readonly [Value]): Value {
    switch (expression.type) {
      case 'literal':
        return expression.value
      case 'variable':
        return scope.get(expression.name)
      case 'path': {
        let value = expression.base === undefined ? dot : this.#evaluate(expression.base, dot, scope)
        for (const name of expression.names) value = fieldOf(value, name)
        return value
      }
      case 'pipe': {
        let value = this.#evaluate(expression.first, dot, scope)
        for (const next of expression.rest) value = this.#evaluate(next, dot, scope, [value])
        return value
      }
      case 'call': {
        const run = Object.hasOwn(this.#functions, expression.name) ? this.#functions[expression.name] : undefined
        if (run === undefined) throw new TemplateError(`function "${expression.name}" not defined`)
        const words = [...expression.words.map((word) => this.#evaluate(word, dot, scope)), ...(piped ?? [])]
        for (const word of words) spendValue(word, this.#work)
        return run(...words)
      }
    }
  }
}

function fieldOf(value: Value, name: string): Value {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, Value>)[name]
}

function entriesOf(value: Value): (readonly [Value, Value])[] {
  if (Array.isArray(value)) return value.map((one, index) => [index, one] as const)
  if (typeof value === 'number') return Array.from({ length: Math.max(0, Math.min(value, 100_000)) }, (_, index) => [index, index] as const)
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value)
    .sort()
    .map((key) => [key, (value as Record<string, Value>)[key]] as const)
}
