// The cost of an expression, estimated before any evaluation: from the sizes that its variables can have at most. Kubernetes decides by this
// number which rules a CustomResourceDefinition may have, so the estimate follows that of cel-go step by step.
// Kubernetes: github.com/google/cel-go/checker.Cost, coster.*
import { type CelType, optionalElement } from '../cel-type.ts'
import type { Call, Comprehension, Expression, Identifier, Selection } from '../check/expression.ts'
import { UnsignedInt } from '../values.ts'
import { estimateCall } from './call-costs.ts'
import { append, type CallNode, type FieldPath, namesOf } from './estimated-call.ts'
import { exactly, largest, nothing, one, product, type Range, sum, union, unknownSize } from './range.ts'

/** How large a value of a declared type can be: items, entries, characters or bytes. */
export interface SizedType {
  readonly maxElements: number
  /** The type of items or values. */
  elements?(): SizedType
  fieldOf?(name: string): SizedType | undefined
}

/** The sizes of what a list or map contains. */
interface EntrySizes {
  readonly container: 'list' | 'map'
  readonly key: Range
  readonly value: Range
}

interface LocalVariable {
  readonly name: string
  readonly path: FieldPath | undefined
  readonly size: Range | undefined
  readonly entries: EntrySizes | undefined
}

/** The highest cost of an evaluation, where the variables have the type `root`. */
export function estimateCost(expression: Expression, root: SizedType): Range {
  return new Estimate(root).cost(expression)
}

const keys: SizedType = { maxElements: 0 }

class Estimate {
  readonly #root: SizedType
  readonly #paths = new Map<Expression, FieldPath | undefined>()
  readonly #sizes = new Map<Expression, Range>()
  readonly #entries = new Map<Expression, EntrySizes>()
  readonly #locals: LocalVariable[] = []

  constructor(root: SizedType) {
    this.#root = root
  }

  cost(expression: Expression): Range {
    switch (expression.kind) {
      case 'literal':
        return nothing
      case 'ident':
        return this.#ident(expression)
      case 'select':
        return this.#select(expression)
      case 'call':
        return this.#call(expression)
      case 'list': {
        const total = sum(...expression.items.map((item) => this.cost(item)), exactly(10))
        this.#entries.set(expression, { container: 'list', key: one, value: this.#sizesOf(expression.items) })
        return total
      }
      case 'map': {
        const total = sum(...expression.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]), exactly(30))
        const [key, value] = [expression.entries.map((entry) => entry.key), expression.entries.map((entry) => entry.value)]
        this.#entries.set(expression, { container: 'map', key: this.#sizesOf(key), value: this.#sizesOf(value) })
        return total
      }
      case 'struct':
        return sum(...expression.fields.map(({ value }) => this.cost(value)), exactly(40))
      case 'comprehension':
        return expression.isBinding ? this.#binding(expression) : this.#loop(expression)
    }
  }

  #sizesOf(items: readonly Expression[]): Range {
    return items.length === 0 ? nothing : items.map((item) => this.#sizeOrUnknown(item)).reduce(union)
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.findLast((local) => local.name === name)
  }

  #ident(expression: Identifier): Range {
    const local = this.#local(expression.name)
    this.#paths.set(expression, local === undefined ? append(undefined, expression.name) : local.path)
    return one
  }

  #select(expression: Selection): Range {
    if (expression.isName) {
      this.#paths.set(expression, append(undefined, expression.qualifiedName!))
      return one
    }
    const operand = this.cost(expression.operand)
    // A test of presence costs nothing in Kubernetes.
    if (expression.testOnly) return operand
    const { kind } = expression.operand.type
    this.#paths.set(expression, append(this.#pathOf(expression.operand), expression.field))
    return kind === 'map' || kind === 'object' ? sum(operand, one) : operand
  }

  #pathOf(expression: Expression): FieldPath | undefined {
    const local = expression.kind === 'ident' ? this.#local(expression.name) : undefined
    return local === undefined ? this.#paths.get(expression) : local.path
  }

  #call(expression: Call): Range {
    const { name, args, target } = expression
    if (name === 'dyn') {
      const [value] = args as [Expression]
      const total = sum(one, this.cost(value))
      this.#copySizes(expression, value)
      return total
    }
    const costs: Range[] = []
    const nodes = args.map((arg) => {
      costs.push(this.cost(arg))
      return this.#node(arg)
    })
    const ofTarget = target === undefined ? nothing : this.cost(target)
    const call = {
      name,
      args: nodes,
      argCost: sum(...costs),
      argCosts: costs,
      sizeAt: (path: FieldPath | undefined) => this.#declaredSize(path),
      ...(target !== undefined && { target: this.#node(target) }),
    }
    let total: Range | undefined
    let size: Range | undefined
    for (const overload of name === '_?._' ? [undefined] : expression.overloads) {
      const estimate = estimateCall(call, overload)
      total = total === undefined ? estimate.cost : union(total, estimate.cost)
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size)
      if (name === '_?_:_') this.#joinEntries(expression, args[1]!, args[2]!)
      else if (name === '_+_' && estimate.size !== undefined) this.#joinEntries(expression, args[0]!, args[1]!)
      else if (name === '_[_]') {
        const { kind } = overload!.args[0]!
        if (kind === 'list' || kind === 'map') {
          size = this.#entriesOf(args[0]!)?.value
          this.#paths.set(expression, append(this.#pathOf(args[0]!), kind === 'list' ? '@items' : '@values'))
        }
      }
      size ??= this.#sizeOf(expression)
    }
    if (size !== undefined) this.#sizes.set(expression, size)
    return sum(ofTarget, total ?? nothing)
  }

  #joinEntries(expression: Expression, left: Expression, right: Expression): void {
    const [ofLeft, ofRight] = [this.#entriesOf(left), this.#entriesOf(right)]
    if (ofLeft === undefined || ofRight === undefined) return
    const [key, value] = [union(ofLeft.key, ofRight.key), union(ofLeft.value, ofRight.value)]
    this.#entries.set(expression, { container: ofLeft.container, key, value })
  }

  #node(expression: Expression): CallNode {
    const [path, size] = [this.#pathOf(expression), this.#sizeOf(expression)]
    const literal = expression.kind === 'literal' ? expression.value : undefined
    return {
      type: expression.type,
      ...(path !== undefined && { path }),
      ...(size !== undefined && { size }),
      ...(typeof literal === 'bigint' && { literal }),
    }
  }

  #loop(expression: Comprehension): Range {
    const { range, initial, variables } = expression
    let total = sum(this.cost(range), this.cost(initial))
    this.#push(expression.accumulator, this.#pathOf(initial), this.#sizeOf(initial), this.#entriesOf(initial))
    this.#pushVariables(expression)
    const perTurn = sum(this.cost(expression.condition), this.cost(expression.step))
    this.#locals.length -= variables.length
    total = sum(total, this.cost(expression.result))
    this.#locals.length--
    const turns = this.#sizeOrUnknown(range)
    if (initial.kind === 'literal') this.#setSize(expression, this.#sizeOf(initial))
    else if (initial.kind === 'list' || initial.kind === 'map') {
      this.#setSize(expression, turns)
      const entries = this.#entriesOf(expression.step)
      if (entries !== undefined) this.#entries.set(expression, entries)
    }
    return sum(total, product(turns, perTurn))
  }

  #binding(expression: Comprehension): Range {
    const { initial, result } = expression
    const before = sum(this.cost(expression.range), this.cost(initial))
    this.#push(expression.accumulator, this.#pathOf(initial), this.#sizeOf(initial), this.#entriesOf(initial))
    const total = sum(before, this.cost(result))
    this.#locals.length--
    this.#copySizes(expression, result)
    return total
  }

  #push(name: string, path: FieldPath | undefined, size: Range | undefined, entries?: EntrySizes): void {
    this.#locals.push({ name, path, size, entries })
  }

  #pushVariables({ range, variables }: Comprehension): void {
    const entries = this.#entriesOf(range)
    const isList = (entries?.container ?? range.type.kind) === 'list'
    const [first, second] = variables as [string, string?]
    if (second === undefined) {
      this.#push(first, append(this.#pathOf(range), isList ? '@items' : '@keys'), isList ? entries?.value : entries?.key)
      return
    }
    this.#push(first, append(this.#pathOf(range), isList ? '@indices' : '@keys'), entries?.key)
    this.#push(second, append(this.#pathOf(range), isList ? '@items' : '@values'), entries?.value)
  }

  #copySizes(to: Expression, from: Expression): void {
    this.#setSize(to, this.#sizeOf(from))
    const entries = this.#entriesOf(from)
    if (entries !== undefined) this.#entries.set(to, entries)
  }

  #setSize(expression: Expression, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(expression, size)
  }

  #entriesOf(expression: Expression): EntrySizes | undefined {
    const own = this.#entries.get(expression)
    return own ?? (expression.kind === 'ident' ? this.#local(expression.name)?.entries : undefined)
  }

  #sizeOrUnknown(expression: Expression): Range {
    return this.#sizeOf(expression) ?? unknownSize
  }

  #sizeOf(expression: Expression): Range | undefined {
    const known = this.#sizes.get(expression) ?? literalSize(expression)
    if (known !== undefined) return known
    const declared = this.#declaredSize(this.#pathOf(expression))
    if (declared !== undefined) {
      this.#sizes.set(expression, declared)
      return declared
    }
    if (isScalar(expression.type)) return one
    return expression.kind === 'ident' ? this.#local(expression.name)?.size : undefined
  }

  /** The size by the declared type. The first name of a path is always taken to be that of the root. */
  #declaredSize(path: FieldPath | undefined): Range | undefined {
    if (path === undefined) return undefined
    let type: SizedType | undefined = this.#root
    for (const name of namesOf(path).slice(1)) {
      if (name === '@items' || name === '@values') type = type.elements?.()
      else if (name === '@keys') type = type.elements !== undefined && type.fieldOf === undefined ? keys : undefined
      else type = type.fieldOf?.(name)
      if (type === undefined) return undefined
    }
    return { min: 0, max: Math.min(type.maxElements, largest) }
  }
}

function literalSize(expression: Expression): Range | undefined {
  if (expression.kind === 'list') return exactly(expression.items.length)
  if (expression.kind === 'map') return exactly(expression.entries.length)
  if (expression.kind !== 'literal') return undefined
  const { value } = expression
  if (typeof value === 'string') return exactly([...value].length)
  return exactly(value instanceof Uint8Array && !(value instanceof UnsignedInt) ? value.length : 1)
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])

function isScalar(type: CelType): boolean {
  const element = optionalElement(type)
  return element === undefined ? scalars.has(type.kind) : isScalar(element)
}
