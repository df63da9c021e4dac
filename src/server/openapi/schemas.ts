// The types of the schema table as JSON schemas, in the form and under the names of Kubernetes' OpenAPI v3 documents.
// Kubernetes: k8s.io/kube-openapi/pkg/generators.openAPITypeWriter.*
// Kubernetes: k8s.io/kube-openapi/pkg/util.ToRESTFriendlyName

import type { Kind } from '../../api/machinery/kind.ts'
import { type Field, type FieldType, type Scalar, type Struct, structOf } from '../../api/machinery/schema/schema.ts'
import type { GroupVersionKind } from '../../api/machinery/scheme.ts'
import { sortKeys } from '../../base/maps.ts'
import { customDefinitionName, customListSchema, customSchema } from './custom-schemas.ts'
import type { Describe } from './descriptions.ts'

export type Schema = Readonly<Record<string, unknown>>

const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1.'

/** The packages of groups that are not in k8s.io/api. */
const packages: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis',
  metrics: 'io.k8s.metrics.pkg.apis',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis',
}

/** `apps.Deployment` is `io.k8s.api.apps.v1.Deployment`, and `autoscaling/v2.MetricSpec` is `io.k8s.api.autoscaling.v2.MetricSpec`. */
function definitionName(typeName: string): string {
  const dot = typeName.indexOf('.')
  const [group = '', version = 'v1'] = typeName.slice(0, dot).split('/')
  return `${packages[group] ?? 'io.k8s.api'}.${group}.${version}.${typeName.slice(dot + 1)}`
}

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const specialTypes: Readonly<Record<string, Schema>> = {
  [`${metaPrefix}Time`]: { type: 'string', format: 'date-time' },
  [`${metaPrefix}MicroTime`]: { type: 'string', format: 'date-time' },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { oneOf: [{ type: 'integer' }, { type: 'string' }], format: 'int-or-string' },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object' },
  [`${metaPrefix}FieldsV1`]: { type: 'object' },
  [`${metaPrefix}Patch`]: { type: 'object' },
}

const scalarSchemas: Readonly<Record<Scalar, Schema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  Time: reference(`${metaPrefix}Time`),
  MicroTime: reference(`${metaPrefix}MicroTime`),
  Quantity: reference('io.k8s.apimachinery.pkg.api.resource.Quantity'),
  IntOrString: reference('io.k8s.apimachinery.pkg.util.intstr.IntOrString'),
  any: reference('io.k8s.apimachinery.pkg.runtime.RawExtension'),
}

const zeroValues: Readonly<Partial<Record<Scalar, unknown>>> = { string: '', bool: false, int32: 0, int64: 0, float64: 0 }

/** Types of which only one field is set: the field that says which, if there is one, and its value for each. */
const unions: Readonly<Record<string, Schema>> = {
  'core.SeccompProfile': unionOf({ localhostProfile: 'LocalhostProfile' }, 'type'),
  'core.AppArmorProfile': unionOf({ localhostProfile: 'LocalhostProfile' }, 'type'),
  'core.PodSchedulingGroup': unionOf({ podGroupName: 'PodGroupName' }),
  'flowcontrol.LimitResponse': unionOf({ queuing: 'Queuing' }, 'type'),
  'flowcontrol.PriorityLevelConfigurationSpec': unionOf({ exempt: 'Exempt', limited: 'Limited' }, 'type'),
  'flowcontrol.Subject': unionOf({ group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' }, 'kind'),
}

function unionOf(fields: Readonly<Record<string, string>>, discriminator?: string): Schema {
  return { ...(discriminator !== undefined && { discriminator }), 'fields-to-discriminateBy': fields }
}

/** Types of JSON schemas that have no single JSON type. Clients must not check what they hold. */
const freeForms = new Set(['JSON', 'JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray'])

export interface SchemaCollector {
  /** Adds a type of the table and all types that it refers to. Returns the name of its schema. */
  addType(typeName: string): string
  addList(typeName: string, kind: GroupVersionKind): string
  /** Adds a schema that is not in the table. */
  addSchema(name: string, schema?: Schema): string
  readonly schemas: Readonly<Record<string, Schema>>
  readonly describe: Describe
}

/** `kindsOf` finds the kinds of a type, if it is the type of a kind; `customOf` its custom kind. */
export function collectSchemas(
  describe: Describe,
  kindsOf: (typeName: string) => readonly GroupVersionKind[] | undefined,
  customOf: (typeName: string) => Kind | undefined,
  isVersion2: boolean,
): SchemaCollector {
  const schemas: Record<string, Schema> = {}
  const describeTypeMeta = (field: string) => described({ type: 'string' }, describe.field('core.Pod', field))

  const nameOf = (typeName: string) => {
    const custom = customOf(typeName)
    return custom === undefined ? definitionName(typeName) : customDefinitionName(custom)
  }

  function addType(typeName: string): string {
    const name = nameOf(typeName)
    if (schemas[name] === undefined) {
      schemas[name] = {}
      const custom = customOf(typeName)
      schemas[name] =
        custom === undefined ? structSchema(structOf(typeName)) : customSchema(custom, reference(addType('meta.ObjectMeta')), isVersion2)
    }
    return name
  }

  function addSchema(name: string, schema?: Schema): string {
    const typeName = `meta.${name.slice(name.lastIndexOf('.') + 1)}`
    schemas[name] ??= schema ?? described(specialTypes[name] ?? {}, describe.type(typeName))
    return name
  }

  function structSchema(struct: Struct): Schema {
    const kinds = kindsOf(struct.name)
    const properties: Record<string, Schema> = {}
    if (struct.typeMeta) for (const name of ['apiVersion', 'kind']) properties[name] = describeTypeMeta(name)
    for (const field of struct.fields) properties[field.name] = fieldSchema(struct, field)
    const required = struct.fields.filter((field) => field.required).map((field) => field.name)
    return {
      ...described({ type: 'object' }, describe.type(struct.name)),
      ...(Object.keys(properties).length > 0 && { properties: sortKeys(properties) }),
      ...(required.length > 0 && { required }),
      ...(struct.atomic && { 'x-kubernetes-map-type': 'atomic' }),
      ...(unions[struct.name] !== undefined && { 'x-kubernetes-unions': [unions[struct.name]] }),
      ...(kinds !== undefined && { 'x-kubernetes-group-version-kind': kinds }),
    }
  }

  function fieldSchema(struct: Struct, field: Field): Schema {
    const more = {
      ...(field.listType !== undefined && { 'x-kubernetes-list-type': field.listType }),
      ...(field.listKeys.length > 0 && { 'x-kubernetes-list-map-keys': field.listKeys }),
      ...((field.mapType ?? field.structType) !== undefined && { 'x-kubernetes-map-type': field.mapType ?? field.structType }),
      ...(field.patchStrategies.length > 0 && { 'x-kubernetes-patch-strategy': field.patchStrategies.join(',') }),
      ...(field.enum !== undefined && { enum: field.enum }),
      ...(field.mergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.mergeKey }),
    }
    const type =
      field.name === 'fieldsV1' ? reference(addSchema(`${metaPrefix}FieldsV1`)) : (freeFormSchema(field) ?? typeSchema(field.type))
    return described(withSiblings(type, { ...defaultOf(field), ...more }), describe.field(struct.name, field.name))
  }

  function freeFormSchema({ goType = '' }: Field): Schema | undefined {
    const [, list, name = ''] = /^(\[\])?v1\.(JSON\w*)$/.exec(goType) ?? []
    if (name === 'JSONSchemaDependencies')
      return { type: 'object', additionalProperties: reference(addFreeForm('JSONSchemaPropsOrStringArray')) }
    if (!freeForms.has(name)) return undefined
    const schema = reference(addFreeForm(name))
    return list === undefined ? schema : { type: 'array', items: schema }
  }

  const addFreeForm = (name: string) =>
    addSchema(definitionName(`apiextensions.${name}`), described({}, describe.type(`apiextensions.${name}`)))

  function typeSchema(type: FieldType): Schema {
    switch (type.kind) {
      case 'scalar': {
        const schema = scalarSchemas[type.scalar]
        if (typeof schema['$ref'] === 'string') addSchema(schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1))
        return schema
      }
      case 'struct':
        return reference(addType(type.name))
      case 'list':
        return { type: 'array', items: itemSchema(type.of) }
      case 'map':
        return { type: 'object', additionalProperties: itemSchema(type.of) }
    }
  }

  function itemSchema(type: FieldType): Schema {
    const zero = type.kind === 'struct' ? {} : type.kind === 'scalar' ? zeroValues[type.scalar] : undefined
    return withSiblings(typeSchema(type), zero === undefined ? {} : { default: zero })
  }

  return {
    schemas,
    describe,
    addType,
    addSchema,
    addList(typeName, kind) {
      const item = reference(addType(typeName))
      const custom = customOf(typeName)
      const listKind = custom?.listKind ?? `${kind.kind}List`
      if (custom !== undefined) {
        const name = customDefinitionName({ ...kind, kind: listKind })
        return addSchema(name, customListSchema(custom, listKind, item, reference(addType('meta.ListMeta'))))
      }
      const name = `${definitionName(typeName)}List`
      return addSchema(name, {
        ...described({ type: 'object' }, describe.type(`${typeName}List`)),
        properties: {
          apiVersion: describeTypeMeta('apiVersion'),
          items: described({ type: 'array', items: withSiblings(item, { default: {} }) }, describe.field(`${typeName}List`, 'items')),
          kind: describeTypeMeta('kind'),
          metadata: described(
            withSiblings(reference(addType('meta.ListMeta')), { default: {} }),
            describe.field(`${typeName}List`, 'metadata') ?? describe.type('meta.ListMeta'),
          ),
        },
        required: ['items'],
        'x-kubernetes-group-version-kind': [{ ...kind, kind: listKind }],
      })
    },
  }
}

/** JSON schema ignores the siblings of a $ref, so it is wrapped in allOf. */
function withSiblings(schema: Schema, siblings: Schema): Schema {
  if (Object.keys(siblings).length === 0) return schema
  return schema['$ref'] === undefined ? { ...schema, ...siblings } : { allOf: [schema], ...siblings }
}

export function described(schema: Schema, description: string | undefined): Schema {
  return description === undefined || description === '' ? schema : { description, ...withSiblings(schema, { description }) }
}

/** The default that the table names, or the zero value that Go writes. */
function defaultOf({ type, always, default: named }: Field): Schema {
  if (named !== undefined) return { default: named }
  if (type.kind === 'struct') return type.pointer ? {} : { default: {} }
  if (type.kind !== 'scalar' || type.pointer || !always) return {}
  const zero = zeroValues[type.scalar]
  return zero === undefined ? {} : { default: zero }
}
