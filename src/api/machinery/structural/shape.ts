// What server-side apply has to know about a schema: which values are owned whole, and which lists have keys.
import {
  deduced,
  type FieldShape,
  type ListKey,
  type Shape,
  type StructShape,
  shapeOfStruct,
  structShape,
} from '../managed-fields/shape.ts'
import type { JsonSchema } from './definition.ts'

const text: Shape = { kind: 'scalar', atomic: true, scalar: 'string' }
const scalars: Readonly<Record<string, Shape>> = {
  integer: { kind: 'scalar', atomic: true, scalar: 'numeric' },
  number: { kind: 'scalar', atomic: true, scalar: 'numeric' },
  boolean: { kind: 'scalar', atomic: true, scalar: 'boolean' },
}
const untyped: Shape = { kind: 'scalar', atomic: true, scalar: 'untyped' }

const fieldOf = (name: string, shape: Shape): FieldShape => ({ name, element: `f:${name}`, shape, zero: undefined, omitsEmpty: false })

const declared = ([name, schema]: readonly [string, JsonSchema]): FieldShape => {
  const field = fieldOf(name, shapeOf(schema))
  return schema.nullable === true ? { ...field, nullable: true } : field
}

export function shapeOfResource(schema: JsonSchema | undefined): StructShape {
  const shape = structShape(false, resourceFields(schema?.properties ?? {}))
  return keepsUnknown(schema) ? { ...shape, rest: deduced } : shape
}

/** Kind and metadata of a resource are what they are in any, whatever its schema declares. */
function resourceFields({ apiVersion: _, kind: __, metadata: ___, ...own }: NonNullable<JsonSchema['properties']>): FieldShape[] {
  const metadata = fieldOf('metadata', shapeOfStruct('meta.ObjectMeta', false))
  return [fieldOf('apiVersion', text), fieldOf('kind', text), metadata, ...Object.entries(own).map(declared)]
}

const keepsUnknown = (schema: JsonSchema | undefined) =>
  schema === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true

function shapeOf(schema: JsonSchema): Shape {
  if (schema['x-kubernetes-int-or-string'] === true) return untyped
  switch (schema.type) {
    case 'object':
      return objectShape(schema)
    case 'array':
      return listShape(schema)
    case 'string':
      // Values of other formats may be anything until they are validated.
      return !schema.format || schema.format === 'byte' ? text : untyped
    default:
      return schema.type === undefined ? deduced : (scalars[schema.type] ?? deduced)
  }
}

function objectShape(schema: JsonSchema): Shape {
  const { additionalProperties } = schema
  const isResource = schema['x-kubernetes-embedded-resource'] === true
  const properties = schema.properties ?? (isResource ? {} : undefined)
  const atomic = schema['x-kubernetes-map-type'] === 'atomic'
  if (properties === undefined) {
    if (typeof additionalProperties === 'object') return { kind: 'map', atomic, of: shapeOf(additionalProperties) }
    if (!keepsUnknown(schema)) return structShape(atomic, [])
    return atomic ? { ...structShape(true, []), rest: deduced } : deduced
  }
  const shape = structShape(atomic, isResource ? resourceFields(properties) : Object.entries(properties).map(declared))
  return keepsUnknown(schema) ? { ...shape, rest: deduced } : shape
}

function listShape(schema: JsonSchema): Shape {
  const { items = {} } = schema
  const of = shapeOf(items)
  const listType = schema['x-kubernetes-list-type']
  if (listType !== 'map' && listType !== 'set') return { kind: 'list', atomic: true, keys: [], of }
  const keys = listType === 'map' ? [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort() : []
  return { kind: 'list', atomic: false, keys: keys.map((name) => keyOf(name, items)), of }
}

function keyOf(name: string, items: JsonSchema): ListKey {
  const assumed = items.properties?.[name]?.default
  return assumed === undefined ? { name } : { name, default: assumed }
}
