// Makes a function of each part of an expression whose types have been checked.
// Kubernetes: github.com/google/cel-go/interpreter.planner.*
import { optionalElement } from './cel-type.ts'
import type { Checked } from './check/check.ts'
import { callOf } from './dispatch.ts'
import { EvaluationError, InstantiationError } from './evaluation-error.ts'
import { runFold } from './folds.ts'
import { compilePattern, patternProblem } from './library/regex.ts'
import { Budget, bothTrue, eitherTrue, type Run } from './program.ts'
import { hasField, readIndex, readOptionalIndex, select, selectOptional } from './selection.ts'
import type { Fold, MapEntry, Node, StructField } from './syntax.ts'
import { namedTypes } from './type-rules.ts'
import { CelList, LiteralMap, type Optional, StructValue, TypeValue } from './values.ts'

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
