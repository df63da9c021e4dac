// The scale subresource: the replicas of an object as a Scale.
// Kubernetes: pkg/registry/apps/deployment/storage.ScaleREST.*, scaleUpdatedObjectInfo.*
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresource.ScaleREST.*
import { scaleKind } from '../../api/kinds/autoscaling/scale/kind.ts'
import { decode } from '../../api/machinery/decode/decode.ts'
import { invalid } from '../../api/machinery/field-error.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { hasPath } from '../../api/machinery/managed-fields/field-set.ts'
import { decodeOwners, newOwner, type Owner, ownerId, sortOwners } from '../../api/machinery/managed-fields/managers.ts'
import { badRequestError, conflictError, internalError, invalidError } from '../../api/machinery/status-error.ts'
import { validateObjectMeta } from '../../api/machinery/validation/metadata.ts'
import { notNegativeMessage } from '../../api/machinery/validation/names.ts'
import type { KubernetesObject, ManagedFieldsEntry, Scale, Writable } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { applyConfiguration, trackChange } from './managed-fields.ts'
import { checkName, ensureNamespace } from './naming.ts'
import { patchObject } from './patch.ts'
import { readBody } from './request-body.ts'
import type { Input, ObjectResponse, PatchFormat, PatchInput, PatchQuery, WriteOptions, WriteResult } from './rest.ts'
import { accessOf, scaleOf } from './scale-view.ts'
import { readEntry, type WriteScope } from './scope.ts'
import type { UpdateTarget } from './update-rules.ts'
import { write } from './write-pipeline.ts'
import type { NewObject } from './write-steps.ts'

export function getScale(scope: WriteScope, { kind, namespace, name }: UpdateTarget): ObjectResponse {
  const { object } = readEntry(scope, kind, namespace, name)
  if (!hasReplicas(kind, object)) throw internalError(`${fieldOf(kind)} does not exist`)
  return responseOf(scaleOf(kind, object))
}

export async function updateScale(scope: WriteScope, target: UpdateTarget, input: Input, options: WriteOptions): Promise<WriteResult> {
  const read = () => {
    const scale = readBody<Scale>(scaleKind, input, options)
    scale.metadata ??= {}
    ensureNamespace(scale as NewObject, target.namespace)
    checkName(scale as NewObject, target.name)
    return scale
  }
  const { uid } = read().metadata ?? {}
  return writeScale(scope, target, options, false, read, uid)
}

export async function patchScale(
  scope: WriteScope,
  target: UpdateTarget,
  format: PatchFormat,
  input: PatchInput,
  query: PatchQuery,
): Promise<WriteResult> {
  return writeScale(scope, target, query, format === 'apply', (current) => {
    const scale =
      format === 'apply'
        ? (applyConfiguration(formatTime(scope.clock.now()), scaleKind, current, input, 'scale', query) as Writable<Scale>)
        : patchObject(scaleKind, current, format, input, query)
    scale.metadata ??= {}
    ensureNamespace(scale as NewObject, target.namespace)
    checkName(scale as NewObject, target.name)
    return scale
  })
}

async function writeScale(
  scope: WriteScope,
  target: UpdateTarget,
  options: WriteOptions,
  isApply: boolean,
  nextScale: (current: Scale) => Scale,
  uid?: string,
): Promise<WriteResult> {
  const { kind } = target
  const { entry } = await write(scope, {
    ...target,
    options,
    mayCreate: false,
    uid,
    tracksFields: true,
    decode(current) {
      const before = withOwners(kind, scaleBefore(kind, current!), current!)
      const scale = nextScale(before)
      if (kind.customType !== undefined && scale.spec?.replicas === unset) throw badRequestError(`${fieldOf(kind)} cannot be empty`)
      validateScale(kind, current!, scale)
      if (!isApply) trackChange(formatTime(scope.clock.now()), scaleKind, before, scale as NewObject, 'scale', options)
      const owners = ownersOfParent(kind, current!.metadata?.managedFields ?? [], scale.metadata?.managedFields ?? [])
      const { resourceVersion: _, managedFields: __, ...metadata } = current!.metadata ?? {}
      const next = {
        ...current,
        metadata: {
          ...metadata,
          ...versionOf(kind, scale, current!),
          ...(owners.length > 0 && { managedFields: owners }),
        },
      } as Writable<KubernetesObject>
      accessOf(kind).setReplicas(next, scale.spec?.replicas ?? 0)
      return decode<Writable<KubernetesObject>>(kind.type, next, { kind: kind.kind, apiVersion: apiVersionOf(kind) }).object
    },
  })
  return { response: responseOf(scaleOf(kind, entry.object)), created: false }
}

const hasReplicas = (kind: Kind, object: KubernetesObject) => accessOf(kind).hasReplicas?.(object) ?? true
const fieldOf = ({ replicasPath = '' }: Kind) => `the spec replicas field ${JSON.stringify(replicasPath)}`

/** What a patch finds as the replicas of an object that has none. */
const unset = -(2 ** 31)

function scaleBefore(kind: Kind, object: KubernetesObject): Scale {
  const scale = scaleOf(kind, object)
  return hasReplicas(kind, object) ? scale : { ...scale, spec: { replicas: unset } }
}

/** Only the Scale of a custom resource needs no version of its own. */
function versionOf({ customType }: Kind, scale: Scale, { metadata }: KubernetesObject): { resourceVersion?: string } {
  const resourceVersion = scale.metadata?.resourceVersion || (customType === undefined ? undefined : metadata?.resourceVersion)
  return resourceVersion ? { resourceVersion } : {}
}

function validateScale(kind: Kind, { metadata }: KubernetesObject, scale: Scale): void {
  const errors = validateObjectMeta(scale.metadata, true, 'dns-subdomain')
  const replicas = scale.spec?.replicas ?? 0
  // The replicas of a custom resource are validated with the rest of it.
  if (replicas < 0 && kind.customType === undefined) errors.push(invalid('spec.replicas', replicas, notNegativeMessage))
  if (errors.length > 0) throw invalidError(scaleKind, metadata?.name ?? '', errors)
  const { uid } = scale.metadata ?? {}
  if (uid && uid !== metadata?.uid)
    throw conflictError(
      { group: kind.group, plural: `${kind.plural}/scale` },
      metadata?.name ?? '',
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata?.uid ?? ''}`,
    )
}

function withOwners(kind: Kind, scale: Scale, parent: KubernetesObject): Scale {
  const managedFields = ownersOfScale(kind, parent.metadata?.managedFields ?? [])
  return managedFields.length === 0 ? scale : { ...scale, metadata: { ...scale.metadata, managedFields } }
}

function responseOf(scale: Scale): ObjectResponse {
  const { metadata, spec, status } = scale
  return { kind: scaleKind, object: scale, json: JSON.stringify({ metadata, spec, status }) }
}

// Converts the managedFields of an object to those of its Scale and back. A Scale has only the owners of the replicas. The identity
// of an owner includes its apiVersion (except for apply), which differs between the object and its Scale; so an update of the
// Scale always adds a new owner to the object, without a time.
// Kubernetes: k8s.io/apimachinery/pkg/util/managedfields.ScaleHandler.*
type Fields = Owner['fieldsV1']
type Entries = readonly ManagedFieldsEntry[]

const scaleVersion = 'autoscaling/v1'
const inScale = ['f:spec', 'f:replicas'] as const

type Path = readonly string[]

/** The field of an object that holds its replicas: `.spec.replicas`, except in custom resources. */
const pathIn = ({ replicasPath }: Pick<Kind, 'replicasPath'>): Path =>
  replicasPath === undefined
    ? inScale
    : replicasPath
        .split('.')
        .slice(1)
        .map((name) => `f:${name}`)

const setOf = (path: Path): Fields => path.reduceRight<Fields>((inner, element) => ({ [element]: inner }), {})
const owns = ({ fieldsV1 }: Owner, path: Path) => hasPath(fieldsV1, path)

/** The managedFields of the Scale of an object. */
function ownersOfScale(kind: Kind, parent: Entries): readonly Owner[] {
  const path = pathIn(kind)
  return sortOwners(
    decodeOwners(parent)
      .filter((owner) => owns(owner, path))
      .map((owner) => newOwner({ ...owner, apiVersion: scaleVersion }, setOf(inScale), owner.time)),
  )
}

/** The managedFields of the object after a write of its Scale. */
function ownersOfParent(kind: Kind, parent: Entries, scale: Entries): readonly Owner[] {
  const path = pathIn(kind)
  const apiVersion = apiVersionOf(kind)
  const writers = new Map(decodeOwners(scale).map((owner) => [ownerId(owner), owner]))
  const owners: Owner[] = []
  for (const owner of decodeOwners(parent)) {
    if (!owns(owner, path) || writers.delete(ownerId(owner))) owners.push(owner)
    else {
      const fieldsV1 = without(owner.fieldsV1, path)
      if (Object.keys(fieldsV1).length > 0) owners.push({ ...owner, fieldsV1 })
    }
  }
  for (const writer of writers.values()) if (owns(writer, inScale)) owners.push(newOwner({ ...writer, apiVersion }, setOf(path), undefined))
  return sortOwners(owners)
}

/** A struct of which only `.` is left, which means ownership of the struct itself, is kept as an empty one. */
function without(fields: Fields, [first = '', ...rest]: Path): Fields {
  const { [first]: inner = {}, ...others } = fields
  const left = rest.length === 0 ? {} : without(inner, rest)
  const names = Object.keys(left)
  if (names.length === 0) return others
  return { ...others, [first]: names.length === 1 && names[0] === '.' ? {} : left }
}
