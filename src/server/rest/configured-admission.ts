// Webhooks and admission policies as steps of ./write-pipeline.ts and of deletions.
// Kubernetes: k8s.io/apiserver/pkg/server/options.AdmissionOptions.ApplyTo
// Kubernetes: k8s.io/apiserver/pkg/admission.chainAdmissionHandler.*
import { decode } from '../../api/machinery/decode/decode.ts'
import { DecodeError } from '../../api/machinery/decode/decode-error.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { internalError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Scale } from '../../api/types.ts'
import { groupBy } from '../../base/maps.ts'
import type { AdmissionAttributes, Operation } from '../admission/dynamic/attributes.ts'
import { DynamicAdmission } from '../admission/dynamic/dynamic-admission.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { ServiceReader } from '../webhooks/webhook-address.ts'
import type { WriteOptions } from './rest.ts'
import { accessOf, scaleOf } from './scale-view.ts'
import { type Storage, storageOf, type WriteScope } from './scope.ts'
import { fillDefaults, type NewObject, type Write } from './write-steps.ts'

export function createDynamicAdmission(
  { store }: Storage,
  services: ServiceReader,
  authorizer: Authorizer,
  kinds: () => readonly Kind[],
  ignoresSimulated: boolean,
): DynamicAdmission {
  return new DynamicAdmission({
    authorizer,
    count: (kind) => store.count(`${storageOf(kind)}/`),
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

function requestAttributes(scope: WriteScope, { caller, manager, dryRun, warn }: WriteOptions, request: Request): AdmissionAttributes {
  const { resource, namespace, object, oldObject } = request
  const isItsNamespace = scope.pipelines.of(resource).behavior.isItsNamespace === true
  const namespaceObject = namespace === '' ? undefined : scope.admission.cluster.namespace(namespace)
  return {
    ...request,
    kind: request.kind ?? resource,
    subresource: request.subresource ?? '',
    // As in Kubernetes, the namespace of a Namespace is itself.
    namespace: isItsNamespace ? request.name : namespace,
    selectedNamespace: isItsNamespace ? (object ?? oldObject ?? {}) : resource.namespaced ? (namespaceObject ?? {}) : undefined,
    object,
    oldObject,
    caller,
    manager,
    dryRun: dryRun ?? false,
    warn,
    namespaceObject,
  }
}

/** Lets webhooks and policies change the next object. Throws a StatusError when one refuses the write. */
export async function mutateByConfiguration(write: Write): Promise<void> {
  await write.scope.admission.dynamic.mutate(attributesOf(write), (changed) => {
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

/** Throws a StatusError when a webhook or policy refuses the write. */
export const validateByConfiguration = (write: Write): Promise<void> => write.scope.admission.dynamic.validate(attributesOf(write))

/** For requests that do not go through the pipeline: deletions, evictions, bindings. Throws a StatusError. */
export async function admitByConfiguration(scope: WriteScope, options: WriteOptions, request: Request): Promise<void> {
  const { dynamic } = scope.admission
  const attributes = requestAttributes(scope, options, request)
  await dynamic.mutate(attributes, () => attributes)
  await dynamic.validate(attributes)
}

/** A connection to a pod, whose options are the object. Throws a StatusError when a webhook or policy refuses it. */
export function admitConnect(
  scope: WriteScope,
  options: WriteOptions,
  request: Omit<Request, 'operation' | 'kind' | 'oldObject'> & { readonly object: KubernetesObject },
): Promise<void> {
  const kind = { group: '', version: 'v1', kind: request.object.kind ?? '' }
  return admitByConfiguration(scope, options, { ...request, operation: 'CONNECT', kind })
}
