// The types that expressions see of a schema.
// Kubernetes: k8s.io/apiserver/pkg/cel/common.SchemaDeclType, WithTypeAndObjectMeta
import { getOrAdd } from '../../../base/maps.ts'
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  type ObjectField,
  type ObjectType,
  string,
  timestamp,
} from '../cel/cel-type.ts'
import type { JsonSchema } from './definition.ts'

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
)
const escapes: readonly (readonly [string, string])[] = [
  ['__underscores__', '__'],
  ['__dot__', '.'],
  ['__dash__', '-'],
  ['__slash__', '/'],
]

/** The name in JSON of a field as an expression writes it; undefined where no field can have that name. */
export function jsonNameOf(name: string): string | undefined {
  if (!name.includes('__')) return name
  const word = /^__([a-z]+)__$/.exec(name)
  if (word !== null && reserved.has(word[1]!)) return word[1]
  const plain = name.replace(/__(underscores|dot|dash|slash)__/g, (all) => escapes.find(([escaped]) => escaped === all)![1])
  // What is left of the escapes would be ambiguous.
  return escapeName(plain) === name ? plain : undefined
}

/** Undefined: expressions cannot name it. */
function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined
  if (reserved.has(name)) return `__${name}__`
  return name.replace(/__|[.\-/]/g, (part) => escapes.find(([, plain]) => plain === part)![0])
}

const metadataOf = (name: string): ObjectType => ({
  kind: 'object',
  name,
  fieldOf: (field) => (field === 'name' || field === 'generateName' ? { type: string, jsonName: field } : undefined),
})

/** The name of the type of `self`. Those of its parts continue it, so that different parts of a schema have different types. */
const rootName = 'selfType0'

const known = new WeakMap<JsonSchema, CelType | null>()
const knownResources = new WeakMap<JsonSchema, CelType>()

/** The type of a whole object, with the parts of its metadata that expressions may read. */
export function resourceType(schema: JsonSchema): CelType {
  return getOrAdd(knownResources, schema, () => objectType(schema, true, rootName))
}

/** The type of a whole object for expressions outside of its schema. `metadata` is that of its metadata. */
export function customObjectType(schema: JsonSchema, name: string, metadata: CelType): ObjectType {
  const type = objectType(schema, true, name)
  return { ...type, fieldOf: (field) => (field === 'metadata' ? { type: metadata, jsonName: field } : type.fieldOf(field)) }
}

/** Null: expressions cannot read it. */
export function ruleType(schema: JsonSchema): CelType | null {
  return getOrAdd(known, schema, () => makeType(schema, rootName))
}

function makeType(schema: JsonSchema, name: string): CelType | null {
  if (schema['x-kubernetes-int-or-string'] === true) return dyn
  switch (schema.type) {
    case 'array':
      return listType(schema, name)
    case 'object': {
      if (typeof schema.additionalProperties === 'object') {
        const of = makeType(schema.additionalProperties, `${name}.@elem`)
        return of === null ? null : mapOf(string, of)
      }
      return objectType(schema, schema['x-kubernetes-embedded-resource'] === true, name)
    }
    case 'string':
      return { byte: bytes, duration, date: timestamp, 'date-time': timestamp }[schema.format ?? ''] ?? string
    case 'boolean':
      return bool
    case 'number':
      return double
    case 'integer':
      return int
    default:
      return null
  }
}

function listType(schema: JsonSchema, name: string): CelType | null {
  const of = schema.items === undefined ? null : makeType(schema.items, `${name}.@idx`)
  if (of === null) return null
  const kind = schema['x-kubernetes-list-type']
  if (kind === 'map') return listOf(of, { kind, keys: schema['x-kubernetes-list-map-keys'] ?? [] })
  return kind === 'set' ? listOf(of, { kind }) : listOf(of)
}

/** Whether the schema itself declares the fields that every object has. */
export function hasOwnMetadata({ properties = {} }: JsonSchema): boolean {
  const names = properties['metadata']?.properties ?? {}
  const declared = [properties['kind'], properties['apiVersion'], names['name'], names['generateName']]
  return declared.every((property) => property?.type === 'string')
}

function objectType(schema: JsonSchema, isAnyResource: boolean, typeName: string): ObjectType {
  const { properties = {} } = schema
  const isResource = isAnyResource && !hasOwnMetadata(schema)
  const fields = new Map<string, ObjectField | undefined>()
  const find = (name: string): ObjectField | undefined => {
    const jsonName = jsonNameOf(name)
    if (jsonName === undefined) return undefined
    if (isResource) {
      if (jsonName === 'metadata') return { type: metadataOf(`${typeName}.metadata`), jsonName }
      if (jsonName === 'apiVersion' || jsonName === 'kind') return { type: string, jsonName }
    }
    const property = Object.hasOwn(properties, jsonName) ? properties[jsonName] : undefined
    const type = property === undefined ? null : makeType(property, `${typeName}.${name}`)
    return type === null ? undefined : { type, jsonName }
  }
  return {
    kind: 'object',
    name: typeName,
    fieldOf(name) {
      if (!fields.has(name)) fields.set(name, find(name))
      return fields.get(name)
    },
  }
}
