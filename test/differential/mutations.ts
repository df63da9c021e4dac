// Random changes of an object, guided by the OpenAPI document of the real server: the field exists, its value is valid or just beyond a limit.
import type { Random } from '../../src/base/random.ts'

export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly kind: string }[]
}
export type Schemas = Readonly<Record<string, Schema>>
type Json = unknown
type Fields = Record<string, Json>

const strings = [
  ...['', 'a', 'x', 'web', 'A_b', '-a', 'a.b', 'a/b', 'a'.repeat(64), 'a'.repeat(254), '1', '0', '-1', '10m', '1Gi', '50%', '101%', '-5%'],
  ...['http', '/abs', '../x', 'kubernetes.io/x', 'example.org/x', 'true', 'é', ' ', '2026-01-01T00:00:00Z', 'tomorrow', 'Always', 'None'],
  ...['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/64', '$(A)', 'a,b', 'app', 'metadata.name', 'nginx:1.25', 'https://example.org/x', '*'],
]
const integers = [-1, 0, 1, 2, 3, 10, 80, 100, 101, 1000, 65535, 65536, 100_000, 2 ** 31 - 1, 2 ** 31]
const keys = ['a', 'app', 'example.org/a', 'cpu', 'memory', 'storage', 'pods', 'A b', '', '-', 'kubernetes.io/x', 'x'.repeat(64)]

/** Metadata that the server writes, and what differs between two servers. */
const untouched = new Set(['managedFields', 'uid', 'resourceVersion', 'creationTimestamp', 'selfLink', 'generation', 'name', 'namespace'])

export class Mutator {
  readonly #random: Random
  readonly #schemas: Schemas

  constructor(random: Random, schemas: Schemas) {
    this.#random = random
    this.#schemas = schemas
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random.next() * from.length)]!
  }

  chance(share: number): boolean {
    return this.#random.next() < share
  }

  /** A copy with one to three changes, and the smallest fragment that has the first of them, for patches. */
  mutate(object: object, schema: Schema, changes: number): { readonly object: Fields; readonly fragment: Fields } {
    let next = structuredClone(object) as Fields
    let fragment: Fields = {}
    for (let i = 0; i < changes; i++) {
      const path: string[] = []
      next = this.#change(next, schema, path) as Fields
      if (i === 0) fragment = fragmentOf(next, path)
    }
    return { object: next, fragment }
  }

  resolve(schema: Schema | undefined): Schema {
    if (schema === undefined) return {}
    const ref = schema.$ref ?? schema.allOf?.[0]?.$ref
    return ref === undefined ? schema : (this.#schemas[ref.slice('#/components/schemas/'.length)] ?? {})
  }

  #change(value: Json, given: Schema, path: string[]): Json {
    const schema = this.resolve(given)
    if (schema.properties !== undefined && isFields(value)) {
      const names = Object.keys(schema.properties).filter((name) => path[0] !== 'metadata' || path.length > 1 || !untouched.has(name))
      const usable = names.filter((name) => name !== 'apiVersion' && name !== 'kind')
      if (usable.length === 0) return value
      const present = usable.filter((name) => name in value)
      // Mostly deeper into what is there: that is where the rules are.
      const name = present.length > 0 && this.chance(0.7) ? this.pick(present) : this.pick(usable)
      const copy = { ...value }
      path.push(name)
      if (!(name in copy)) copy[name] = this.value(schema.properties[name], 0)
      else if (this.chance(0.06)) delete copy[name]
      else copy[name] = this.#change(copy[name], schema.properties[name]!, path)
      return copy
    }
    if (Array.isArray(value) && schema.items !== undefined && value.length > 0) {
      const at = Math.floor(this.#random.next() * value.length)
      if (this.chance(0.15)) return [...value, this.value(schema.items, 0)]
      if (this.chance(0.1)) return [...value, value[at]]
      if (this.chance(0.1)) return value.toSpliced(at, 1)
      return value.with(at, this.#change(value[at], schema.items, [...path, '0']))
    }
    if (isFields(value) && typeof schema.additionalProperties === 'object' && this.chance(0.8))
      return { ...value, [this.chance(0.5) ? this.pick(keys) : (Object.keys(value)[0] ?? 'a')]: this.value(schema.additionalProperties, 1) }
    return this.value(given, 0)
  }

  /** A random value for the schema, at times of another type. */
  value(given: Schema | undefined, depth: number): Json {
    if (this.chance(0.02)) return this.pick<Json>([null, 'x', 1, true, [], {}, 1.5])
    const schema = this.resolve(given)
    if (schema.enum !== undefined && this.chance(0.8)) return this.pick(schema.enum)
    const type = schema.type ?? this.pick(schema.oneOf ?? [])?.type
    if (type === 'string') return schema.format === 'int-or-string' && this.chance(0.5) ? this.pick(integers) : this.pick(strings)
    if (type === 'integer' || type === 'number') return this.pick(integers)
    if (type === 'boolean') return this.chance(0.5)
    if (type === 'array') return Array.from({ length: this.pick([0, 1, 1, 2]) }, () => this.value(schema.items, depth + 1))
    if (schema.properties !== undefined) {
      const names = Object.keys(schema.properties)
      const count = depth > 3 ? 0 : Math.min(names.length, this.pick([0, 1, 1, 2, 3]))
      return Object.fromEntries(
        Array.from({ length: count }, () => this.pick(names)).map((name) => [name, this.value(schema.properties![name], depth + 1)]),
      )
    }
    if (typeof schema.additionalProperties === 'object')
      return Object.fromEntries(
        Array.from({ length: this.pick([0, 1, 1, 2]) }, () => [
          this.pick(keys),
          this.value(schema.additionalProperties as Schema, depth + 1),
        ]),
      )
    return this.pick<Json>(['a', 1, {}])
  }
}

const isFields = (value: Json): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields on the path alone, up to the first list. */
function fragmentOf(object: Fields, path: readonly string[]): Fields {
  const [name, ...rest] = path
  if (name === undefined) return {}
  const value = object[name]
  if (value === undefined) return { [name]: null }
  return { [name]: isFields(value) && rest.length > 0 ? fragmentOf(value, rest) : value }
}
