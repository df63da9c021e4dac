// Webhooks and admission policies as steps of ./write-pipeline.ts and of deletions.
import { endpoints, services } from '../../api/kinds.ts'
import { decode } from '../../api/machinery/decode/decode.ts'
import { DecodeError } from '../../api/machinery/decode/decode-error.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { internalError, invalidError } from '../../api/machinery/status-error.ts'
import type { Endpoints, KubernetesObject, Service } from '../../api/types.ts'
import type { AdmissionAttributes, Operation } from '../admission/dynamic/attributes.ts'
import { DynamicAdmission } from '../admission/dynamic/dynamic-admission.ts'
import { findExpressionErrors } from '../admission/dynamic/expression-checks.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { WriteOptions } from './rest.ts'
import { entryOf, keyOf, prefixOf, type Scope, storageOf } from './scope.ts'
import { fillDefaults, type NewObject, type Write } from './write-steps.ts'

export function createDynamicAdmission(readScope: () => Scope, authorizer: Authorizer, kinds: () => readonly Kind[]): DynamicAdmission {
  return new DynamicAdmission({
    authorizer,
    count: (kind) => readScope().store.count(`${storageOf(kind)}/`),
    list(kind, namespace) {
      const scope = readScope()
      return scope.store.list(prefixOf(kind, namespace)).records.map((record) => entryOf(scope, kind, record).object)
    },
    findKind: (apiVersion, name) => kinds().find((one) => apiVersionOf(one) === apiVersion && one.kind === name),
    resolveService: (namespace, name, port) => resolveService(readScope(), namespace, name, port),
  })
}

export function attributesOf(write: Write): AdmissionAttributes {
  const { kind, namespace, name, subresource, current, next } = write
  return requestAttributes(write.scope, write.options, {
    operation: current === undefined ? 'CREATE' : 'UPDATE',
    resource: kind,
    namespace,
    name: name ?? next.metadata.name ?? '',
    subresource,
    object: next,
    oldObject: current,
  })
}

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
    write.next = decodeChanged(write.kind, changed)
    fillDefaults(write)
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

/** Throws a StatusError (422) for a webhook configuration or policy with an expression that cannot be compiled. */
export async function checkExpressions({ kind, next, current }: Write): Promise<void> {
  const errors = await findExpressionErrors(next, current)
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

/**
 * Simulated pods listen nowhere, so a service can be reached where it names another host (ExternalName), or where its endpoints are maintained by
 * hand.
 */
function resolveService(scope: Scope, namespace: string, name: string, port: number): { readonly host: string; readonly port: number } {
  const read = <T>(kind: unknown): T | undefined => {
    const record = scope.store.get(keyOf(kind as Kind, namespace, name))
    return record && (entryOf(scope, kind as Kind, record).object as T)
  }
  const service = read<Service>(services)
  if (service === undefined) throw new Error(`service ${JSON.stringify(name)} not found`)
  const { type, externalName, selector, ports = [] } = service.spec ?? {}
  if (type === 'ExternalName' && externalName) return { host: externalName, port }
  const chosen = ports.find((one) => one.port === port)
  if (chosen === undefined) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`)
  const subsets = selector === undefined || Object.keys(selector).length === 0 ? (read<Endpoints>(endpoints)?.subsets ?? []) : []
  for (const { addresses = [], ports: open = [] } of subsets) {
    const target = open.find((one) => (one.name ?? '') === (chosen.name ?? ''))
    if (target !== undefined && addresses[0] !== undefined) return { host: addresses[0].ip, port: target.port }
  }
  throw new Error(`no endpoints available for service ${JSON.stringify(name)}`)
}
