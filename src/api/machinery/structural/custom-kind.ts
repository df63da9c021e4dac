// A version of a custom resource as a kind like any other. Its schema is read when the first object of the kind is written.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresource.customResourceStrategy.*, statusStrategy.*
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresource.customResourceValidator.*

import { once } from '../../../base/cached.ts'
import { isEqualJson } from '../../../base/json.ts'
import { addCustomType } from '../custom-types.ts'
import { isJsonObject } from '../json-object.ts'
import { apiVersionOf, type Conversion, type Kind, type ScaleAccess, type StoredForm, type Strategy, type Verb } from '../kind.ts'
import { type SelectableFields, unsupportedField } from '../selectable-fields.ts'
import { failure } from '../status-error.ts'
import type { KubernetesObject, ManagedFieldsEntry, ObjectMeta, Writable } from '../types.ts'
import { customColumns } from './columns.ts'
import { customType } from './custom-type.ts'
import { fillDefaults, roomOfStoredObject } from './defaults.ts'
import type { CustomResourceDefinition, DefinitionNames, DefinitionVersion, JsonSchema } from './definition.ts'
import { dropUndecodable } from './embedded.ts'
import { findJsonPath, parseJsonPath, workOfRow } from './json-path.ts'
import type { ScalePaths } from './scale-values.ts'
import { type LoadedSchema, loadEngines, validatorOf } from './validator.ts'

type Json = Readonly<Record<string, unknown>>
type Fields = Record<string, unknown>

interface CustomKindOptions {
  readonly definition: Pick<CustomResourceDefinition['spec'], 'group' | 'scope' | 'preserveUnknownFields'>
  /** The names that were accepted. */
  readonly names: DefinitionNames
  /** Without its schema. */
  readonly version: Omit<DefinitionVersion, 'schema'>
  /** The kind of the storage version, when this is another. */
  readonly stored: Kind | undefined
  /** The version to use in place of a deprecated one. */
  readonly successor?: string | undefined
  /** Of a webhook. */
  readonly conversion: Conversion | undefined
  /** Differs where the schema may differ. */
  readonly revision: string
  readSchema(): JsonSchema | undefined
}

export function createCustomKind(options: CustomKindOptions): Kind {
  const { definition, names, version, stored } = options
  const schema = once((): LoadedSchema => ({ schema: options.readSchema() }))
  const hasStatus = version.subresources?.status !== undefined
  const scale = version.subresources?.scale
  const { group } = definition
  const type = customType(() => schema().schema, definition.preserveUnknownFields === true)
  const kind: Kind = {
    ...(options.conversion && { conversion: options.conversion }),
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    ...(names.singular !== undefined && { singular: names.singular }),
    ...(names.shortNames !== undefined && names.shortNames.length > 0 && { shortNames: names.shortNames }),
    ...(names.categories !== undefined && names.categories.length > 0 && { categories: names.categories }),
    namespaced: definition.scope === 'Namespaced',
    ...(version.deprecated === true && {
      deprecation:
        version.deprecationWarning ??
        `${group}/${version.name} ${names.kind} is deprecated${options.successor === undefined ? '' : `; use ${group}/${options.successor} ${names.kind}`}`,
    }),
    type: addCustomType(type),
    customType: type,
    load: () => loadEngines(),
    completeStored(object) {
      const root = schema().schema
      const hasDropped = root !== undefined && dropUndecodable(root, object)
      return fillDefaults(root, object) || hasDropped ? object : undefined
    },
    readSchema: () => schema().schema,
    schemaRevision: `${options.revision}/${names.plural}/${version.name}`,
    strategy: strategyOf(schema, hasStatus, scale),
    subresources: [
      ...(scale === undefined ? [] : [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: changeVerbs }]),
      ...(hasStatus ? [{ name: 'status', kind: names.kind, verbs: changeVerbs }] : []),
    ],
    ...(scale !== undefined && { scale: scaleAccess(scale), replicasPath: scale.specReplicasPath }),
    columns: customColumns(version.additionalPrinterColumns),
    ...selectable(group, version.name, names.kind, version.selectableFields),
    ...(stored !== undefined && { storedForm: unconverted(stored, apiVersionOf({ group, version: version.name })) }),
  }
  return kind
}

const changeVerbs: readonly Verb[] = ['get', 'patch', 'update']

/** Conversion strategy None: only the version changes. */
function unconverted(stored: Kind, apiVersion: string): StoredForm<KubernetesObject> {
  return {
    kind: stored,
    fromStored: (object) => ({ ...object, apiVersion }),
    toStored: (object) => ({ ...object, apiVersion: apiVersionOf(stored) }),
  }
}

function finalizerWarnings({ metadata }: KubernetesObject, current: KubernetesObject | undefined): string[] {
  const known = new Set(current?.metadata?.finalizers)
  return [...new Set(metadata?.finalizers)]
    .filter((finalizer) => !finalizer.includes('/') && !known.has(finalizer) && !standardFinalizers.has(finalizer))
    .sort()
    .map((finalizer) => {
      const missing = finalizer.includes('.') ? ' including a path (/)' : ''
      return `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name${missing} to avoid accidental conflicts with other finalizer writers`
    })
}

const standardFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

function strategyOf(schema: () => LoadedSchema, hasStatus: boolean, scale: ScalePaths | undefined): Strategy {
  const validator = () => validatorOf(schema(), scale)
  const ownStatus = hasStatus ? { status: undefined } : {}
  /** Writers cannot set a status, but a status that the schema gives by default is shown from the start. */
  const addDefaultStatus = (object: Writable<KubernetesObject>) => {
    const { schema: known } = schema()
    if (known?.properties?.['status']?.default !== undefined && (object as Fields)['status'] === undefined)
      fillDefaults(known, object, roomOfStoredObject())
  }
  return {
    metadata: { anyFinalizer: true },
    ...(hasStatus && { resetFields: { status: { 'f:metadata': {}, 'f:spec': {} } } }),
    generation: true,
    unconditionalUpdate: false,
    generationChanges: (next, current) =>
      !isEqualJson({ ...next, metadata: undefined, ...ownStatus }, { ...current, metadata: undefined, ...ownStatus }),
    default: (object) => void fillDefaults(schema().schema, object, roomOfStoredObject()),
    prepareForCreate(object) {
      if (!hasStatus) return
      delete (object as Fields)['status']
      addDefaultStatus(object)
    },
    prepareForUpdate(next, current) {
      if (!hasStatus) return
      keepField(next as Fields, current as Json, 'status')
      addDefaultStatus(next)
    },
    prepareForStatusUpdate(next, current) {
      const target = next as Fields
      for (const field of Object.keys(target)) if (field !== 'status' && field !== 'metadata') delete target[field]
      for (const [field, value] of Object.entries(current)) if (field !== 'status' && field !== 'metadata') target[field] = value
      const { managedFields, resourceVersion } = next.metadata ?? {}
      next.metadata = {
        ...(current.metadata as Writable<ObjectMeta>),
        ...(resourceVersion !== undefined && { resourceVersion }),
      }
      if (managedFields === undefined) delete next.metadata.managedFields
      else next.metadata.managedFields = managedFields as Writable<ManagedFieldsEntry>[]
    },
    warnings: finalizerWarnings,
    validate: (object) => validator().validate(object),
    validateUpdate: (next, current) => validator().validateUpdate(next, current),
    validateStatusUpdate: (next, current) => validator().validateStatusUpdate(next, current),
  }
}

function keepField(next: Fields, current: Json, field: string): void {
  if (current[field] === undefined) delete next[field]
  else next[field] = current[field]
}

function scaleAccess(paths: ScalePaths): ScaleAccess<KubernetesObject> {
  const number = (object: KubernetesObject, path: string) => {
    const value = valueAt(object, path)
    return typeof value === 'number' ? value : 0
  }
  return {
    replicas: (object) => number(object, paths.specReplicasPath),
    hasReplicas: (object) => typeof valueAt(object, paths.specReplicasPath) === 'number',
    statusReplicas: (object) => number(object, paths.statusReplicasPath),
    selector(object) {
      const value = paths.labelSelectorPath === undefined ? '' : valueAt(object, paths.labelSelectorPath)
      return typeof value === 'string' ? value : ''
    },
    setReplicas: (object, replicas) => setAt(object as Fields, fieldsOf(paths.specReplicasPath), replicas),
  }
}

const fieldsOf = (path: string): string[] => path.replace(/^\./, '').split('.')

function valueAt(object: unknown, path: string): unknown {
  const steps = parseJsonPath(path)
  return typeof steps === 'string' ? undefined : findJsonPath(steps, object, workOfRow())
}

/** Objects along the path are copied, because stored objects are shared. Missing ones are created. */
function setAt(object: Fields, [first = '', ...rest]: readonly string[], value: unknown, path = ''): void {
  if (rest.length === 0) {
    object[first] = value
    return
  }
  const { [first]: current = {} } = object
  const inner = `${path}.${first}`
  if (!isJsonObject(current)) throw failure(500, '', `value cannot be set because ${inner} is not a map[string]interface{}`)
  const copy = { ...current }
  object[first] = copy
  setAt(copy, rest, value, inner)
}

function selectable(
  group: string,
  version: string,
  kind: string,
  fields: DefinitionVersion['selectableFields'],
): { selectableFields?: SelectableFields<KubernetesObject>; unknownFieldMessage(field: string): string } {
  if (fields === undefined || fields.length === 0) return { unknownFieldMessage: unsupportedField }
  const byPath = fields.map(({ jsonPath }) => [
    jsonPath.replace(/^\./, ''),
    (object: KubernetesObject) => {
      const value = valueAt(object, jsonPath)
      return value === undefined || value === null ? '' : String(value)
    },
  ])
  return {
    selectableFields: Object.fromEntries(byPath) as SelectableFields<KubernetesObject>,
    unknownFieldMessage: (field) => `${apiVersionOf({ group, version })}, Kind=${kind}: ${unsupportedField(field)}`,
  }
}
