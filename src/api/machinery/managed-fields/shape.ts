// The schema for managed fields: which values are owned as a whole, which lists have keys, and what Go writes for an unset
// field.
// Kubernetes: sigs.k8s.io/structured-merge-diff/v6/typed.resolveSchema, handleAtom, getAssociativeKeyDefault

import { findCustomType } from '../custom-types.ts'
import { isJsonObject } from '../json-object.ts'
import { type Field, type FieldType, isPointer, isStructScalar, type Scalar, structOf, zeroScalars } from '../schema/schema.ts'

export type Shape = ScalarShape | FreeFormShape | StructShape | MapShape | ListShape | DeducedShape

export interface ScalarShape {
  readonly kind: 'scalar'
  readonly atomic: true
  /** `unchecked`: Kubernetes finds out later that the value is no scalar. */
  readonly scalar: 'string' | 'numeric' | 'boolean' | 'untyped' | 'unchecked'
}
/** Any JSON, owned whole. */
interface FreeFormShape {
  readonly kind: 'any'
  readonly atomic: true
}
/** JSON that no schema describes: objects are owned key by key, all else whole. */
interface DeducedShape {
  readonly kind: 'deduced'
  readonly atomic: false
}
export interface StructShape {
  readonly kind: 'struct'
  readonly atomic: boolean
  /** By name, as sets are ordered. */
  readonly fields: readonly FieldShape[]
  readonly byName: ReadonlyMap<string, FieldShape>
  /** The shape of fields that are not declared. Undefined: there are none. */
  readonly rest?: Shape
}
export interface MapShape {
  readonly kind: 'map'
  readonly atomic: boolean
  readonly of: Shape
}
export interface ListShape {
  readonly kind: 'list'
  readonly atomic: boolean
  /** Sorted by name. A list that is not atomic and has no keys is a set. */
  readonly keys: readonly ListKey[]
  readonly of: Shape
}
export interface ListKey {
  readonly name: string
  readonly default?: unknown
}
export interface FieldShape {
  /** Null is a value of its own. */
  readonly nullable?: true
  readonly name: string
  /** Its element in a set: `f:name`. */
  readonly element: string
  readonly shape: Shape
  /** The value that Go writes for an unset field; undefined if Go omits it. */
  readonly zero: unknown
  /** An empty value is the same as none. */
  readonly omitsEmpty: boolean
}

export const deduced: DeducedShape = { kind: 'deduced', atomic: false }
const deducedMap: MapShape = { kind: 'map', atomic: false, of: deduced }
const freeForm: FreeFormShape = { kind: 'any', atomic: true }

/** The shape for the values at one place; a deduced shape depends on these values. */
export function shapeFor(shape: Shape, ...values: readonly unknown[]): Exclude<Shape, DeducedShape> {
  if (shape.kind !== 'deduced') return shape
  return values.every(isJsonObject) ? deducedMap : freeForm
}

/** The shape of a member of an object; undefined for one that is not declared. */
export function memberShape(shape: StructShape | MapShape, name: string): Shape | undefined {
  return shape.kind === 'map' ? shape.of : (shape.byName.get(name)?.shape ?? shape.rest)
}

const maxRestFields = 1000
const restFields = new WeakMap<StructShape, Map<string, FieldShape>>()

/** A declared field, or one of those that the struct keeps without declaring them. */
export function fieldOfStruct(shape: StructShape, name: string): FieldShape | undefined {
  const declared = shape.byName.get(name)
  if (declared !== undefined || shape.rest === undefined) return declared
  const known = restFields.get(shape) ?? new Map<string, FieldShape>()
  restFields.set(shape, known)
  const field = known.get(name) ?? { name, element: `f:${name}`, shape: shape.rest, zero: undefined, omitsEmpty: false }
  if (known.size < maxRestFields) known.set(name, field)
  return field
}

/** The fields that the object may have, by name. */
export function fieldsIn(shape: StructShape, value: object): readonly FieldShape[] {
  if (shape.rest === undefined) return shape.fields
  const others = Object.keys(value).filter((name) => !shape.byName.has(name))
  if (others.length === 0) return shape.fields
  return [...shape.fields, ...others.map((name) => fieldOfStruct(shape, name)!)].sort((one, other) => (one.name < other.name ? -1 : 1))
}

const shapes = new Map<string, StructShape>()

/** The shape of a kind, with its apiVersion and kind. */
export function shapeOfKind(typeName: string): StructShape {
  return (findCustomType(typeName)?.shape() as StructShape | undefined) ?? shapeOfStruct(typeName, false)
}

const string: ScalarShape = { kind: 'scalar', atomic: true, scalar: 'string' }
const plainField = (name: string, shape: Shape): FieldShape => ({ name, element: `f:${name}`, shape, zero: undefined, omitsEmpty: true })
/** A kind may also be a field of another one: the claim templates of a StatefulSet carry these too. */
const typeMeta = [plainField('apiVersion', string), plainField('kind', string)]

/** The shape of a struct of the schema table. */
export function shapeOfStruct(typeName: string, atomic: boolean): StructShape {
  const id = `${atomic ? 'atomic' : 'granular'} ${typeName}`
  const known = shapes.get(id)
  if (known !== undefined) return known
  const struct = structOf(typeName)
  const fields: FieldShape[] = []
  const byName = new Map<string, FieldShape>()
  const shape: StructShape = { kind: 'struct', atomic, fields, byName }
  // Known before its fields are: a struct may contain itself.
  shapes.set(id, shape)
  for (const field of struct.fields)
    fields.push({
      name: field.name,
      element: `f:${field.name}`,
      shape: field.or === undefined ? shapeOfType(field.type, field) : freeForm,
      zero: zeroOf(field),
      omitsEmpty: omitsEmpty(field),
    })
  if (struct.typeMeta) fields.push(...typeMeta)
  fields.sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const field of fields) byName.set(field.name, field)
  return shape
}

export function structShape(atomic: boolean, fields: readonly FieldShape[]): StructShape {
  const sorted = [...fields].sort((one, other) => (one.name < other.name ? -1 : 1))
  return { kind: 'struct', atomic, fields: sorted, byName: new Map(sorted.map((field) => [field.name, field])) }
}

function shapeOfType(type: FieldType, field?: Field): Shape {
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'any'
        ? { kind: 'any', atomic: true }
        : { kind: 'scalar', atomic: true, scalar: scalarShapes[type.scalar] ?? 'untyped' }
    case 'struct': {
      const isAtomic = field?.structType === undefined ? structOf(type.name).atomic : field.structType === 'atomic'
      return shapeOfStruct(type.name, isAtomic)
    }
    case 'map':
      return { kind: 'map', atomic: field?.mapType === 'atomic', of: shapeOfType(type.of) }
    case 'list': {
      const listType = field?.listType ?? 'atomic'
      const of = shapeOfType(type.of)
      return { kind: 'list', atomic: listType === 'atomic', keys: listType === 'map' ? keysOf(type.of, field?.listKeys ?? []) : [], of }
    }
  }
}

function keysOf(of: FieldType, names: readonly string[]): ListKey[] {
  const struct = of.kind === 'struct' ? structOf(of.name) : undefined
  return [...names].sort().map((name) => {
    const field = struct?.byName.get(name)
    const assumed = field?.default ?? (field?.always && !isPointer(field.type) ? zeroOf(field) : undefined)
    return assumed === undefined || assumed === null ? { name } : { name, default: assumed }
  })
}

const scalarShapes: Partial<Record<Scalar, ScalarShape['scalar']>> = {
  IntOrString: 'unchecked',
  string: 'string',
  bytes: 'string',
  bool: 'boolean',
  int32: 'numeric',
  int64: 'numeric',
  float64: 'numeric',
}

const noFields = Object.freeze({})

function zeroOf({ type, always, omitZero }: Field): unknown {
  if (type.kind === 'list' || type.kind === 'map' || type.pointer) return always ? null : undefined
  if (omitZero) return undefined
  if (type.kind === 'struct') return noFields
  return always || isStructScalar(type.scalar) ? zeroScalars[type.scalar] : undefined
}

function omitsEmpty({ type, always }: Field): boolean {
  if (always) return false
  return type.kind === 'list' || type.kind === 'map' || (type.kind === 'scalar' && !type.pointer && !isStructScalar(type.scalar))
}

/** The value of the field as Go would encode it: without empty values that Go omits, and with those that it writes. */
export function goValue(field: FieldShape, value: unknown): unknown {
  if (value === null && field.nullable) return null
  if (value === undefined || value === null) return field.zero
  return field.omitsEmpty && isEmptyValue(value) ? undefined : value
}

function isEmptyValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === '' || value === 0 || value === false
  if (Array.isArray(value)) return value.length === 0
  for (const _ in value) return false
  return true
}
