// Type variables, and which types stand for them. An expression of an unknown type, such as the items of `[]`, gets a variable that later
// uses bind.
// Kubernetes: github.com/google/cel-go/checker.isAssignable, internalIsAssignable, checker.joinTypes, mostGeneral, substitute
import { type CelType, dyn, listOf, mapOf, param } from '../cel-type.ts'
import { TooComplexError } from '../syntax.ts'

/** How many types a type may be made of: `{x: x}` has twice as many as x. */
const maxSize = 1000
/** The maximum number of comparisons of types, and of searches for a variable in a type, in one unification. */
const maxSteps = 100_000

const isWild = ({ kind }: CelType) => kind === 'dyn' || kind === 'error'

/** The types that a type is made of. */
export function parametersOf(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case 'list':
      return [type.of]
    case 'map':
      return [type.key, type.of]
    case 'opaque':
      return type.parameters
    case 'type':
      return type.of === undefined ? [] : [type.of]
    default:
      return []
  }
}

/** `isExact`: two variables are the same only if they have the same name. */
export function isSameType(one: CelType, other: CelType, isExact = true): boolean {
  if (one === other) return true
  if (one.kind !== other.kind) return false
  if (one.kind === 'param') return !isExact || one.name === (other as typeof one).name
  if (one.kind === 'object' || one.kind === 'opaque') if (one.name !== (other as typeof one).name) return false
  const [ofOne, ofOther] = [parametersOf(one), parametersOf(other)]
  return ofOne.length === ofOther.length && ofOne.every((type, at) => isSameType(type, ofOther[at]!, isExact))
}

/** Of two compatible types, the less specific one. */
export function moreGeneral(one: CelType, other: CelType): CelType {
  return isLessSpecific(one, other) ? one : other
}

function isLessSpecific(one: CelType, other: CelType): boolean {
  if (one.kind === 'dyn' || one.kind === 'param') return true
  if (other.kind === 'dyn' || other.kind === 'param' || one.kind !== other.kind) return false
  if (one.kind === 'type') return true
  if (one.kind === 'object') return one.name === (other as typeof one).name
  const [ofOne, ofOther] = [parametersOf(one), parametersOf(other)]
  if (one.kind === 'opaque' && (one.name !== (other as typeof one).name || ofOne.length !== ofOther.length)) return false
  return ofOne.every((type, at) => isLessSpecific(type, ofOther[at]!))
}

const mayBeNull = ({ kind }: CelType) =>
  kind === 'null' || kind === 'object' || kind === 'opaque' || kind === 'timestamp' || kind === 'duration'

export class TypeVariables {
  readonly #bound = new Map<string, CelType>()
  /** What was bound since the last attempt began, to be undone if it fails. */
  readonly #undo: (readonly [string, CelType | undefined])[] = []
  #count = 0
  #steps = 0

  make(): CelType {
    return param(`_var${this.#count++}`)
  }

  /** Whether each type fits the other at its place. Binds variables of both, if so. */
  fit(given: readonly CelType[], wanted: readonly CelType[]): boolean {
    this.#undo.length = 0
    this.#steps = 0
    if (given.length === wanted.length && given.every((type, at) => this.#fits(type, wanted[at]!))) return true
    for (const [name, before] of this.#undo.reverse())
      if (before === undefined) this.#bound.delete(name)
      else this.#bound.set(name, before)
    return false
  }

  /** Throws TooComplexError if the type, with its variables replaced, is too large. */
  limitSize(type: CelType): void {
    let size = 0
    const add = (part: CelType) => {
      if (++size > maxSize) throw new TooComplexError(`type is too complex: it is made of more than ${maxSize} types`)
      const bound = part.kind === 'param' ? this.#bound.get(part.name) : undefined
      if (bound !== undefined) add(bound)
      for (const inner of parametersOf(part)) add(inner)
    }
    add(type)
  }

  /** The type with its variables replaced; `isFinal`: those without a value by dyn. Throws TooComplexError. */
  resolve(type: CelType, isFinal = false): CelType {
    this.limitSize(type)
    return this.#replace(type, isFinal)
  }

  #replace(type: CelType, isFinal: boolean): CelType {
    if (type.kind === 'param') {
      const bound = this.#bound.get(type.name)
      if (bound !== undefined) return this.#replace(bound, isFinal)
      return isFinal ? dyn : type
    }
    switch (type.kind) {
      case 'list': {
        const of = this.#replace(type.of, isFinal)
        return of === type.of ? type : listOf(of, type.listType)
      }
      case 'map': {
        const [key, of] = [this.#replace(type.key, isFinal), this.#replace(type.of, isFinal)]
        return key === type.key && of === type.of ? type : mapOf(key, of)
      }
      case 'opaque': {
        const parameters = type.parameters.map((one) => this.#replace(one, isFinal))
        return parameters.every((one, at) => one === type.parameters[at]) ? type : { ...type, parameters }
      }
      case 'type': {
        const of = type.of === undefined ? undefined : this.#replace(type.of, isFinal)
        return of === undefined || of === type.of ? type : { kind: 'type', of }
      }
      default:
        return type
    }
  }

  #step(): void {
    if (++this.#steps > maxSteps) throw new TooComplexError(`types are too complex: comparing them takes more than ${maxSteps} steps`)
  }

  #fits(one: CelType, other: CelType): boolean {
    this.#step()
    if (other.kind === 'param') {
      const found = this.#bind(one, other.name, other)
      if (found !== undefined) return found
    }
    if (one.kind === 'param') return this.#bind(other, one.name, one) ?? false
    if (isWild(one) || isWild(other)) return true
    if (one.kind === 'null') return mayBeNull(other)
    if (other.kind === 'null') return mayBeNull(one)
    if (one.kind !== other.kind) return false
    if (one.kind === 'type') return true
    if ((one.kind === 'object' || one.kind === 'opaque') && one.name !== (other as typeof one).name) return false
    const [ofOne, ofOther] = [parametersOf(one), parametersOf(other)]
    return ofOne.length === ofOther.length && ofOne.every((type, at) => this.#fits(type, ofOther[at]!))
  }

  /** Whether the variable can stand for the type. Undefined: it has no value yet, and cannot be bound to this type. */
  #bind(type: CelType, name: string, variable: CelType): boolean | undefined {
    if (type.kind === 'param' && type.name === name) return true
    const bound = this.#bound.get(name)
    if (bound === undefined) {
      if (this.#occurs(name, type)) return undefined
      this.#set(name, type)
      return true
    }
    if (isSameType(type, bound)) return true
    if (!this.#fits(type, bound)) return false
    const general = moreGeneral(type, bound)
    if (!this.#occurs(name, general) && !isSameType(general, variable)) this.#set(name, general)
    return true
  }

  #set(name: string, type: CelType): void {
    this.#undo.push([name, this.#bound.get(name)])
    this.#bound.set(name, type)
  }

  #occurs(name: string, type: CelType): boolean {
    this.#step()
    if (type.kind !== 'param') return parametersOf(type).some((one) => this.#occurs(name, one))
    if (type.name === name) return true
    const bound = this.#bound.get(type.name)
    return bound !== undefined && this.#occurs(name, bound)
  }
}
