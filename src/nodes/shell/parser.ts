// The parser. The grammar is that of a POSIX shell, with `[[ ]]` and functions.

import { type Token, tokenize } from './lexer.ts'
import { type Node, Reading, type Redirect, ShellSyntaxError, type Simple, type Word } from './syntax.ts'

// Most pods share a few scripts: parse each once. The cache is limited by characters; a tree is much larger than its source.
const parsed = new Map<string, Node>()
const maxParsedCharacters = 256 * 1024
let parsedCharacters = 0

/** Throws ShellSyntaxError. The same source gives the same tree object. */
export function parseScript(text: string): Node {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const node = readScript(text, new Reading())
  if (parsedCharacters + text.length > maxParsedCharacters) {
    parsed.clear()
    parsedCharacters = 0
  }
  parsedCharacters += text.length
  parsed.set(text, node)
  return node
}

function readScript(text: string, reading: Reading): Node {
  const parser = new Parser(tokenize(text, reading, readScript), reading)
  const node = parser.list([])
  parser.expectEnd()
  return node
}

const redirectOperators = new Set(['>', '>>', '<', '>&', '<&', '&>', '<<', '<<-', '<<<'])

class Parser {
  readonly #tokens: readonly Token[]
  readonly #reading: Reading
  #at = 0

  constructor(tokens: readonly Token[], reading: Reading) {
    this.#tokens = tokens
    this.#reading = reading
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? { type: 'end' }
  }

  #isEnd(): boolean {
    return this.#token.type === 'end'
  }

  expectEnd(): void {
    if (!this.#isEnd()) this.#fail()
  }

  #fail(): never {
    const token = this.#token
    const shown = token.type === 'operator' ? (token.text === '\n' ? 'newline' : token.text) : token.type === 'end' ? 'end of file' : 'word'
    throw new ShellSyntaxError(`syntax error: unexpected ${token.type === 'operator' && token.text !== '\n' ? `"${shown}"` : shown}`)
  }

  /** The next word, if it has no quotes or expansions: for keywords. */
  #plain(): string | undefined {
    const token = this.#token
    return token.type === 'word' ? plainText(token.word) : undefined
  }

  #isOperator(...texts: readonly string[]): boolean {
    const token = this.#token
    return token.type === 'operator' && texts.includes(token.text)
  }

  #skipLines(): void {
    while (this.#isOperator('\n')) this.#at++
  }

  #expectWord(word: string): void {
    if (this.#plain() !== word) this.#fail()
    this.#at++
  }

  #expectOperator(text: string): void {
    if (!this.#isOperator(text)) this.#fail()
    this.#at++
  }

  /** Commands up to one of the keywords, `)` or the end. */
  list(until: readonly string[]): Node {
    const items: Node[] = []
    for (;;) {
      while (this.#isOperator('\n', ';')) this.#at++
      if (this.#isEnd() || this.#isOperator(')', ';;') || until.includes(this.#plain() ?? '\0')) break
      let item = this.#andOr()
      if (this.#isOperator('&')) {
        this.#at++
        item = { kind: 'background', body: item }
      } else if (!this.#isOperator(';', '\n', ')', ';;') && !this.#isEnd()) this.#fail()
      items.push(item)
    }
    return items.length === 1 ? items[0]! : { kind: 'list', items }
  }

  #andOr(): Node {
    let left = this.#pipeline()
    while (this.#isOperator('&&', '||')) {
      const kind = this.#isOperator('&&') ? 'and' : 'or'
      this.#at++
      this.#skipLines()
      left = { kind, left, right: this.#pipeline() }
    }
    return left
  }

  #pipeline(): Node {
    if (this.#plain() === '!') {
      this.#at++
      return { kind: 'not', body: this.#reading.nest(() => this.#pipeline()) }
    }
    const stages = [this.#command()]
    while (this.#isOperator('|')) {
      this.#at++
      this.#skipLines()
      stages.push(this.#command())
    }
    return stages.length === 1 ? stages[0]! : { kind: 'pipe', stages }
  }

  #command(): Node {
    return this.#reading.nest(() => this.#readCommand())
  }

  #readCommand(): Node {
    if (this.#isOperator('(')) {
      this.#at++
      const body = this.list([])
      this.#expectOperator(')')
      return { kind: 'subshell', body, redirects: this.#redirects() }
    }
    switch (this.#plain()) {
      case 'if':
        return this.#withRedirects(this.#if())
      case 'while':
      case 'until':
        return this.#withRedirects(this.#while())
      case 'for':
        return this.#withRedirects(this.#for())
      case 'case':
        return this.#withRedirects(this.#case())
      case '{': {
        this.#at++
        const body = this.list(['}'])
        this.#expectWord('}')
        return { kind: 'group', body, redirects: this.#redirects() }
      }
      case 'function':
        this.#at++
        return this.#function()
    }
    const next = this.#tokens[this.#at + 1]
    if (this.#plain() !== undefined && next?.type === 'operator' && next.text === '(') return this.#function()
    return this.#simple()
  }

  #withRedirects(body: Node): Node {
    const redirects = this.#redirects()
    return redirects.length === 0 ? body : { kind: 'group', body, redirects }
  }

  #function(): Node {
    const name = this.#plain()
    if (name === undefined) this.#fail()
    this.#at++
    if (this.#isOperator('(')) {
      this.#at++
      this.#expectOperator(')')
    }
    this.#skipLines()
    const from = this.#at
    const body = this.#command()
    return { kind: 'function', name, body, size: this.#at - from }
  }

  #if(): Node {
    const branches: { condition: Node; body: Node }[] = []
    this.#at++
    for (;;) {
      const condition = this.list(['then'])
      this.#expectWord('then')
      const body = this.list(['elif', 'else', 'fi'])
      branches.push({ condition, body })
      const word = this.#plain()
      if (word !== 'elif' && word !== 'else' && word !== 'fi') this.#fail()
      this.#at++
      if (word === 'fi') return { kind: 'if', branches }
      if (word === 'else') {
        const otherwise = this.list(['fi'])
        this.#expectWord('fi')
        return { kind: 'if', branches, otherwise }
      }
    }
  }

  #doBlock(): Node {
    this.#expectWord('do')
    const body = this.list(['done'])
    this.#expectWord('done')
    return body
  }

  #while(): Node {
    const isUntil = this.#plain() === 'until'
    this.#at++
    const condition = this.list(['do'])
    return { kind: 'while', isUntil, condition, body: this.#doBlock() }
  }

  #for(): Node {
    this.#at++
    const name = this.#plain()
    if (name === undefined) this.#fail()
    this.#at++
    this.#skipLines()
    let words: Word[] | undefined
    if (this.#plain() === 'in') {
      this.#at++
      words = []
      for (let token = this.#token; token.type === 'word'; token = this.#token) {
        words.push(token.word)
        this.#at++
      }
    }
    while (this.#isOperator(';', '\n')) this.#at++
    return { kind: 'for', name, ...(words !== undefined && { words }), body: this.#doBlock() }
  }

  #case(): Node {
    this.#at++
    const word = this.#takeWord()
    this.#skipLines()
    this.#expectWord('in')
    const items: { patterns: Word[]; body: Node }[] = []
    for (;;) {
      this.#skipLines()
      if (this.#plain() === 'esac') break
      if (this.#isOperator('(')) this.#at++
      const patterns = [this.#takeWord()]
      while (this.#isOperator('|')) {
        this.#at++
        patterns.push(this.#takeWord())
      }
      this.#expectOperator(')')
      items.push({ patterns, body: this.list(['esac']) })
      if (this.#isOperator(';;')) this.#at++
      else if (this.#plain() !== 'esac') this.#fail()
    }
    this.#at++
    return { kind: 'case', word, items }
  }

  #takeWord(): Word {
    const token = this.#token
    if (token.type !== 'word') this.#fail()
    this.#at++
    return token.word
  }

  #redirects(): Redirect[] {
    const redirects: Redirect[] = []
    for (;;) {
      const redirect = this.#redirect()
      if (redirect === undefined) return redirects
      redirects.push(...redirect)
    }
  }

  #redirect(): readonly Redirect[] | undefined {
    const token = this.#token
    const given = token.type === 'descriptor' ? token.number : undefined
    const operator = given === undefined ? token : this.#tokens[this.#at + 1]
    if (operator?.type !== 'operator' || !redirectOperators.has(operator.text)) return undefined
    this.#at += given === undefined ? 1 : 2
    const target = this.#token
    if (target.type === 'document') {
      this.#at++
      return [{ descriptor: given ?? 0, operator: '<<', target: target.body }]
    }
    // `2>&1`: the operand is a file descriptor.
    if (target.type === 'descriptor') this.#fail()
    const word = this.#takeWord()
    switch (operator.text) {
      case '&>':
        return [
          { descriptor: 1, operator: '>', target: word },
          { descriptor: 2, operator: '>&', target: { parts: [{ type: 'text', text: '1', isQuoted: false }] } },
        ]
      case '<&':
        return [{ descriptor: given ?? 0, operator: '>&', target: word }]
      case '<':
      case '<<<':
        return [{ descriptor: given ?? 0, operator: operator.text, target: word }]
      default:
        return [{ descriptor: given ?? 1, operator: operator.text as '>' | '>>' | '>&', target: word }]
    }
  }

  #simple(): Simple {
    const assignments: { name: string; value: Word }[] = []
    const words: Word[] = []
    const redirects: Redirect[] = []
    for (;;) {
      const redirect = this.#redirect()
      if (redirect !== undefined) {
        redirects.push(...redirect)
        continue
      }
      // Inside `[[ ]]` these are words.
      const isInTest = words.length > 0 && plainText(words[0]!) === '[[' && plainText(words.at(-1)!) !== ']]'
      const token = this.#token
      if (isInTest && token.type === 'operator' && ['&&', '||', '(', ')'].includes(token.text)) {
        words.push({ parts: [{ type: 'text', text: token.text, isQuoted: false }] })
        this.#at++
        continue
      }
      if (token.type !== 'word') break
      const assignment = words.length === 0 ? assignmentOf(token.word) : undefined
      if (assignment !== undefined) assignments.push(assignment)
      else words.push(token.word)
      this.#at++
    }
    if (assignments.length === 0 && words.length === 0 && redirects.length === 0) this.#fail()
    return { kind: 'simple', assignments, words, redirects }
  }
}

function plainText({ parts }: Word): string | undefined {
  const part = parts[0]
  return parts.length === 1 && part?.type === 'text' && !part.isQuoted ? part.text : undefined
}

/** `NAME=value`. */
function assignmentOf({ parts }: Word): { name: string; value: Word } | undefined {
  const first = parts[0]
  if (first?.type !== 'text' || first.isQuoted) return undefined
  const match = /^([A-Za-z_]\w*)=/.exec(first.text)
  if (match === null) return undefined
  const rest = first.text.slice(match[0].length)
  return { name: match[1]!, value: { parts: [...(rest === '' ? [] : [{ ...first, text: rest }]), ...parts.slice(1)] } }
}
