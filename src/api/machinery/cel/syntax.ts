// The syntax tree of a CEL expression. `at` is the offset that messages point to: the operator of a selection or call, as in cel-go.
// Kubernetes: github.com/google/cel-go/common/ast.Expr
import type { UnsignedInt } from './values.ts'

export type Node =
  | { readonly kind: 'literal'; readonly at: number; readonly value: LiteralValue }
  | { readonly kind: 'ident'; readonly at: number; readonly name: string }
  | {
      readonly kind: 'select'
      readonly at: number
      readonly operand: Node
      readonly field: string
      /** `a.?b` */
      readonly optional: boolean
      /** The argument of `has(…)`. */
      readonly testOnly: boolean
    }
  | { readonly kind: 'index'; readonly at: number; readonly operand: Node; readonly index: Node; readonly optional: boolean }
  | { readonly kind: 'call'; readonly at: number; readonly name: string; readonly target?: Node; readonly args: readonly Node[] }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly Node[]; readonly optionals: ReadonlySet<number> }
  | { readonly kind: 'map'; readonly at: number; readonly entries: readonly MapEntry[] }
  | { readonly kind: 'struct'; readonly at: number; readonly name: string; readonly fields: readonly StructField[] }
  | Fold

export type LiteralValue = null | boolean | bigint | UnsignedInt | number | string | Uint8Array

export interface MapEntry {
  readonly at: number
  readonly key: Node
  readonly value: Node
  readonly optional: boolean
}

export interface StructField {
  readonly at: number
  readonly name: string
  readonly value: Node
  readonly optional: boolean
}

export type FoldName =
  | 'all'
  | 'exists'
  | 'existsOne'
  | 'map'
  | 'filter'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry'
  | 'optMap'
  | 'optFlatMap'
  | 'sortBy'

/** A macro that binds variables: `list.all(x, x > 0)`, `map.transformMap(k, v, v > 0, v * 2)`. */
export interface Fold {
  readonly kind: 'fold'
  readonly at: number
  readonly fold: FoldName
  readonly range: Node
  readonly variables: readonly string[]
  readonly condition?: Node
  readonly body: Node
}

export interface Problem {
  readonly at: number
  readonly message: string
}

/** The expression, or the type of a part of it, is larger than any limit allows. */
export class TooComplexError extends Error {}

/** How many problems a message shows, as in cel-go: each of them repeats its line. */
const maxShown = 100

/** The expression cannot be compiled. The message is cel-go's, with the line and a mark below the place of each problem. */
export class CompileError extends Error {
  constructor(source: string, problems: readonly Problem[]) {
    const sorted = problems.slice(0, maxShown).toSorted((one, other) => one.at - other.at)
    const more = problems.length - sorted.length
    const shown = sorted.map((problem) => display(source, problem))
    super([...shown, ...(more > 0 ? [`${more} more errors were truncated`] : [])].join('\n'))
  }
}

function display(source: string, { at, message }: Problem): string {
  const before = source.slice(0, at).split('\n')
  const line = before.length
  const column = [...before.at(-1)!].length
  const text = (source.split('\n')[line - 1] ?? '').replaceAll('\t', ' ')
  const wide = (character: string | undefined) => character !== undefined && character.codePointAt(0)! > 127
  const characters = [...text]
  const dots = characters.slice(0, column).map((character) => (wide(character) ? '\uff0e' : '.'))
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${dots.join('')}${wide(characters[column]) ? '\uff3e' : '^'}`
}
