// Admission as steps of ./write-pipeline.ts, and as part of the requests that do not write a whole object.
// Kubernetes: k8s.io/apiserver/pkg/admission.chainAdmissionHandler.*
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.AdmissionToValidateObjectFunc, AdmissionToValidateObjectUpdateFunc
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.AdmissionToValidateObjectDeleteFunc

import { namespaces } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { forbiddenError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Namespace } from '../../api/types.ts'
import type { DynamicAdmission } from '../admission/dynamic/dynamic-admission.ts'
import { type AdmissionCluster, type AwaitedObject, admittedName, type Refusal } from '../admission/plugin.ts'
import type { Quotas } from '../admission/quota.ts'
import type { AdmissionObjects } from './admission-objects.ts'
import { entryOf, keyOf, prefixOf, type Storage, type WriteScope } from './scope.ts'
import type { Write } from './write-steps.ts'

/** What decides about a write besides its kind. */
export interface Admission {
  readonly cluster: AdmissionCluster
  readonly quotas: Quotas
  /** Webhooks and policies. */
  readonly dynamic: DynamicAdmission
  /** Whether the eviction of a pod has to wait. Absent: none has. */
  readonly reviewEviction: ReviewEviction | undefined
}

/** Undefined: it may pass. Otherwise why it has to be tried again. */
export type ReviewEviction = (request: {
  readonly namespace: string
  readonly name: string
  readonly uid?: string
  readonly isDryRun: boolean
}) => Promise<{ readonly message: string; readonly retryAfterSeconds: number } | undefined>

/** The objects that plugins can read. */
export const admissionCluster = (storage: Storage, objects: AdmissionObjects): AdmissionCluster => ({
  namespace: (name) => readObject(storage, namespaces, '', name) as Namespace | undefined,
  get: <T extends KubernetesObject>(kind: Kind<T>, namespace: string, name: string) =>
    readObject(storage, kind, namespace, name) as T | undefined,
  list: <T extends KubernetesObject>(kind: Kind<T>, namespace: string) => objects.list<T>(kind, namespace),
  first<T extends KubernetesObject>(kind: Kind<T>, namespace: string, limit: number) {
    const prefix = prefixOf(kind, namespace)
    const { records } = storage.store.list(prefix, { limit })
    return { objects: records.map((record) => entryOf(storage, kind, record).object as T), total: storage.store.count(prefix) }
  },
})

export function readObject(storage: Storage, kind: Kind, namespace: string, name: string): KubernetesObject | undefined {
  const record = storage.store.get(keyOf(kind, namespace, name))
  return record && entryOf(storage, kind, record).object
}

const maxWaits = 9
const minWaitMs = 100

/** Waits for an object that a plugin needs and that a controller creates: for one to two seconds, as Kubernetes does. Undefined: nothing is missing. */
export function awaitObjects(write: Write): Promise<void> | undefined {
  for (const plugin of write.pipeline.plugins.awaiting) {
    const awaited = plugin.awaits!(write)
    if (awaited !== undefined && !exists(write.scope, awaited)) return waitFor(write.scope, awaited)
  }
  return undefined
}

const exists = (scope: Storage, { kind, namespace, name }: AwaitedObject) => scope.store.get(keyOf(kind, namespace, name)) !== undefined

async function waitFor(scope: WriteScope, awaited: AwaitedObject): Promise<void> {
  const waitMs = minWaitMs * (1 + scope.random.next())
  for (let waits = 0; waits < maxWaits && !exists(scope, awaited); waits++)
    await new Promise<void>((resolve) => scope.wallClock.after(waitMs, resolve))
}

const refuse = ({ kind, next }: Write, why: Refusal): void => {
  if (typeof why === 'object') throw forbiddenError(kind, admittedName(next), why.message, why.causes)
  if (why !== undefined) throw forbiddenError(kind, admittedName(next), why)
}

export function admit(write: Write): void {
  for (const plugin of write.pipeline.plugins.admitting) refuse(write, plugin.admit!(write))
}

export function check(write: Write): void {
  for (const plugin of write.pipeline.plugins.checking) refuse(write, plugin.check!(write))
}

export function admitDelete({ pipelines }: WriteScope, kind: Kind, name: string): void {
  for (const plugin of pipelines.of(kind).plugins.deleting) {
    const why = plugin.admitDelete!(name)
    if (why !== undefined) throw forbiddenError(kind, name, why)
  }
}

/** Reserves the object's share of the quotas. The returned function releases it, and must be called after the object is stored. */
export function chargeQuotas({ scope, kind, next, current, subresource, options }: Write): () => void {
  const { namespace = '', name = '' } = next.metadata
  const { quotas } = scope.admission
  if (!kind.namespaced || quotas.isEmpty(namespace)) return doNothing
  const key = keyOf(kind, namespace, name)
  const result = quotas.charge({
    kind,
    namespace,
    key,
    object: next,
    dryRun: options.dryRun,
    subresource,
    ...(current && { current }),
  })
  if (result === undefined) return doNothing
  if ('refusal' in result) throw forbiddenError(kind, admittedName(next), result.refusal)
  return result.release
}

const doNothing = () => {}
