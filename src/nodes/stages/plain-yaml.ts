// A parser for the YAML that templates usually produce: block maps and lists, quoted and plain scalars, JSON on one line. It takes
// microseconds where a complete parser takes milliseconds for each pod. Returns undefined for anything else.
// Ours: Stages belong to KWOK, another program.

interface Line {
  readonly indent: number
  readonly text: string
}

class NotUnderstood extends Error {}

export function parsePlainYaml(text: string): { readonly value: unknown } | undefined {
  const lines: Line[] = []
  for (const raw of text.split('\n')) {
    const trimmed = raw.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    if (raw.includes('\t') || trimmed === '---') return undefined
    lines.push({ indent: raw.length - raw.trimStart().length, text: trimmed })
  }
  if (lines.length === 0) return { value: null }
  try {
    const reader = new Reader(lines)
    const value = reader.block(lines[0]!.indent)
    return reader.isAtEnd ? { value } : undefined
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}

class Reader {
  readonly #lines: Line[]
  #at = 0

  constructor(lines: Line[]) {
    this.#lines = lines
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#lines.length
  }

  block(indent: number): unknown {
    return /^-(\s|$)/.test(this.#lines[this.#at]!.text) ? this.#list(indent) : this.#map(indent)
  }

  #list(indent: number): unknown[] {
    const list: unknown[] = []
    for (let line = this.#lines[this.#at]; line?.indent === indent && /^-(\s|$)/.test(line.text); line = this.#lines[this.#at]) {
      const rest = line.text.slice(1).trimStart()
      if (rest === '') {
        this.#at++
        list.push(this.#nested(indent))
      } else if (keyOf(rest) !== undefined) {
        // The entry is a map that starts on this line.
        const inner = indent + line.text.length - rest.length
        this.#lines[this.#at] = { indent: inner, text: rest }
        list.push(this.#map(inner))
      } else {
        this.#at++
        list.push(scalar(rest))
      }
    }
    return list
  }

  #map(indent: number): Record<string, unknown> {
    const entries: [string, unknown][] = []
    for (let line = this.#lines[this.#at]; line?.indent === indent; line = this.#lines[this.#at]) {
      const found = keyOf(line.text)
      if (found === undefined) throw new NotUnderstood()
      this.#at++
      const { key, rest } = found
      if (rest === '') {
        const next = this.#lines[this.#at]
        // A list may have the same indentation as its key.
        const isList = next?.indent === indent && /^-(\s|$)/.test(next.text)
        entries.push([key, isList ? this.#list(indent) : this.#nested(indent)])
      } else entries.push([key, scalar(rest)])
    }
    const next = this.#lines[this.#at]
    if (next !== undefined && next.indent > indent) throw new NotUnderstood()
    return Object.fromEntries(entries)
  }

  #nested(indent: number): unknown {
    const next = this.#lines[this.#at]
    return next === undefined || next.indent <= indent ? null : this.block(next.indent)
  }
}

function keyOf(text: string): { readonly key: string; readonly rest: string } | undefined {
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*:(?:\s+([\s\S]*))?$/.exec(text)
  if (quoted !== null) return { key: String(scalar(quoted[1]!)), rest: quoted[2] ?? '' }
  const plain = /^([A-Za-z0-9_./-]+)\s*:(?:\s+([\s\S]*))?$/.exec(text)
  return plain === null ? undefined : { key: plain[1]!, rest: plain[2] ?? '' }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotUnderstood()
  }
}

function scalar(text: string): unknown {
  if (text.startsWith('"')) {
    if (!/^"(?:[^"\\]|\\.)*"$/.test(text)) throw new NotUnderstood()
    return parseJson(text)
  }
  if (text.startsWith("'")) {
    if (!/^'(?:[^']|'')*'$/.test(text)) throw new NotUnderstood()
    return text.slice(1, -1).replaceAll("''", "'")
  }
  if (text.startsWith('{') || text.startsWith('[')) return parseJson(text)
  if (/^[0-9]+(\.[0-9]+){2,}$/.test(text)) return text
  if (/^[&*!|>%@`?]/.test(text) || /^-(\s|$)/.test(text) || / #/.test(text) || /: /.test(text) || text.endsWith(':'))
    throw new NotUnderstood()
  if (/^(null|Null|NULL|~)$/.test(text)) return null
  if (/^(true|True|TRUE)$/.test(text)) return true
  if (/^(false|False|FALSE)$/.test(text)) return false
  if (/^[-+]?(0|[1-9][0-9]*)$/.test(text) || /^[-+]?[0-9]+\.[0-9]+$/.test(text)) return Number(text)
  if (/^[-+.]?[0-9]/.test(text) && /^[-+0-9.eExXoa-fA-F_:]+$/.test(text)) throw new NotUnderstood()
  return text
}

/** A value in block style, each line indented by `indent` levels. */
export function formatYaml(value: unknown, indent: number): string {
  const text = `${blockLines(value).join('\n')}\n`
  if (indent <= 0) return text
  const pad = ' '.repeat(indent * 2)
  return `\n${text}`.replaceAll('\n', `\n${pad}`)
}

function blockLines(value: unknown): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return ['[]']
    return value.flatMap((one) => {
      const [first = '', ...rest] = blockLines(one)
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)]
    })
  }
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value ?? null)]
  const keys = Object.keys(value).sort()
  if (keys.length === 0) return ['{}']
  return keys.flatMap((key) => {
    const one = (value as Record<string, unknown>)[key]
    const name = /^[A-Za-z_][\w./-]*$/.test(key) ? key : JSON.stringify(key)
    const lines = blockLines(one)
    const isBlock = typeof one === 'object' && one !== null && Object.keys(one).length > 0
    return isBlock ? [`${name}:`, ...lines.map((line) => `  ${line}`)] : [`${name}: ${lines[0]}`]
  })
}
