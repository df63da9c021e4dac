// An expression with its macros expanded, which is what types and costs are defined on. Evaluation needs no expansion (../folds.ts).
// Kubernetes: github.com/google/cel-go/parser.MakeAll, MakeExists, MakeExistsOne, MakeMap, MakeFilter
// Kubernetes: github.com/google/cel-go/common/ast.Expr
import { type CelType, dyn } from '../cel-type.ts'
import type { Overload } from '../functions.ts'
import type { Fold, LiteralValue, Node } from '../syntax.ts'
import { qualifiedName } from '../type-rules.ts'

interface Part {
  /** The offset that messages point to. */
  readonly at: number
  /** The part of the written expression; undefined for parts that macros add. */
  readonly source: Node | undefined
  /** Set by the checker. */
  type: CelType
}

export type Expression = Literal | Identifier | Selection | Call | ListLiteral | MapLiteral | StructLiteral | Comprehension

interface Literal extends Part {
  readonly kind: 'literal'
  readonly value: LiteralValue
}

export interface Identifier extends Part {
  readonly kind: 'ident'
  readonly name: string
}

export interface Selection extends Part {
  readonly kind: 'select'
  readonly operand: Expression
  readonly field: string
  readonly testOnly: boolean
  /** The whole, where it is a name: `google.protobuf.Timestamp`. */
  readonly qualifiedName: string | undefined
  /** Set by the checker: the selection is the variable or type with its qualified name. */
  isName: boolean
}

export interface Call extends Part {
  readonly kind: 'call'
  /** Set by the checker to the qualified name, with no target, for `sets.contains(…)`. */
  name: string
  target: Expression | undefined
  readonly args: readonly Expression[]
  /** The overloads that the types of the arguments allow. Set by the checker. */
  overloads: readonly Overload[]
}

export interface ListLiteral extends Part {
  readonly kind: 'list'
  readonly items: readonly Expression[]
  readonly optionals: ReadonlySet<number>
}

export interface MapLiteral extends Part {
  readonly kind: 'map'
  readonly entries: readonly { readonly key: Expression; readonly value: Expression; readonly optional: boolean }[]
}

export interface StructLiteral extends Part {
  readonly kind: 'struct'
  readonly name: string
  readonly fields: readonly { readonly at: number; readonly name: string; readonly value: Expression; readonly optional: boolean }[]
}

/** A loop over `range`, or, where it is `isBinding`, the value of `result` with the accumulator bound to `initial`. */
export interface Comprehension extends Part {
  readonly kind: 'comprehension'
  readonly range: Expression
  readonly variables: readonly string[]
  readonly accumulator: string
  readonly initial: Expression
  readonly condition: Expression
  readonly step: Expression
  readonly result: Expression
  readonly isBinding: boolean
}

/** `onPart` is called with every written part, as often as it is in the result: some macros repeat a part. It may throw. */
export function expand(node: Node, onPart: () => void): Expression {
  const { at } = node
  const inner = (part: Node) => expand(part, onPart)
  onPart()
  switch (node.kind) {
    case 'literal':
      return { kind: 'literal', at, source: node, type: dyn, value: node.value }
    case 'ident':
      return { kind: 'ident', at, source: node, type: dyn, name: node.name }
    case 'select': {
      const operand = inner(node.operand)
      const { field, testOnly } = node
      if (node.optional) return call(at, '_?._', [operand, literal(at, field)], node)
      return { kind: 'select', at, source: node, type: dyn, operand, field, testOnly, isName: false, qualifiedName: qualifiedName(node) }
    }
    case 'index':
      return call(at, node.optional ? '_[?_]' : '_[_]', [inner(node.operand), inner(node.index)], node)
    case 'call':
      return call(at, node.name, node.args.map(inner), node, node.target === undefined ? undefined : inner(node.target))
    case 'list':
      return { kind: 'list', at, source: node, type: dyn, items: node.items.map(inner), optionals: node.optionals }
    case 'map': {
      const entries = node.entries.map(({ key, value, optional }) => ({ key: inner(key), value: inner(value), optional }))
      return { kind: 'map', at, source: node, type: dyn, entries }
    }
    case 'struct': {
      const fields = node.fields.map((field) => ({ ...field, value: inner(field.value) }))
      return { kind: 'struct', at, source: node, type: dyn, name: node.name, fields }
    }
    case 'fold':
      return expandFold(node, inner)
  }
}

/** What all parts that macros add have in common. */
const added = (at: number): Part => ({ at, source: undefined, type: dyn })
const literal = (at: number, value: LiteralValue): Literal => ({ kind: 'literal', ...added(at), value })
const identifier = (at: number, name: string): Identifier => ({ kind: 'ident', ...added(at), name })
const noOptionals: ReadonlySet<number> = new Set()
const list = (at: number, ...items: readonly Expression[]): ListLiteral => ({ kind: 'list', ...added(at), items, optionals: noOptionals })
const call = (at: number, name: string, args: readonly Expression[], source?: Node, target?: Expression): Call => ({
  kind: 'call',
  at,
  source,
  type: dyn,
  name,
  target,
  args,
  overloads: [],
})

/** A name that no expression can have written. */
const accumulator = '@result'

function expandFold(node: Fold, inner: (part: Node) => Expression): Expression {
  const { at, fold, variables } = node
  const result = identifier(at, accumulator)
  const own = () => identifier(at, accumulator)
  const loop = (parts: Pick<Comprehension, 'initial' | 'condition' | 'step'> & Partial<Comprehension>): Comprehension => ({
    ...{ kind: 'comprehension', at, source: node, type: dyn, range: inner(node.range), variables, accumulator, result, isBinding: false },
    ...parts,
  })
  const body = () => inner(node.body)
  const always = literal(at, true)
  /** The step, where the condition of the macro holds. */
  const guarded = (step: Expression) => (node.condition === undefined ? step : call(at, '_?_:_', [inner(node.condition), step, own()]))
  switch (fold) {
    case 'all':
      return loop({
        initial: literal(at, true),
        condition: call(at, '@not_strictly_false', [own()]),
        step: call(at, '_&&_', [own(), body()]),
      })
    case 'exists':
      return loop({
        initial: literal(at, false),
        condition: call(at, '@not_strictly_false', [call(at, '!_', [own()])]),
        step: call(at, '_||_', [own(), body()]),
      })
    case 'existsOne':
      return loop({
        initial: literal(at, 0n),
        condition: always,
        step: call(at, '_?_:_', [body(), call(at, '_+_', [own(), literal(at, 1n)]), own()]),
        result: call(at, '_==_', [own(), literal(at, 1n)]),
      })
    case 'map':
    case 'transformList':
      return loop({ initial: list(at), condition: always, step: guarded(call(at, '_+_', [own(), list(at, body())])) })
    case 'filter': {
      const item = identifier(at, variables[0]!)
      const step = call(at, '_?_:_', [body(), call(at, '_+_', [own(), list(at, item)]), own()])
      return loop({ initial: list(at), condition: always, step })
    }
    case 'transformMap':
    case 'transformMapEntry': {
      const entry = fold === 'transformMap' ? [identifier(at, variables[0]!), body()] : [body()]
      const initial: MapLiteral = { kind: 'map', ...added(at), entries: [] }
      return loop({ initial, condition: always, step: guarded(call(at, 'cel.@mapInsert', [own(), ...entry])) })
    }
    case 'optMap':
    case 'optFlatMap': {
      const value = call(at, 'value', [], undefined, inner(node.range))
      const bound = binding(at, variables[0]!, value, body())
      const some = fold === 'optMap' ? call(at, 'optional.of', [bound]) : bound
      return call(at, '_?_:_', [call(at, 'hasValue', [], undefined, inner(node.range)), some, call(at, 'optional.none', [])], node)
    }
    case 'sortBy': {
      const input = '@__sortBy_input__'
      const keys = loop({
        range: identifier(at, input),
        initial: list(at),
        condition: always,
        step: call(at, '_+_', [own(), list(at, body())]),
      })
      const sorted = call(at, '@sortByAssociatedKeys', [{ ...keys, source: undefined }], undefined, identifier(at, input))
      return { ...binding(at, input, inner(node.range), sorted), source: node }
    }
  }
}

function binding(at: number, name: string, initial: Expression, result: Expression): Comprehension {
  return {
    kind: 'comprehension',
    ...added(at),
    range: list(at),
    variables: ['#unused'],
    accumulator: name,
    initial,
    condition: literal(at, false),
    step: identifier(at, name),
    result,
    isBinding: true,
  }
}
