// The types of CEL, and which type stands for which.
// Kubernetes: k8s.io/apiserver/pkg/cel.DeclType
// Kubernetes: github.com/google/cel-go/common/types.Type

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

type SimpleKind = 'int' | 'uint' | 'double' | 'bool' | 'string' | 'bytes' | 'null' | 'timestamp' | 'duration' | 'dyn' | 'error'

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
/** The type of an expression that has a problem: it fits everywhere, so that one mistake is reported once. */
export const errorType: CelType = { kind: 'error' }
export const typeType: CelType = { kind: 'type' }
export const listOf = (of: CelType, listType?: ListType): CelType => ({ kind: 'list', of, ...(listType !== undefined && { listType }) })
export const mapOf = (key: CelType, of: CelType): CelType => ({ kind: 'map', key, of })
export const optionalOf = (of: CelType): CelType => ({ kind: 'opaque', name: 'optional_type', parameters: [of] })
export const opaque = (name: string): Extract<CelType, { kind: 'opaque' }> => ({ kind: 'opaque', name, parameters: [] })
export const param = (name: string): CelType => ({ kind: 'param', name })

/** The T of optional_type(T); undefined for all other types. */
export function optionalElement(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.parameters[0] : undefined
}

/** As cel-go writes it in messages. `simpleNames` has other names for simple types. */
export function typeName(type: CelType, simpleNames: Readonly<Record<string, string>> = {}): string {
  const nameOf = (part: CelType) => typeName(part, simpleNames)
  switch (type.kind) {
    case 'list':
      return `list(${nameOf(type.of)})`
    case 'map':
      return `map(${nameOf(type.key)}, ${nameOf(type.of)})`
    case 'object':
    case 'param':
      return type.name
    case 'opaque':
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(nameOf).join(', ')})`
    case 'type':
      return type.of === undefined ? 'type' : `type(${nameOf(type.of)})`
    case 'error':
      return '!error!'
    default:
      return simpleNames[type.kind] ?? type.kind
  }
}
