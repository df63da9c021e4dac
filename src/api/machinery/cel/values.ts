// The values of CEL. int is a bigint, double a number, the rest as in JavaScript or one of these classes. JSON is wrapped when it is read, part by
// part, by the type that its schema declares: nothing is copied.
// Kubernetes: github.com/google/cel-go/common/types/ref.Val
// Kubernetes: k8s.io/apiserver/pkg/cel.Quantity, URL, IP, CIDR, Semver, Format
import { type CelType, dyn, type ListType, type ObjectType } from './cel-type.ts'
import { Duration, parseDuration, parseTimestamp, Timestamp } from './time.ts'

export class UnsignedInt {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

export class Optional {
  static readonly none = new Optional(undefined)
  /** Undefined: there is none. */
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

export class TypeValue {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A value of a library's own type: a quantity, an IP address. */
export class OpaqueValue<T = unknown> {
  readonly typeName: string
  readonly content: T
  readonly #isSame: (one: T, other: T) => boolean

  constructor(type: { readonly name: string }, content: T, isSame: (one: T, other: T) => boolean = Object.is) {
    this.typeName = type.name
    this.content = content
    this.#isSame = isSame
  }

  /** The other value has the same type. */
  equals(other: OpaqueValue<T>): boolean {
    return this.#isSame(this.content, other.content)
  }
}

export class CelList {
  readonly #raw: readonly unknown[]
  readonly #element: CelType | undefined
  readonly listType: ListType | undefined

  /** Without a type, the items are values already. */
  constructor(raw: readonly unknown[], element?: CelType, listType?: ListType) {
    this.#raw = raw
    this.#element = element
    this.listType = listType
  }

  get size(): number {
    return this.#raw.length
  }

  at(index: number): unknown {
    return this.#element === undefined ? this.#raw[index] : toValue(this.#element, this.#raw[index])
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (let index = 0; index < this.#raw.length; index++) yield this.at(index)
  }
}

export interface CelMap {
  readonly size: number
  /** Undefined: there is no such key. */
  get(key: unknown): unknown
  entries(): Iterable<readonly [key: unknown, value: unknown]>
}

/** A JSON object as a map. */
export class JsonMap implements CelMap {
  readonly raw: Readonly<Record<string, unknown>>
  readonly #of: CelType

  constructor(raw: Readonly<Record<string, unknown>>, of: CelType) {
    this.raw = raw
    this.#of = of
  }

  get size(): number {
    return Object.keys(this.raw).length
  }

  get(key: unknown): unknown {
    if (typeof key !== 'string' || !Object.hasOwn(this.raw, key)) return undefined
    return toValue(this.#of, this.raw[key])
  }

  *entries(): Iterable<readonly [unknown, unknown]> {
    for (const key of Object.keys(this.raw)) yield [key, toValue(this.#of, this.raw[key])]
  }
}

/** A JSON object with declared fields. */
export class JsonObject implements CelMap {
  readonly raw: Readonly<Record<string, unknown>>
  readonly type: ObjectType

  constructor(raw: Readonly<Record<string, unknown>>, type: ObjectType) {
    this.raw = raw
    this.type = type
  }

  get size(): number {
    return Object.keys(this.raw).length
  }

  get(key: unknown): unknown {
    if (typeof key !== 'string') return undefined
    const field = this.type.fieldOf(key)
    if (field === undefined || !Object.hasOwn(this.raw, field.jsonName)) return undefined
    const raw = this.raw[field.jsonName]
    return raw === undefined ? undefined : toValue(field.type, raw)
  }

  *entries(): Iterable<readonly [unknown, unknown]> {
    for (const key of Object.keys(this.raw)) yield [key, toValue(this.type.fieldOf(key)?.type ?? dyn, this.raw[key])]
  }
}

/** A map that an expression made. 1, 1u and 1.0 are one key. */
export class LiteralMap implements CelMap {
  readonly #entries = new Map<unknown, readonly [unknown, unknown]>()

  get size(): number {
    return this.#entries.size
  }

  get(key: unknown): unknown {
    return this.#entries.get(normalKey(key))?.[1]
  }

  /** False: the key was there. */
  add(key: unknown, value: unknown): boolean {
    const normal = normalKey(key)
    if (this.#entries.has(normal)) return false
    this.#entries.set(normal, [key, value])
    return true
  }

  entries(): Iterable<readonly [unknown, unknown]> {
    return this.#entries.values()
  }
}

/** A struct that an expression made: `Object.spec{replicas: 3}`. */
export class StructValue implements CelMap {
  readonly typeName: string
  readonly fields: ReadonlyMap<string, unknown>

  constructor(typeName: string, fields: ReadonlyMap<string, unknown>) {
    this.typeName = typeName
    this.fields = fields
  }

  get size(): number {
    return this.fields.size
  }

  get(key: unknown): unknown {
    return this.fields.get(key as string)
  }

  entries(): Iterable<readonly [unknown, unknown]> {
    return this.fields.entries()
  }
}

function normalKey(key: unknown): unknown {
  if (key instanceof UnsignedInt) return key.value
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key
}

export function isMap(value: unknown): value is CelMap {
  return value instanceof JsonObject || value instanceof JsonMap || value instanceof LiteralMap || value instanceof StructValue
}

/** JSON, or a value already, as a value of the type. */
export function toValue(type: CelType, raw: unknown): unknown {
  if (raw === null || raw === undefined) return null
  switch (typeof raw) {
    case 'number':
      return type.kind === 'double' || !Number.isInteger(raw) ? raw : BigInt(raw)
    case 'string':
      if (type.kind === 'timestamp') return parseTimestamp(raw) ?? raw
      if (type.kind === 'duration') return parseDuration(raw) ?? raw
      return type.kind === 'bytes' ? fromBase64(raw) : raw
    case 'object':
      break
    default:
      return raw
  }
  if (Array.isArray(raw)) return type.kind === 'list' ? new CelList(raw, type.of, type.listType) : new CelList(raw, dyn)
  if (Object.getPrototypeOf(raw) !== Object.prototype && Object.getPrototypeOf(raw) !== null) return raw
  if (type.kind === 'object') return new JsonObject(raw as Record<string, unknown>, type)
  return new JsonMap(raw as Record<string, unknown>, type.kind === 'map' ? type.of : dyn)
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text)
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** The name of its type, as `type(x)` and messages have it. */
export function typeNameOf(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return 'int'
    case 'number':
      return 'double'
    case 'boolean':
      return 'bool'
    case 'string':
      return 'string'
    default:
      break
  }
  if (value === null) return 'null_type'
  if (value instanceof CelList) return 'list'
  if (value instanceof JsonObject) return value.type.name
  if (value instanceof StructValue) return value.typeName
  if (isMap(value)) return 'map'
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp'
  if (value instanceof Duration) return 'google.protobuf.Duration'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof UnsignedInt) return 'uint'
  if (value instanceof Optional) return 'optional_type'
  if (value instanceof TypeValue) return 'type'
  return value instanceof OpaqueValue ? value.typeName : 'dyn'
}

/** What a step over all of it costs, before the factor: characters, bytes, items; 1 for all else. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (value instanceof CelList || isMap(value)) return value.size
  return value instanceof Uint8Array ? value.length : 1
}
