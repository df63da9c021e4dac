// The lexer: words with their quotes and expansions, and operators.
import { type Node, type Part, type Reading, ShellSyntaxError, type Word } from './syntax.ts'

export type Token =
  | { readonly type: 'word'; readonly word: Word }
  | { readonly type: 'operator'; readonly text: string }
  /** `2` of `2>&1`. */
  | { readonly type: 'descriptor'; readonly number: number }
  | { readonly type: 'document'; readonly body: Word }
  | { readonly type: 'end' }

/** Longest first. */
const operators = ['<<<', '<<-', '&&', '||', ';;', '>>', '<<', '>&', '<&', '&>', ';', '&', '|', '(', ')', '<', '>', '\n']
const isBlank = (char: string) => char === ' ' || char === '\t' || char === '\r'
const endsWord = (char: string) => isBlank(char) || '\n;&|()<>'.includes(char)

/** Parses the script in `$( )` or backticks. */
type ReadScript = (text: string, reading: Reading) => Node

export function tokenize(text: string, reading: Reading, readScript: ReadScript): Token[] {
  const scanner = new Scanner(text, reading, readScript)
  const tokens: Token[] = []
  for (;;) {
    const token = scanner.next()
    reading.countToken()
    tokens.push(token)
    if (token.type === 'end') return scanner.withDocuments(tokens)
  }
}

class Scanner {
  readonly #text: string
  readonly #reading: Reading
  readonly #readScript: ReadScript
  #at = 0
  #wanted: { isRaw: boolean; stripsTabs: boolean; delimiter: string; body: Word }[] = []
  readonly #documents: Word[] = []
  #awaitsDelimiter: { stripsTabs: boolean } | undefined

  constructor(text: string, reading: Reading, readScript: ReadScript) {
    this.#text = text
    this.#reading = reading
    this.#readScript = readScript
  }

  /** After every `<<` comes the here-document itself, in place of its delimiter. */
  withDocuments(tokens: Token[]): Token[] {
    if (this.#wanted.length > 0) throw new ShellSyntaxError('syntax error: unexpected end of file')
    let next = 0
    return tokens.map((token, index) => {
      const before = tokens[index - 1]
      const isDelimiter = token.type === 'word' && before?.type === 'operator' && (before.text === '<<' || before.text === '<<-')
      return isDelimiter ? { type: 'document', body: this.#documents[next++]! } : token
    })
  }

  next(): Token {
    const text = this.#text
    for (;;) {
      while (this.#at < text.length && isBlank(text[this.#at]!)) this.#at++
      if (text.startsWith('\\\n', this.#at)) this.#at += 2
      else if (text[this.#at] === '#') while (this.#at < text.length && text[this.#at] !== '\n') this.#at++
      else break
    }
    if (this.#at >= text.length) return { type: 'end' }
    const number = /^([0-9])(?=[<>])/.exec(text.slice(this.#at, this.#at + 2))
    if (number !== null) {
      this.#at++
      return { type: 'descriptor', number: Number(number[1]) }
    }
    const operator = operators.find((one) => text.startsWith(one, this.#at))
    if (operator !== undefined) {
      this.#at += operator.length
      if (operator === '\n') this.#readDocuments()
      if (operator === '<<' || operator === '<<-') this.#awaitsDelimiter = { stripsTabs: operator === '<<-' }
      return { type: 'operator', text: operator }
    }
    const word = this.#readWord((char) => endsWord(char))
    if (this.#awaitsDelimiter !== undefined) {
      const delimiter = word.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const isRaw = word.parts.some((part) => part.isQuoted)
      this.#wanted.push({ ...this.#awaitsDelimiter, delimiter, isRaw, body: word })
      this.#awaitsDelimiter = undefined
    }
    return { type: 'word', word }
  }

  #readDocuments(): void {
    for (const { delimiter, isRaw, stripsTabs } of this.#wanted) {
      let body = ''
      for (;;) {
        if (this.#at >= this.#text.length) break
        const end = this.#text.indexOf('\n', this.#at)
        const raw = this.#text.slice(this.#at, end < 0 ? undefined : end)
        this.#at = end < 0 ? this.#text.length : end + 1
        const line = stripsTabs ? raw.replace(/^\t+/, '') : raw
        if (line === delimiter) break
        body += `${line}\n`
      }
      this.#documents.push(
        isRaw ? { parts: [{ type: 'text', text: body, isQuoted: true }] } : new Scanner(body, this.#reading, this.#readScript).readQuoted(),
      )
    }
    this.#wanted = []
  }

  /** Reads everything up to the end as if in double quotes. */
  readQuoted(): Word {
    const parts: Part[] = []
    this.#readDoubleQuoted(parts, () => this.#at >= this.#text.length)
    return { parts }
  }

  #readWord(isEnd: (char: string) => boolean): Word {
    const parts: Part[] = []
    let plain = ''
    const flush = () => {
      if (plain !== '') parts.push({ type: 'text', text: plain, isQuoted: false })
      plain = ''
    }
    while (this.#at < this.#text.length && !isEnd(this.#text[this.#at]!)) {
      const char = this.#text[this.#at]!
      if (char === '\\') {
        const next = this.#text[this.#at + 1]
        this.#at += 2
        if (next === '\n') continue
        flush()
        parts.push({ type: 'text', text: next ?? '\\', isQuoted: true })
      } else if (char === "'") {
        flush()
        const end = this.#text.indexOf("'", this.#at + 1)
        if (end < 0) throw new ShellSyntaxError('syntax error: unterminated quoted string')
        parts.push({ type: 'text', text: this.#text.slice(this.#at + 1, end), isQuoted: true })
        this.#at = end + 1
      } else if (char === '"') {
        flush()
        this.#at++
        const before = parts.length
        this.#readDoubleQuoted(parts, () => this.#text[this.#at] === '"')
        if (this.#at >= this.#text.length) throw new ShellSyntaxError('syntax error: unterminated quoted string')
        this.#at++
        if (parts.length === before) parts.push({ type: 'text', text: '', isQuoted: true })
      } else if (char === '`' || (char === '$' && this.#startsExpansion())) {
        flush()
        parts.push(this.#readExpansion(false))
      } else {
        plain += char
        this.#at++
      }
    }
    flush()
    return { parts }
  }

  #readDoubleQuoted(parts: Part[], isEnd: () => boolean): void {
    let plain = ''
    const flush = () => {
      if (plain !== '') parts.push({ type: 'text', text: plain, isQuoted: true })
      plain = ''
    }
    while (this.#at < this.#text.length && !isEnd()) {
      const char = this.#text[this.#at]!
      if (char === '\\') {
        const next = this.#text[this.#at + 1] ?? ''
        this.#at += 2
        if (next === '\n') continue
        plain += '$`"\\'.includes(next) && next !== '' ? next : `\\${next}`
      } else if (char === '`' || (char === '$' && this.#startsExpansion())) {
        flush()
        parts.push(this.#readExpansion(true))
      } else {
        plain += char
        this.#at++
      }
    }
    flush()
  }

  #startsExpansion(): boolean {
    return /^\$[A-Za-z0-9_({?$!#@*-]/.test(this.#text.slice(this.#at, this.#at + 2))
  }

  #readExpansion(isQuoted: boolean): Part {
    this.#reading.countToken()
    return this.#reading.nest(() => this.#readNested(isQuoted))
  }

  #readNested(isQuoted: boolean): Part {
    const text = this.#text
    if (text[this.#at] === '`') {
      const end = text.indexOf('`', this.#at + 1)
      if (end < 0) throw new ShellSyntaxError('syntax error: EOF in backquote substitution')
      const script = this.#readScript(text.slice(this.#at + 1, end), this.#reading)
      this.#at = end + 1
      return { type: 'command', script, isQuoted }
    }
    if (text.startsWith('$((', this.#at)) {
      const inner = this.#readBalanced(this.#at + 3)
      if (text.startsWith('))', this.#at - 1)) {
        this.#at++
        return { type: 'arithmetic', expression: new Scanner(inner, this.#reading, this.#readScript).readQuoted(), isQuoted }
      }
      throw new ShellSyntaxError('syntax error: missing )) in arithmetic')
    }
    if (text.startsWith('$(', this.#at))
      return { type: 'command', script: this.#readScript(this.#readBalanced(this.#at + 2), this.#reading), isQuoted }
    if (text.startsWith('${', this.#at)) return this.#readBraces(isQuoted)
    const name = /^\$([A-Za-z_]\w*|[0-9?$!#@*-])/.exec(text.slice(this.#at))![1]!
    this.#at += name.length + 1
    return { type: 'variable', name, isQuoted }
  }

  /** The content up to the matching parenthesis, which may be quoted inside. Moves past it. */
  #readBalanced(from: number): string {
    let depth = 1
    let quote = ''
    for (let at = from; at < this.#text.length; at++) {
      const char = this.#text[at]!
      if (char === '\\' && quote !== "'") at++
      else if (quote !== '') quote = char === quote ? '' : quote
      else if (char === "'" || char === '"') quote = char
      else if (char === '(') depth++
      else if (char === ')' && --depth === 0) {
        this.#at = at + 1
        return this.#text.slice(from, at)
      }
    }
    throw new ShellSyntaxError('syntax error: unexpected end of file (expecting ")")')
  }

  #readBraces(isQuoted: boolean): Part {
    this.#at += 2
    const head = /^(#?)([A-Za-z_]\w*|[0-9]+|[?$!#@*-])/.exec(this.#text.slice(this.#at))
    if (head === null) throw new ShellSyntaxError('bad substitution')
    const [all, length, name] = head
    this.#at += all.length
    if (length === '#') {
      if (this.#text[this.#at++] !== '}') throw new ShellSyntaxError('bad substitution')
      return { type: 'variable', name: name!, operator: 'length', isQuoted }
    }
    const operator = /^(:?[-=+?]|%%?|##?|\/\/?|:)/.exec(this.#text.slice(this.#at))?.[0]
    this.#at += operator?.length ?? 0
    const argument = operator === undefined ? undefined : this.#readWord((char) => char === '}')
    if (this.#text[this.#at++] !== '}') throw new ShellSyntaxError('bad substitution')
    return { type: 'variable', name: name!, isQuoted, ...(operator !== undefined && { operator, argument: argument! }) }
  }
}
