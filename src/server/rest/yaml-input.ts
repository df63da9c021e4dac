// YAML bodies, read as Kubernetes reads them: YAML 1.1 without timestamps and base-60 numbers.
// Kubernetes: sigs.k8s.io/yaml.YAMLToJSON
import type { Document, Composer as YamlComposer } from 'yaml'
import { findDuplicateFields } from '../../api/machinery/decode/json.ts'
import { withSortedKeys } from '../../api/machinery/json-object.ts'
import { badRequestError, isStatusError, tooLargeError } from '../../api/machinery/status-error.ts'
import { realClock } from '../../base/clock.ts'
import { isTooDeep, maxDepth } from './json-depth.ts'
import type { Input, PatchInput } from './rest.ts'

const maxAliases = 100
/** Composing takes about 2 µs per lexeme and cannot be interrupted: 0.5 s. A manifest of 35,000 lines has this many. */
const maxLexemes = 250_000
/** About 10 ms. */
const lexemesInOneTurn = 2000

/** Parses YAML; JSON is returned unchanged. Throws a StatusError (400, 413). */
export async function readYaml<T extends Input>(input: T, isApply = false): Promise<T | PatchInput> {
  if (!('text' in input) || input.format !== 'yaml') return input
  // Bodies declared as YAML are often JSON, which is much faster to parse.
  if (input.text.trimStart().startsWith('{') && isPlainJson(input.text)) return { text: input.text, format: 'json' }
  try {
    const { object, duplicates } = await parseYamlDocument(input.text)
    return duplicates === undefined
      ? { object }
      : { object, duplicates: [`${isApply ? 'error converting YAML to JSON: ' : ''}${duplicates}`] }
  } catch (error) {
    if (isStatusError(error)) throw error
    throw badRequestError(`${isApply ? 'error decoding YAML: ' : ''}error converting YAML to JSON: yaml: ${(error as Error).message}`)
  }
}

/**
 * Parses the first document and ignores the rest. Yields to other requests. Throws on a syntax error, on nesting that would
 * overflow the stack, and a StatusError (413) for a document that takes longer than half a second.
 */
export async function parseYaml(text: string): Promise<unknown> {
  return (await parseYamlDocument(text)).object
}

/** `duplicates` says which keys stand twice, in Kubernetes' words. */
async function parseYamlDocument(text: string): Promise<{ readonly object: unknown; readonly duplicates?: string }> {
  const { Composer } = await import('yaml')
  const tokens = await parseTokens(text)
  const composer = new Composer({
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !(/(timestamp|binary|omap|pairs|set)$/.test(tag.tag) || tag.format === 'TIME')),
  })
  const document = compose(composer, tokens, text.length)
  const [error] = document?.errors ?? []
  if (error !== undefined) throw error
  const object = (document?.toJS({ maxAliasCount: maxAliases }) ?? null) as unknown
  if (isTooDeep(object)) throw new RangeError('exceeded max depth')
  // Kubernetes converts YAML to JSON with sorted keys, which decides the order of its error messages.
  const sorted = withSortedKeys(object)
  const duplicates = document === undefined ? undefined : findDuplicates(document.contents, text)
  return duplicates === undefined ? { object: sorted } : { object: sorted, duplicates }
}

interface YamlNode {
  readonly items?: readonly (YamlNode & { readonly key?: YamlKey; readonly value?: YamlNode })[]
}

interface YamlKey {
  readonly value?: unknown
  readonly range?: readonly number[] | null
}

/** Keys that stand twice in a map. The last one counts. */
function findDuplicates(contents: unknown, text: string): string | undefined {
  const lines: string[] = []
  const visit = (node: YamlNode | null | undefined): void => {
    const seen = new Set<unknown>()
    for (const item of node?.items ?? []) {
      const { key } = item
      if (key?.value === undefined) {
        visit(item)
        continue
      }
      if (seen.has(key.value) && lines.length < maxDuplicates)
        lines.push(`  line ${lineOf(text, key.range?.[0] ?? 0)}: key ${JSON.stringify(key.value)} already set in map`)
      seen.add(key.value)
      visit(item.value)
    }
  }
  visit(contents as YamlNode | null)
  return lines.length === 0 ? undefined : ['yaml: unmarshal errors:', ...lines].join('\n')
}

const maxDuplicates = 100
const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length

type Tokens = Parameters<YamlComposer['compose']>[0] extends Iterable<infer Token> ? Token[] : never

/** The tokens up to the end of the first document or the first error. */
async function parseTokens(text: string): Promise<Tokens> {
  const { CST, Lexer, Parser } = await import('yaml')
  const parser = new Parser()
  const depth = new YamlDepth()
  const tokens: Tokens = []
  let documents = 0
  let lexemes = 0
  let isScalar = false
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > maxLexemes) throw tooLargeError(`YAML of more than ${maxLexemes} tokens is not read; send it as JSON`)
    if (lexemes % lexemesInOneTurn === 0) await new Promise<void>((resolve) => void realClock.after(0, resolve))
    // A marker lexeme precedes each scalar, whose text can look like any other lexeme.
    const type: LexemeType = isScalar ? 'scalar' : CST.tokenType(lexeme)
    isScalar = !isScalar && type === 'scalar'
    if (!isScalar && depth.add(lexeme, type) > maxDepth) throw new RangeError('exceeded max depth')
    for (const token of parser.next(lexeme)) {
      if (token.type === 'document' && ++documents > 1) return tokens
      tokens.push(token)
      if (token.type === 'error') return tokens
    }
  }
  tokens.push(...parser.end())
  return tokens
}

/** The library creates an error for every problem in the document, and capturing their stack traces would take most of the time. */
function compose(composer: YamlComposer, tokens: Tokens, length: number): Document.Parsed | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    for (const document of composer.compose(tokens, true, length)) return document as Document.Parsed
    return undefined
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Duplicate keys are reported with their lines, as those of YAML. */
function isPlainJson(text: string): boolean {
  try {
    return findDuplicateFields(text, JSON.parse(text)).length === 0
  } catch {
    return false
  }
}

// The nesting depth of a YAML document, computed from its lexemes before any recursive code parses it.
// Ours: a limit that protects the stack.

/** As yaml's `CST.tokenType` names them. */
type LexemeType = string | null

const unknown = -1

class YamlDepth {
  /** The start columns of the open block collections, in ascending order. */
  readonly #columns: number[] = []
  #flow = 0
  #column = 0
  /** The column of the key, if a mapping starts here. */
  #keyColumn = unknown
  #isLineStart = true

  /**
   * The number of open collections after this lexeme. The true depth is at most twice that: a sequence may start at the column of the
   * mapping that contains it, and a pair in a flow sequence is a mapping.
   */
  add(lexeme: string, type: LexemeType): number {
    if (type === 'flow-map-start' || type === 'flow-seq-start') this.#flow++
    else if (type === 'flow-map-end' || type === 'flow-seq-end') this.#flow = Math.max(0, this.#flow - 1)
    else if (type === 'flow-error-end') this.#flow = 0
    if (this.#flow === 0 && type !== 'space' && type !== 'newline' && type !== 'comment') this.#addBlock(type)
    this.#advance(lexeme, type)
    return this.#columns.length + this.#flow
  }

  #addBlock(type: LexemeType): void {
    if (this.#isLineStart) {
      while (this.#columns.length > 0 && this.#columns.at(-1)! > this.#column) this.#columns.pop()
      this.#isLineStart = false
      this.#keyColumn = unknown
    }
    if (this.#keyColumn === unknown) this.#keyColumn = this.#column
    if (type !== 'seq-item-ind' && type !== 'explicit-key-ind' && type !== 'map-value-ind') return
    if (this.#keyColumn > (this.#columns.at(-1) ?? unknown)) this.#columns.push(this.#keyColumn)
    this.#keyColumn = unknown
  }

  #advance(lexeme: string, type: LexemeType): void {
    const lineEnd = lexeme.lastIndexOf('\n')
    this.#column = lineEnd < 0 ? this.#column + lexeme.length : lexeme.length - lineEnd - 1
    if (type === 'newline' || lexeme.endsWith('\n')) this.#isLineStart = true
  }
}
