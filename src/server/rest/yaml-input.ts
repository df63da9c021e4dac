// YAML bodies, read as Kubernetes reads them: YAML 1.1 without its times and its numbers to the base of sixty.
import type { Document, Composer as YamlComposer } from 'yaml'
import { withSortedKeys } from '../../api/machinery/patch/json-object.ts'
import { badRequestError, isStatusError, tooLargeError } from '../../api/machinery/status-error.ts'
import { realClock } from '../../base/clock.ts'
import { isTooDeep, maxDepth } from './json-depth.ts'
import type { Input, PatchInput } from './rest.ts'
import { type LexemeType, YamlDepth } from './yaml-depth.ts'

const maxAliases = 100
/** Composing takes some two microseconds a lexeme, in one turn: half a second. 35,000 lines of a manifest have so many. */
const maxLexemes = 250_000
/** Some ten milliseconds. */
const lexemesInOneTurn = 2000

/** Resolves what is YAML; JSON passes as it is. Throws a StatusError (400, 413). */
export async function readYaml<T extends Input>(input: T, isApply = false): Promise<T | PatchInput> {
  if (!('text' in input) || input.format !== 'yaml') return input
  // Most of what calls itself YAML is JSON, and a parser of YAML is slow.
  if (input.text.trimStart().startsWith('{') && isJson(input.text)) return { text: input.text, format: 'json' }
  try {
    return { object: await parseYaml(input.text) }
  } catch (error) {
    if (isStatusError(error)) throw error
    throw badRequestError(`${isApply ? 'error decoding YAML: ' : ''}error converting YAML to JSON: yaml: ${(error as Error).message}`)
  }
}

/**
 * The first document; what follows it is ignored. Other requests get their turn in between. Throws at the first error, at nesting
 * that is too deep for our stack, and a StatusError (413) for more than can be read in half a second.
 */
export async function parseYaml(text: string): Promise<unknown> {
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
  // Kubernetes reads YAML by way of JSON with its keys in order, and finds faults in that order.
  return withSortedKeys(object)
}

type Tokens = Parameters<YamlComposer['compose']>[0] extends Iterable<infer Token> ? Token[] : never

/** Up to the end of the first document, or its first error. */
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
    // A scalar is announced by a lexeme of its own; its text may look like anything.
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

/** The library makes an error for everything that is wrong in the document, and their stack traces take most of the time. */
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
