// Webhooks and admission policies as steps of ./write-pipeline.ts and of deletions.
// Kubernetes: k8s.io/apiserver/pkg/server/options.AdmissionOptions.ApplyTo
// Kubernetes: k8s.io/apiserver/pkg/admission.chainAdmissionHandler.*
import { decode } from '../../api/machinery/decode/decode.ts'
import { DecodeError } from '../../api/machinery/decode/decode-error.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { internalError, invalidError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Scale } from '../../api/types.ts'
import { groupBy } from '../../base/maps.ts'
import type { AdmissionAttributes, Operation } from '../admission/dynamic/attributes.ts'
import { DynamicAdmission } from '../admission/dynamic/dynamic-admission.ts'
import { findExpressionErrors, findSelectorErrors } from '../admission/dynamic/expression-checks.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { WriteOptions } from './rest.ts'
import { accessOf, scaleOf } from './scale-view.ts'
import { type Scope, storageOf } from './scope.ts'
import { serviceReader } from './service-reader.ts'
import { fillDefaults, type NewObject, type Write } from './write-steps.ts'

export function createDynamicAdmission(
  readScope: () => Scope,
  authorizer: Authorizer,
  kinds: () => readonly Kind[],
  ignoresSimulated: boolean,
): DynamicAdmission {
  const services = serviceReader(readScope)
  return new DynamicAdmission({
    authorizer,
    count: (kind) => readScope().store.count(`${storageOf(kind)}/`),
    list: services.list,
    findKind: (apiVersion, name) => kinds().find((one) => apiVersionOf(one) === apiVersion && one.kind === name),
    equivalents: equivalentsOf(kinds),
    services,
    ignoresSimulated,
  })
}

/** The other kinds with the same storage. Known until the kinds change. */
function equivalentsOf(kinds: () => readonly Kind[]): (kind: Kind) => readonly Kind[] {
  let all: readonly Kind[] = []
  let byStorage = new Map<string, Kind[]>()
  return (kind) => {
    if (all !== kinds()) {
      all = kinds()
      byStorage = groupBy(all, storageOf)
    }
    return (byStorage.get(storageOf(kind)) ?? []).filter((one) => one !== kind)
  }
}

function attributesOf(write: Write): AdmissionAttributes {
  const { kind, namespace, name, subresource, current, next } = write
  // A write of the scale is reviewed as a Scale.
  const show = (object: KubernetesObject) => (subresource === 'scale' ? scaleOf(kind, object) : object)
  return requestAttributes(write.scope, write.options, {
    operation: current === undefined ? 'CREATE' : 'UPDATE',
    resource: kind,
    ...(subresource === 'scale' && { kind: scaleName }),
    namespace,
    name: name ?? next.metadata.name ?? '',
    subresource,
    object: show(next),
    oldObject: current && show(current),
  })
}

const scaleName = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

interface Request {
  readonly operation: Operation
  readonly resource: Kind
  readonly namespace: string
  readonly name: string
  readonly subresource?: string | undefined
  readonly kind?: AdmissionAttributes['kind']
  readonly object?: KubernetesObject | undefined
  readonly oldObject?: KubernetesObject | undefined
}

export function requestAttributes(scope: Scope, { caller, manager, dryRun, warn }: WriteOptions, request: Request): AdmissionAttributes {
  const { resource, namespace } = request
  return {
    ...request,
    kind: request.kind ?? resource,
    subresource: request.subresource ?? '',
    // As in Kubernetes, the namespace of a Namespace is itself.
    namespace: resource.type === 'core.Namespace' ? request.name : namespace,
    object: request.object,
    oldObject: request.oldObject,
    caller,
    manager,
    dryRun: dryRun ?? false,
    warn,
    namespaceObject: namespace === '' ? undefined : scope.admission.namespace(namespace),
  }
}

/** Lets webhooks and policies change the next object. Throws a StatusError when one refuses the write. */
export async function mutateByConfiguration(write: Write): Promise<void> {
  await write.scope.dynamicAdmission.mutate(attributesOf(write), (changed) => {
    if (write.subresource === 'scale') accessOf(write.kind).setReplicas(write.next, (changed as Scale).spec?.replicas ?? 0)
    else {
      write.next = decodeChanged(write.kind, changed)
      fillDefaults(write)
    }
    return attributesOf(write)
  })
}

function decodeChanged(kind: Kind, changed: object): NewObject {
  try {
    const { object } = decode<NewObject>(kind.type, changed, { kind: kind.kind, apiVersion: apiVersionOf(kind) })
    object.metadata ??= {}
    return object
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error
  }
}

const deviceGroup = 'resource.k8s.io'

/** Whether objects of the kind may have expressions that are compiled before they are stored. */
export const hasExpressions = ({ scope, kind, subresource }: Write) =>
  // A write of the status keeps the spec.
  subresource === undefined && (kind.group === deviceGroup || scope.dynamicAdmission.isConfiguredBy(kind))

/** Throws a StatusError (422) for a webhook configuration, a policy or a selector of devices with an expression that cannot be compiled. */
export async function checkExpressions({ kind, next, current }: Write): Promise<void> {
  const errors = await (kind.group === deviceGroup ? findSelectorErrors(next, current) : findExpressionErrors(next, current))
  if (errors.length > 0) throw invalidError(kind, next.metadata.name ?? '', errors)
}

/** Throws a StatusError when a webhook or policy refuses the write. */
export const validateByConfiguration = (write: Write): Promise<void> => write.scope.dynamicAdmission.validate(attributesOf(write))

/** For requests that do not go through the pipeline: deletions, evictions, bindings. Throws a StatusError. */
export async function admitByConfiguration(scope: Scope, options: WriteOptions, request: Request): Promise<void> {
  const { dynamicAdmission } = scope
  const attributes = requestAttributes(scope, options, request)
  await dynamicAdmission.mutate(attributes, () => attributes)
  await dynamicAdmission.validate(attributes)
}

/** A connection to a pod, whose options are the object. Throws a StatusError when a webhook or policy refuses it. */
export function admitConnect(
  scope: Scope,
  options: WriteOptions,
  request: Omit<Request, 'operation' | 'kind' | 'oldObject'> & { readonly object: KubernetesObject },
): Promise<void> {
  const kind = { group: '', version: 'v1', kind: request.object.kind ?? '' }
  return admitByConfiguration(scope, options, { ...request, operation: 'CONNECT', kind })
}
