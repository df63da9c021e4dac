// Checks the types of an expression, and makes a function of each part.
import {
  bool,
  type CelType,
  dyn,
  int,
  isAssignable,
  joinTypes,
  listOf,
  mapOf,
  optionalElement,
  optionalOf,
  substitute,
  typeName,
} from './cel-type.ts'
import { callOf } from './dispatch.ts'
import { EvaluationError } from './evaluation-error.ts'
import { runFold } from './folds.ts'
import type { Functions, Overload } from './functions.ts'
import { literalProblem } from './literal-rules.ts'
import { bothTrue, eitherTrue, type Run } from './program.ts'
import { hasField, readIndex, readOptionalIndex, select, selectOptional } from './selection.ts'
import { CompileError, type Fold, type MapEntry, type Node, type Problem, type StructField } from './syntax.ts'
import { foldType, foldVariables, literalType, namedTypes, predicateName, qualifiedName } from './type-rules.ts'
import { CelList, LiteralMap, type Optional, StructValue, TypeValue } from './values.ts'

interface Typed {
  readonly type: CelType
  readonly run: Run
}

export interface Names {
  readonly variables: ReadonlyMap<string, CelType>
  readonly functions: Functions
  /** Types that a struct literal may name. */
  structOf?(name: string): CelType | undefined
}

const failed: Typed = {
  type: dyn,
  run: () => {
    throw new EvaluationError('not compiled')
  },
}

export class Compiler {
  readonly #source: string
  readonly #names: Names
  readonly #locals: { readonly name: string; readonly type: CelType; readonly slot: number }[] = []
  readonly #problems: Problem[] = []
  readonly #slots = new Map<string, number>()
  /** The type of each part, for the estimate of costs. */
  readonly types = new Map<Node, CelType>()
  #nextSlot: number
  /** Inside of the arguments of format(), whose items may be of any types. */
  #mayMix = 0

  constructor(source: string, names: Names) {
    this.#source = source
    this.#names = names
    for (const name of names.variables.keys()) this.#slots.set(name, this.#slots.size)
    this.#nextSlot = this.#slots.size
  }

  /** The number of slots that a frame needs. */
  get slotCount(): number {
    return this.#nextSlot
  }

  /** Throws CompileError. */
  compile(node: Node): Typed {
    const typed = this.#of(node)
    if (this.#problems.length > 0) throw new CompileError(this.#source, this.#problems)
    return typed
  }

  #fail(at: number, message: string): Typed {
    this.#problems.push({ at, message })
    return failed
  }

  #of(node: Node): Typed {
    const typed = this.#make(node)
    this.types.set(node, typed.type)
    return typed
  }

  #make(node: Node): Typed {
    switch (node.kind) {
      case 'literal':
        return { type: literalType(node.value), run: () => node.value }
      case 'ident':
        return this.#ident(node.name) ?? this.#fail(node.at, `undeclared reference to '${node.name}' (in container '')`)
      case 'select':
        return this.#select(node)
      case 'index':
        return this.#index(node)
      case 'call':
        return this.#call(node)
      case 'list':
        return this.#list(node)
      case 'map':
        return this.#map(node.entries)
      case 'struct':
        return this.#struct(node.at, node.name, node.fields)
      case 'fold':
        return this.#fold(node)
    }
  }

  #ident(name: string): Typed | undefined {
    const local = this.#locals.findLast((one) => one.name === name)
    const slot = local?.slot ?? this.#slots.get(name)
    if (slot !== undefined) {
      const type = local?.type ?? this.#names.variables.get(name)!
      return {
        type,
        run: (frame) => {
          frame.budget.spend(1)
          const value = frame.slots[slot]
          if (value === undefined) throw new EvaluationError(`no such attribute(s): ${name}`)
          return value
        },
      }
    }
    if (!namedTypes.has(name)) return undefined
    const value = new TypeValue(name)
    return { type: { kind: 'type' }, run: () => value }
  }

  #select(node: Extract<Node, { kind: 'select' }>): Typed {
    const { at, field, optional, testOnly } = node
    const path = qualifiedName(node)
    if (path !== undefined && !this.#isVariable(path.split('.')[0]!)) {
      const whole = this.#ident(path)
      if (whole !== undefined) return whole
    }
    const operand = this.#of(node.operand)
    if (operand === failed) return failed
    const isOptional = optionalElement(operand.type) !== undefined
    const of = optionalElement(operand.type) ?? operand.type
    const type = this.#fieldType(at, of, field)
    if (type === undefined) return failed
    if (testOnly) return { type: bool, run: hasField(operand.run, field) }
    if (optional || isOptional) return { type: optionalOf(optionalElement(type) ?? type), run: selectOptional(operand.run, field) }
    return { type, run: select(operand.run, field) }
  }

  #fieldType(at: number, of: CelType, field: string): CelType | undefined {
    if (of.kind === 'dyn') return dyn
    if (of.kind === 'map') return of.of
    if (of.kind === 'object') {
      const found = of.fieldOf(field)
      if (found === undefined) this.#fail(at, `undefined field '${field}'`)
      return found?.type
    }
    this.#fail(at, `type '${typeName(of)}' does not support field selection`)
    return undefined
  }

  #index(node: Extract<Node, { kind: 'index' }>): Typed {
    const operand = this.#of(node.operand)
    const index = this.#of(node.index)
    if (operand === failed || index === failed) return failed
    const element = optionalElement(operand.type)
    const of = element ?? operand.type
    const name = node.optional ? '_[?_]' : '_[_]'
    const mismatch = () =>
      this.#fail(node.at, `found no matching overload for '${name}' applied to '(${typeName(operand.type)}, ${typeName(index.type)})'`)
    let type: CelType
    if (of.kind === 'dyn') type = dyn
    else if (of.kind === 'list' && isAssignable(int, index.type, new Map())) type = of.of
    else if (of.kind === 'map' && isAssignable(of.key, index.type, new Map())) type = of.of
    else return mismatch()
    if (node.optional || element !== undefined) return { type: optionalOf(type), run: readOptionalIndex(operand.run, index.run) }
    return { type, run: readIndex(operand.run, index.run) }
  }

  #isVariable(name: string): boolean {
    return this.#slots.has(name) || this.#locals.some((local) => local.name === name)
  }

  #call(node: Extract<Node, { kind: 'call' }>): Typed {
    const { at, name } = node
    const prefix = node.target === undefined ? undefined : qualifiedName(node.target)
    const namespaced = prefix === undefined ? undefined : this.#overloads(`${prefix}.${name}`)
    const target = namespaced === undefined && node.target !== undefined ? this.#of(node.target) : undefined
    const isLogic = name === '_&&_' || name === '_||_' || name === '_?_:_'
    const shown = namespaced === undefined ? name : `${prefix}.${name}`
    const overloads = namespaced ?? this.#overloads(name)
    if (overloads === undefined && !isLogic) this.#fail(at, `undeclared reference to '${shown}' (in container '')`)
    if (name === 'format') this.#mayMix++
    const args = [...(target === undefined ? [] : [target]), ...node.args.map((one) => this.#of(one))]
    if (name === 'format') this.#mayMix--
    if (args.includes(failed)) return failed
    if (isLogic) return this.#logic(node, args)
    if (overloads === undefined) return failed
    const problem = literalProblem(node, args[0]?.type)
    if (problem !== undefined) return this.#fail(problem.at, problem.message)
    return this.#resolve(at, shown, overloads, target !== undefined, args)
  }

  #overloads(name: string): readonly Overload[] | undefined {
    return Object.hasOwn(this.#names.functions, name) ? this.#names.functions[name] : undefined
  }

  #resolve(at: number, name: string, overloads: readonly Overload[], isMember: boolean, args: readonly Typed[]): Typed {
    const matching: { readonly overload: Overload; readonly result: CelType }[] = []
    for (const overload of overloads) {
      if (overload.isMember !== isMember || overload.args.length !== args.length) continue
      const bindings = new Map<string, CelType>()
      if (overload.args.every((wanted, index) => isAssignable(wanted, args[index]!.type, bindings)))
        matching.push({ overload, result: substitute(overload.result, bindings) })
    }
    const [first] = matching
    if (first === undefined) {
      const types = args.map(({ type }) => typeName(type))
      const shown = isMember ? `${types[0]}.(${types.slice(1).join(', ')})` : `(${types.join(', ')})`
      return this.#fail(at, `found no matching overload for '${name}' applied to '${shown}'`)
    }
    const isSame = matching.every(({ result }) => typeName(result) === typeName(first.result))
    return {
      type: isSame ? first.result : dyn,
      run: callOf(
        name,
        matching.map(({ overload }) => overload),
        args.map(({ run }) => run),
        args.some(({ type }) => type.kind === 'dyn'),
      ),
    }
  }

  #logic({ at, name, args: nodes }: Extract<Node, { kind: 'call' }>, args: readonly Typed[]): Typed {
    const shown = () =>
      this.#fail(at, `found no matching overload for '${name}' applied to '(${args.map(({ type }) => typeName(type)).join(', ')})'`)
    const [one, two, three] = args as [Typed, Typed, Typed?]
    if (three === undefined) {
      const wrong = args.findIndex(({ type }) => !isAssignable(bool, type, new Map()))
      if (wrong >= 0) return this.#fail(nodes[wrong]!.at, `expected type 'bool' but found '${typeName(args[wrong]!.type)}'`)
      return { type: bool, run: name === '_&&_' ? bothTrue(one.run, two.run) : eitherTrue(one.run, two.run) }
    }
    const type = isAssignable(bool, one.type, new Map()) ? joinTypes(two.type, three.type) : undefined
    if (type === undefined) return shown()
    return {
      type,
      run: (frame) => {
        const condition = one.run(frame)
        if (typeof condition !== 'boolean') throw new EvaluationError('no such overload')
        return condition ? two.run(frame) : three.run(frame)
      },
    }
  }

  #list(node: Extract<Node, { kind: 'list' }>): Typed {
    const items = node.items.map((item) => this.#of(item))
    if (items.includes(failed)) return failed
    const of = this.#common(
      items.map(({ type }, at) => ({ at: node.items[at]!.at, type: node.optionals.has(at) ? (optionalElement(type) ?? dyn) : type })),
    )
    if (of === undefined) return failed
    const runs = items.map(({ run }) => run)
    return {
      type: listOf(of),
      run: (frame) => {
        frame.budget.spend(10)
        const values: unknown[] = []
        for (const [at, run] of runs.entries()) {
          const value = run(frame)
          if (!node.optionals.has(at)) values.push(value)
          else if ((value as Optional).value !== undefined) values.push((value as Optional).value)
        }
        return new CelList(values)
      },
    }
  }

  /** Kubernetes requires all items of a literal to have one type. */
  #common(items: readonly { readonly at: number; readonly type: CelType }[]): CelType | undefined {
    let common: CelType | undefined
    for (const { at, type } of items) {
      if (common !== undefined && typeName(common) !== typeName(type)) {
        if (this.#mayMix > 0) return dyn
        this.#fail(at, `expected type '${typeName(common)}' but found '${typeName(type)}'`)
        return undefined
      }
      common = type
    }
    return common ?? dyn
  }

  #map(entries: readonly MapEntry[]): Typed {
    const parts = entries.map(({ key, value, optional }) => ({ key: this.#of(key), value: this.#of(value), optional }))
    if (parts.some(({ key, value }) => key === failed || value === failed)) return failed
    const key = this.#common(parts.map((part, at) => ({ at: entries[at]!.key.at, type: part.key.type })))
    const of = this.#common(
      parts.map((part, at) => ({
        at: entries[at]!.value.at,
        type: part.optional ? (optionalElement(part.value.type) ?? dyn) : part.value.type,
      })),
    )
    if (key === undefined || of === undefined) return failed
    return {
      type: mapOf(key, of),
      run: (frame) => {
        frame.budget.spend(30)
        const map = new LiteralMap()
        for (const part of parts) {
          const name = part.key.run(frame)
          let value = part.value.run(frame)
          if (part.optional) value = (value as Optional).value
          if (value === undefined) continue
          if (!map.add(name, value)) throw new EvaluationError(`Failed with repeated key: ${String(name)}`)
        }
        return map
      },
    }
  }

  #struct(at: number, name: string, fields: readonly StructField[]): Typed {
    const type = this.#names.structOf?.(name)
    const parts = fields.map((field) => ({ ...field, typed: this.#of(field.value) }))
    if (type?.kind !== 'object') return this.#fail(at, `undeclared reference to '${name}' (in container '')`)
    if (parts.some(({ typed }) => typed === failed)) return failed
    for (const part of parts) {
      const declared = this.#fieldType(part.at, type, part.name)
      if (declared === undefined) return failed
      const given = part.optional ? (optionalElement(part.typed.type) ?? dyn) : part.typed.type
      if (!isAssignable(declared, given, new Map()))
        return this.#fail(
          part.at,
          `expected type of field '${part.name}' is '${typeName(declared)}' but provided type is '${typeName(given)}'`,
        )
    }
    return {
      type,
      run: (frame) => {
        frame.budget.spend(40)
        const values = new Map<string, unknown>()
        for (const part of parts) {
          const value = part.typed.run(frame)
          const chosen = part.optional ? (value as Optional).value : value
          if (chosen !== undefined) values.set(part.name, chosen)
        }
        return new StructValue(name, values)
      },
    }
  }

  #fold(node: Fold): Typed {
    const range = this.#of(node.range)
    if (range === failed) return failed
    const types = foldVariables(node, range.type)
    if (types === undefined)
      return this.#fail(
        node.range.at,
        node.fold === 'optMap' || node.fold === 'optFlatMap'
          ? `found no matching overload for '${node.fold}' applied to '${typeName(range.type)}'`
          : `expression of type '${typeName(range.type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      )
    const slots = node.variables.map((name, at) => {
      const slot = this.#nextSlot++
      this.#locals.push({ name, type: types[at]!, slot })
      return slot
    })
    const condition = node.condition === undefined ? undefined : this.#of(node.condition)
    const body = this.#of(node.body)
    this.#locals.length -= slots.length
    if (body === failed || condition === failed) return failed
    const isPredicate = node.fold === 'all' || node.fold === 'exists' || node.fold === 'existsOne' || node.fold === 'filter'
    for (const [part, typed] of [
      [node.condition, condition],
      [isPredicate ? node.body : undefined, body],
    ] as const)
      if (part !== undefined && typed !== undefined && !isAssignable(bool, typed.type, new Map()))
        return this.#fail(node.at, `found no matching overload for '${predicateName(node)}' applied to '(bool, ${typeName(typed.type)})'`)
    return {
      type: foldType(node, range.type, types, body.type),
      run: runFold(node.fold, { range: range.run, body: body.run, slots, ...(condition !== undefined && { condition: condition.run }) }),
    }
  }
}
