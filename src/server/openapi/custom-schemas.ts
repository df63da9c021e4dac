// The schemas of custom resources in OpenAPI documents.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder.BuildOpenAPIV3, builder.buildKubeNative
import type { Kind } from '../../api/machinery/kind.ts'
import type { JsonSchema } from '../../api/machinery/structural/definition.ts'
import type { Schema } from './schemas.ts'

/** `com.example.stable.v1.CronTab` */
export function customDefinitionName({ group, version, kind }: Pick<Kind, 'group' | 'version' | 'kind'>): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`
}

const apiVersion: Schema = {
  description:
    'APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources',
  type: 'string',
}
const kindField: Schema = {
  description:
    'Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
  type: 'string',
}
const metadataDescription =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"

/** What kind it is, and by which of its fields lists can be selected. */
function aboutOf({ group, version, selectableFields }: Kind, name: string): Schema {
  return {
    'x-kubernetes-group-version-kind': [{ group, version, kind: name }],
    ...(selectableFields !== undefined && {
      'x-kubernetes-selectable-fields': Object.keys(selectableFields).map((fieldPath) => ({ fieldPath })),
    }),
  }
}

/** The schema of the list of a kind. */
export function customListSchema(kind: Kind, listKind: string, item: Schema, metadata: Schema): Schema {
  return {
    description: `${listKind} is a list of ${kind.kind}`,
    type: 'object',
    properties: {
      apiVersion,
      items: { description: 'The objects of the list.', type: 'array', items: item },
      kind: kindField,
      metadata: { description: metadataDescription, allOf: [metadata] },
    },
    required: ['items'],
    ...aboutOf(kind, listKind),
  }
}

/** The schema of the kind, with the fields that every object has. */
export function customSchema(kind: Kind, metadata: Schema, isVersion2: boolean): Schema {
  const own = kind.readSchema?.()
  const about = aboutOf(kind, kind.kind)
  if (own === undefined || (isVersion2 && own['x-kubernetes-preserve-unknown-fields'] === true)) return { type: 'object', ...about }
  const schema = (isVersion2 ? toVersion2(own) : own) as JsonSchema
  return {
    ...schema,
    ...(schema.type !== undefined && {
      properties: {
        ...schema.properties,
        apiVersion,
        kind: kindField,
        metadata: isVersion2 ? { description: metadataDescription, ...metadata } : { description: metadataDescription, allOf: [metadata] },
      },
    }),
    ...about,
  }
}

const droppedKeywords = ['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'id', '$schema'] as const

/** Reduces a schema as Kubernetes does, because kubectl cannot read all of it in OpenAPI v2. */
function toVersion2(schema: JsonSchema): JsonSchema {
  const reduced: Record<string, unknown> = { ...schema }
  for (const keyword of droppedKeywords) delete reduced[keyword]
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true
  const { properties, items, additionalProperties } = schema
  const isUntyped = schema.nullable === true || (keepsUnknown && schema.type === 'object')
  if (isUntyped) delete reduced['type']
  if (schema.nullable === true || keepsUnknown) {
    delete reduced['properties']
    delete reduced['items']
  } else {
    if (properties !== undefined) {
      reduced['properties'] = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, toVersion2(property)]))
      const required = schema.required?.filter((name) => properties[name]?.nullable !== true)
      if (required === undefined || required.length === 0) delete reduced['required']
      else reduced['required'] = required
    }
    if (items !== undefined) reduced['items'] = toVersion2(items)
  }
  if (schema.type === 'array' && reduced['items'] === undefined) delete reduced['type']
  if (typeof additionalProperties === 'object') reduced['additionalProperties'] = toVersion2(additionalProperties)
  else delete reduced['additionalProperties']
  return reduced as JsonSchema
}
