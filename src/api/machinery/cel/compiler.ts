// Makes a function of each part of an expression whose types have been checked.
// Kubernetes: github.com/google/cel-go/interpreter.planner.*
import { type CelType, optionalElement } from './cel-type.ts'
import type { Checked } from './check/check.ts'
import { EvaluationError, InstantiationError } from './evaluation-error.ts'
import { runFold } from './folds.ts'
import type { Overload } from './functions.ts'
import { compilePattern, patternProblem } from './library/regex.ts'
import { Budget, bothTrue, eitherTrue, type Frame, type Run } from './program.ts'
import type { Fold, MapEntry, Node, StructField } from './syntax.ts'
import { Duration, Timestamp } from './time.ts'
import { namedTypes } from './type-rules.ts'
import { CelList, isMap, LiteralMap, OpaqueValue, Optional, StructValue, TypeValue, UnsignedInt } from './values.ts'

const conversions = new Set('bool bytes double duration dyn int string timestamp uint'.split(' '))

/** A literal, or the conversion of one. */
const isConstant = (node: Node): boolean =>
  node.kind === 'literal' ||
  (node.kind === 'call' && node.target === undefined && node.args.length === 1 && conversions.has(node.name) && isConstant(node.args[0]!))

/** Throws InstantiationError for a literal that is no pattern. */
function tryPattern(node: Node | undefined): void {
  if (node?.kind !== 'literal' || typeof node.value !== 'string') return
  try {
    compilePattern(node.value)
  } catch (error) {
    throw new InstantiationError(patternProblem(error))
  }
}

/** Throws InstantiationError. */
function tryConstant(run: Run): void {
  try {
    run({ slots: [], budget: new Budget(Number.POSITIVE_INFINITY) })
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error
    throw new InstantiationError(error.message)
  }
}

export class Compiler {
  readonly #checked: Checked
  readonly #locals: { readonly name: string; readonly slot: number }[] = []
  readonly #slots = new Map<string, number>()
  #nextSlot: number

  constructor(checked: Checked, variables: Iterable<string>) {
    this.#checked = checked
    for (const name of variables) this.#slots.set(name, this.#slots.size)
    this.#nextSlot = this.#slots.size
  }

  /** The number of slots that a frame needs. */
  get slotCount(): number {
    return this.#nextSlot
  }

  compile(node: Node): Run {
    switch (node.kind) {
      case 'literal':
        return () => node.value
      case 'ident':
        return this.#name(node.name)
      case 'select':
        return this.#select(node)
      case 'index': {
        const [operand, index] = [this.compile(node.operand), this.compile(node.index)]
        return node.optional || this.#isOptional(node.operand) ? readOptionalIndex(operand, index) : readIndex(operand, index)
      }
      case 'call':
        return this.#call(node)
      case 'list':
        return this.#list(node)
      case 'map':
        return this.#map(node.entries)
      case 'struct':
        return this.#struct(node.name, node.fields)
      case 'fold':
        return this.#fold(node)
    }
  }

  /** A variable, or else a type. */
  #name(name: string): Run {
    const slot = this.#locals.findLast((one) => one.name === name)?.slot ?? this.#slots.get(name)
    if (slot === undefined) {
      if (!namedTypes.has(name)) throw new Error(`Cannot compile: ${name} is neither a variable nor a type.`)
      const value = new TypeValue(name)
      return () => value
    }
    return (frame) => {
      frame.budget.spend(1)
      const value = frame.slots[slot]
      if (value === undefined) throw new EvaluationError(`no such attribute(s): ${name}`)
      return value
    }
  }

  #isOptional(node: Node): boolean {
    return optionalElement(this.#checked.factsOf(node).type) !== undefined
  }

  #select(node: Extract<Node, { kind: 'select' }>): Run {
    const facts = this.#checked.factsOf(node)
    if (facts.kind === 'select' && facts.isName) return this.#name(facts.qualifiedName!)
    const operand = this.compile(node.operand)
    if (node.testOnly) return hasField(operand, node.field)
    return node.optional || this.#isOptional(node.operand) ? selectOptional(operand, node.field) : select(operand, node.field)
  }

  #call(node: Extract<Node, { kind: 'call' }>): Run {
    const facts = this.#checked.factsOf(node)
    if (facts.kind !== 'call') throw new Error(`Cannot compile: ${node.name} was not checked.`)
    const isMember = facts.target !== undefined
    const args = [...(isMember ? [node.target!] : []), ...node.args]
    const runs = args.map((one) => this.compile(one))
    const [one, two, three] = runs as [Run, Run, Run]
    switch (node.name) {
      case '_&&_':
        return bothTrue(one, two)
      case '_||_':
        return eitherTrue(one, two)
      case '_?_:_':
        return (frame) => {
          const condition = one(frame)
          if (typeof condition !== 'boolean') throw new EvaluationError('no such overload')
          return condition ? two(frame) : three(frame)
        }
      default: {
        const mayDiffer = args.some((arg) => this.#checked.factsOf(arg).type.kind === 'dyn')
        const run = callOf(facts.name, facts.overloads, runs, mayDiffer)
        if (conversions.has(facts.name) && isConstant(node)) tryConstant(run)
        else if ((node.name === 'find' || node.name === 'findAll') && isMember) tryPattern(node.args[0])
        return run
      }
    }
  }

  #list(node: Extract<Node, { kind: 'list' }>): Run {
    const runs = node.items.map((item) => this.compile(item))
    return (frame) => {
      frame.budget.spend(10)
      const values: unknown[] = []
      for (const [at, run] of runs.entries()) {
        const value = run(frame)
        if (!node.optionals.has(at)) values.push(value)
        else if ((value as Optional).value !== undefined) values.push((value as Optional).value)
      }
      return new CelList(values)
    }
  }

  #map(entries: readonly MapEntry[]): Run {
    const parts = entries.map(({ key, value, optional }) => ({ key: this.compile(key), value: this.compile(value), optional }))
    return (frame) => {
      frame.budget.spend(30)
      const map = new LiteralMap()
      for (const part of parts) {
        const name = part.key(frame)
        let value = part.value(frame)
        if (part.optional) value = (value as Optional).value
        if (value === undefined) continue
        if (!map.add(name, value)) throw new EvaluationError(`Failed with repeated key: ${String(name)}`)
      }
      return map
    }
  }

  #struct(name: string, fields: readonly StructField[]): Run {
    const parts = fields.map((field) => ({ ...field, run: this.compile(field.value) }))
    return (frame) => {
      frame.budget.spend(40)
      const values = new Map<string, unknown>()
      for (const part of parts) {
        const value = part.run(frame)
        const chosen = part.optional ? (value as Optional).value : value
        if (chosen !== undefined) values.set(part.name, chosen)
      }
      return new StructValue(name, values)
    }
  }

  #fold(node: Fold): Run {
    const range = this.compile(node.range)
    const slots = node.variables.map((name) => {
      const slot = this.#nextSlot++
      this.#locals.push({ name, slot })
      return slot
    })
    const condition = node.condition === undefined ? undefined : this.compile(node.condition)
    const body = this.compile(node.body)
    this.#locals.length -= slots.length
    return runFold(node.fold, { range, body, slots, ...(condition !== undefined && { condition }) })
  }
}

// Calls of functions: which overload, at what cost.
// Kubernetes: github.com/google/cel-go/interpreter.CostTracker.costCall
// Kubernetes: k8s.io/apiserver/pkg/cel/library.CostEstimator.CallCost
/** `mayDiffer`: the types of arguments are known only at run time. */
function callOf(name: string, overloads: readonly Overload[], args: readonly Run[], mayDiffer: boolean): Run {
  const [first] = overloads as [Overload]
  const isChosen = overloads.length === 1 && !mayDiffer
  return (frame) => {
    const values = args.map((run) => run(frame))
    const overload = isChosen ? first : overloads.find((one) => one.args.every((type, at) => isOfType(values[at], type)))
    if (overload === undefined) throw new EvaluationError('no such overload')
    const result = (overload.call as (...args: unknown[]) => unknown)(...values)
    frame.budget.spend(overload.cost === undefined ? 1 : overload.cost(values, result))
    if (result === undefined) throw new EvaluationError(`${name} has no result`)
    return result
  }
}

type IsOfType<K extends CelType['kind']> = (value: unknown, type: Extract<CelType, { readonly kind: K }>) => boolean

const checks: { readonly [K in CelType['kind']]: IsOfType<K> } = {
  dyn: () => true,
  error: () => true,
  param: () => true,
  int: (value) => typeof value === 'bigint',
  double: (value) => typeof value === 'number',
  bool: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  null: (value) => value === null,
  uint: (value) => value instanceof UnsignedInt,
  bytes: (value) => value instanceof Uint8Array,
  timestamp: (value) => value instanceof Timestamp,
  duration: (value) => value instanceof Duration,
  list: (value, type) => value instanceof CelList && (value.size === 0 || isOfType(value.at(0), type.of)),
  map: isMap,
  object: isMap,
  type: (value) => value instanceof TypeValue,
  opaque: (value, { name }) =>
    name === 'optional_type' ? value instanceof Optional : value instanceof OpaqueValue && value.typeName === name,
}

/** Whether the value is of the type, without regard to what it contains. */
const isOfType = (value: unknown, type: CelType): boolean => (checks[type.kind] as IsOfType<CelType['kind']>)(value, type)

// Reading fields and items.
// Kubernetes: github.com/google/cel-go/interpreter.refQualify, newQualifier
// Kubernetes: k8s.io/apiserver/pkg/cel.Unescape
/** Undefined: it has no such field. */
function fieldOf(value: unknown, field: string): unknown {
  if (isMap(value)) return value.get(field)
  if (value instanceof CelList) throw new EvaluationError("unsupported index type 'string' in list")
  throw new EvaluationError(`no such key: ${field}`)
}

function select(operand: Run, field: string): Run {
  return (frame) => {
    const value = fieldOf(operand(frame), field)
    frame.budget.spend(1)
    if (value === undefined) throw new EvaluationError(`no such key: ${field}`)
    return value
  }
}

function hasField(operand: Run, field: string): Run {
  return throughOptional(operand, false, (value) => fieldOf(value, field) !== undefined)
}

function selectOptional(operand: Run, field: string): Run {
  return throughOptional(operand, Optional.none, (value, { budget }) => {
    budget.spend(1)
    const found = fieldOf(value, field)
    return found === undefined ? Optional.none : found instanceof Optional ? found : new Optional(found)
  })
}

/** Reads from the operand, or from the value in it if it is an optional; `none` if that has no value. */
function throughOptional(operand: Run, none: unknown, read: (value: unknown, frame: Frame) => unknown): Run {
  return (frame) => {
    const value = operand(frame)
    if (!(value instanceof Optional)) return read(value, frame)
    return value.value === undefined ? none : read(value.value, frame)
  }
}

function readIndex(operand: Run, index: Run): Run {
  return (frame) => {
    const value = operand(frame)
    const key = index(frame)
    frame.budget.spend(1)
    const found = itemOf(value, key)
    if (found !== undefined) return found
    if (value instanceof CelList) throw new EvaluationError(`index out of bounds: ${showKey(key)}`)
    throw new EvaluationError(`no such key: ${showKey(key)}`)
  }
}

function readOptionalIndex(operand: Run, index: Run): Run {
  return throughOptional(operand, Optional.none, (value, frame) => {
    frame.budget.spend(1)
    const found = itemOf(value, index(frame))
    return found === undefined ? Optional.none : new Optional(found)
  })
}

function itemOf(value: unknown, key: unknown): unknown {
  if (isMap(value)) return value.get(key)
  if (!(value instanceof CelList)) throw new EvaluationError('no such overload')
  const at = key instanceof UnsignedInt ? key.value : key
  if (typeof at !== 'bigint' && !(typeof at === 'number' && Number.isInteger(at))) throw new EvaluationError('unsupported index type')
  return at < 0 || at >= value.size ? undefined : value.at(Number(at))
}

const showKey = (key: unknown) => String(key instanceof UnsignedInt ? key.value : key)
