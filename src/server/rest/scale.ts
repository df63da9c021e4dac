// The scale subresource: the replicas of an object as a Scale.
// Kubernetes: pkg/registry/apps/deployment/storage.ScaleREST.*, scaleUpdatedObjectInfo.*
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresource.ScaleREST.*
import { scaleKind } from '../../api/kinds/autoscaling/scale/kind.ts'
import { decode } from '../../api/machinery/decode/decode.ts'
import { invalid } from '../../api/machinery/field-error.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { badRequestError, conflictError, internalError, invalidError } from '../../api/machinery/status-error.ts'
import { validateObjectMeta } from '../../api/machinery/validation/metadata.ts'
import { notNegativeMessage } from '../../api/machinery/validation/names.ts'
import type { KubernetesObject, Scale, Writable } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { applyConfiguration, trackChange } from './managed-fields.ts'
import { checkName, ensureNamespace } from './naming.ts'
import { patchObject } from './patch.ts'
import { readBody } from './request-body.ts'
import type { Input, ObjectResponse, PatchFormat, PatchInput, PatchQuery, WriteOptions, WriteResult } from './rest.ts'
import { ownersOfParent, ownersOfScale } from './scale-owners.ts'
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
