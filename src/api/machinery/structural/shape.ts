// What server-side apply has to know about a schema: which values are owned whole, and which lists have keys.
// Kubernetes: k8s.io/kube-openapi/pkg/schemaconv.convert.parseSchema, convert.parseObject, convert.parseList, getListElementRelationship
// Kubernetes: k8s.io/kube-openapi/pkg/schemaconv.getMapElementRelationship
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

/** A null stays a value of its own, also where the schema does not allow one: validation refuses it then. */
function declared(properties: NonNullable<JsonSchema['properties']>, keeps: boolean): FieldShape[] {
  return Object.entries(properties).map(([name, schema]) => ({ ...fieldOf(name, shapeOf(schema, keeps)), nullable: true }))
}

export function shapeOfResource(schema: JsonSchema | undefined): StructShape {
  const keeps = schema === undefined || keepsUnknown(schema)
  const shape = structShape(false, resourceFields(schema?.properties ?? {}, keeps))
  return keeps || schema?.additionalProperties === true ? { ...shape, rest: deduced } : shape
}

/** Kind and metadata of a resource are what they are in any, whatever its schema declares. */
function resourceFields(
  { apiVersion: _, kind: __, metadata: ___, ...own }: NonNullable<JsonSchema['properties']>,
  keeps: boolean,
): FieldShape[] {
  const metadata = fieldOf('metadata', shapeOfStruct('meta.ObjectMeta', false))
  return [fieldOf('apiVersion', text), fieldOf('kind', text), metadata, ...declared(own, keeps)]
}

const keepsUnknown = (schema: JsonSchema) => schema['x-kubernetes-preserve-unknown-fields'] === true

/** `around`: a schema around it keeps unknown fields, and with it all within. */
function shapeOf(schema: JsonSchema, around: boolean): Shape {
  const keeps = around || keepsUnknown(schema)
  if (schema['x-kubernetes-int-or-string'] === true) return untyped
  switch (schema.type) {
    case 'object':
      return objectShape(schema, keeps)
    case 'array':
      return listShape(schema, keeps)
    case 'string':
      // Values of other formats may be anything until they are validated.
      return !schema.format || schema.format === 'byte' ? text : untyped
    default:
      return schema.type === undefined ? deduced : (scalars[schema.type] ?? deduced)
  }
}

/** An object without declared properties may hold anything; what the schema does not keep is removed later. */
function objectShape(schema: JsonSchema, keeps: boolean): Shape {
  const { additionalProperties } = schema
  const isResource = schema['x-kubernetes-embedded-resource'] === true
  const properties = schema.properties ?? (isResource ? {} : undefined)
  const atomic = schema['x-kubernetes-map-type'] === 'atomic'
  if (properties === undefined) {
    if (typeof additionalProperties === 'object') return { kind: 'map', atomic, of: shapeOf(additionalProperties, keeps) }
    if (additionalProperties === false) return structShape(atomic, [])
    return atomic ? { ...structShape(true, []), rest: deduced } : deduced
  }
  const shape = structShape(atomic, isResource ? resourceFields(properties, keeps) : declared(properties, keeps))
  return keeps || additionalProperties === true ? { ...shape, rest: deduced } : shape
}

function listShape(schema: JsonSchema, keeps: boolean): Shape {
  const { items = {} } = schema
  const of = shapeOf(items, keeps)
  const listType = schema['x-kubernetes-list-type']
  if (listType !== 'map' && listType !== 'set') return { kind: 'list', atomic: true, keys: [], of }
  const keys = listType === 'map' ? [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort() : []
  return { kind: 'list', atomic: false, keys: keys.map((name) => keyOf(name, items)), of }
}

function keyOf(name: string, items: JsonSchema): ListKey {
  const assumed = items.properties?.[name]?.default
  return assumed === undefined ? { name } : { name, default: assumed }
}
