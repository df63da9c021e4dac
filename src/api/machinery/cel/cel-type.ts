// The types of CEL, and which type stands for which.

export type CelType =
  | { readonly kind: SimpleKind }
  | { readonly kind: 'list'; readonly of: CelType; readonly listType?: ListType }
  | { readonly kind: 'map'; readonly key: CelType; readonly of: CelType }
  | ObjectType
  /** `optional_type(T)`, and the types of libraries: kubernetes.Quantity, net.IP, … */
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly CelType[] }
  /** A type variable of an overload. */
  | { readonly kind: 'param'; readonly name: string }
  /** The type of a type: `type(1)`, `int`. */
  | { readonly kind: 'type'; readonly of?: CelType }

type SimpleKind = 'int' | 'uint' | 'double' | 'bool' | 'string' | 'bytes' | 'null' | 'timestamp' | 'duration' | 'dyn'

/** Kubernetes' list types, which decide how two lists are compared. */
export type ListType = { readonly kind: 'set' } | { readonly kind: 'map'; readonly keys: readonly string[] }

/** A type with named fields. `fieldOf` is asked when a field is first used, so that large schemas cost nothing until then. */
export interface ObjectType {
  readonly kind: 'object'
  readonly name: string
  /** Undefined: there is no such field. */
  fieldOf(name: string): ObjectField | undefined
}

export interface ObjectField {
  readonly type: CelType
  /** Its name in JSON, where CEL's differs (`__namespace__`, `a__dash__b`). */
  readonly jsonName: string
  readonly default?: unknown
}

export const int: CelType = { kind: 'int' }
export const uint: CelType = { kind: 'uint' }
export const double: CelType = { kind: 'double' }
export const bool: CelType = { kind: 'bool' }
export const string: CelType = { kind: 'string' }
export const bytes: CelType = { kind: 'bytes' }
export const nullType: CelType = { kind: 'null' }
export const timestamp: CelType = { kind: 'timestamp' }
export const duration: CelType = { kind: 'duration' }
export const dyn: CelType = { kind: 'dyn' }
export const typeType: CelType = { kind: 'type' }
export const listOf = (of: CelType, listType?: ListType): CelType => ({ kind: 'list', of, ...(listType !== undefined && { listType }) })
export const mapOf = (key: CelType, of: CelType): CelType => ({ kind: 'map', key, of })
export const optionalOf = (of: CelType): CelType => ({ kind: 'opaque', name: 'optional_type', parameters: [of] })
export const opaque = (name: string): CelType => ({ kind: 'opaque', name, parameters: [] })
export const param = (name: string): CelType => ({ kind: 'param', name })

/** The T of optional_type(T); undefined for all other types. */
export function optionalElement(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.parameters[0] : undefined
}

/** As cel-go writes it in messages. */
export function typeName(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${typeName(type.of)})`
    case 'map':
      return `map(${typeName(type.key)}, ${typeName(type.of)})`
    case 'object':
      return type.name
    case 'opaque':
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(typeName).join(', ')})`
    case 'param':
      return type.name
    case 'type':
      return type.of === undefined ? 'type' : `type(${typeName(type.of)})`
    default:
      return type.kind
  }
}

/** Values of type variables while an overload is matched. */
type Bindings = Map<string, CelType>

/** Whether a value of type `given` may stand where `wanted` is wanted. Binds the variables of `wanted`. */
export function isAssignable(wanted: CelType, given: CelType, bindings: Bindings): boolean {
  if (wanted.kind === 'param') {
    const bound = bindings.get(wanted.name)
    if (bound === undefined || bound.kind === 'dyn') {
      if (bound === undefined || given.kind !== 'dyn') bindings.set(wanted.name, given)
      return true
    }
    if (isAssignable(bound, given, bindings)) return true
    if (!isAssignable(given, bound, bindings)) return false
    bindings.set(wanted.name, given)
    return true
  }
  if (wanted.kind === 'dyn' || given.kind === 'dyn' || given.kind === 'param') return true
  if (
    given.kind === 'null' &&
    (wanted.kind === 'object' || wanted.kind === 'timestamp' || wanted.kind === 'duration' || wanted.kind === 'opaque')
  )
    return true
  if (wanted.kind !== given.kind) return false
  if (wanted.kind === 'list' && given.kind === 'list') return isAssignable(wanted.of, given.of, bindings)
  if (wanted.kind === 'map' && given.kind === 'map')
    return isAssignable(wanted.key, given.key, bindings) && isAssignable(wanted.of, given.of, bindings)
  if (wanted.kind === 'object' && given.kind === 'object') return wanted.name === given.name
  if (wanted.kind === 'opaque' && given.kind === 'opaque')
    return wanted.name === given.name && wanted.parameters.every((one, at) => isAssignable(one, given.parameters[at]!, bindings))
  return true
}

/** The type with its variables replaced. A variable without a value is dyn. */
export function substitute(type: CelType, bindings: Bindings): CelType {
  switch (type.kind) {
    case 'param':
      return bindings.get(type.name) ?? dyn
    case 'list':
      return listOf(substitute(type.of, bindings), type.listType)
    case 'map':
      return mapOf(substitute(type.key, bindings), substitute(type.of, bindings))
    case 'opaque':
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map((one) => substitute(one, bindings)) }
    case 'type':
      return type.of === undefined ? type : { kind: 'type', of: substitute(type.of, bindings) }
    default:
      return type
  }
}

/** The common type of two, or undefined where they have none. */
export function joinTypes(one: CelType, other: CelType): CelType | undefined {
  if (one.kind === 'dyn') return isAssignable(one, other, new Map()) ? one : undefined
  if (isAssignable(one, other, new Map())) return hasDyn(other) ? other : one
  return isAssignable(other, one, new Map()) ? other : undefined
}

function hasDyn(type: CelType): boolean {
  return type.kind === 'dyn' || (type.kind === 'list' && hasDyn(type.of)) || (type.kind === 'map' && (hasDyn(type.key) || hasDyn(type.of)))
}
