// Admission as steps of ./write-pipeline.ts, and as part of the requests that do not write a whole object.
// Kubernetes: k8s.io/apiserver/pkg/admission.chainAdmissionHandler.*
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.AdmissionToValidateObjectFunc, AdmissionToValidateObjectUpdateFunc
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.AdmissionToValidateObjectDeleteFunc

import { namespaces } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { forbiddenError } from '../../api/machinery/status-error.ts'
import type { SwitchablePlugin } from '../../api/machinery/switchable-plugins.ts'
import type { KubernetesObject, Namespace } from '../../api/types.ts'
import { type AdmissionCluster, type AdmissionPlugin, type AwaitedObject, admittedName, type Refusal } from '../admission/plugin.ts'
import { admissionPlugins } from '../admission/plugins.ts'
import type { PodSecurityConfiguration } from '../admission/pod-security/configuration.ts'
import { entryOf, keyOf, prefixOf, type Scope } from './scope.ts'
import type { Write } from './write-steps.ts'

/** The plugins of a cluster, by what they do. */
export interface Admission {
  readonly awaiting: readonly AdmissionPlugin[]
  readonly admitting: readonly AdmissionPlugin[]
  readonly checking: readonly AdmissionPlugin[]
  readonly deleting: readonly AdmissionPlugin[]
}

export function createAdmission(enabled: readonly SwitchablePlugin[], podSecurity: PodSecurityConfiguration | undefined): Admission {
  const plugins = admissionPlugins(enabled, podSecurity)
  return {
    awaiting: plugins.filter(({ awaits }) => awaits !== undefined),
    admitting: plugins.filter(({ admit }) => admit !== undefined),
    checking: plugins.filter(({ check }) => check !== undefined),
    deleting: plugins.filter(({ admitDelete }) => admitDelete !== undefined),
  }
}

/** The objects that plugins can read. */
export const admissionCluster = (readScope: () => Scope): AdmissionCluster => ({
  namespace: (name) => readObject(readScope(), namespaces, '', name) as Namespace | undefined,
  get: <T extends KubernetesObject>(kind: Kind<T>, namespace: string, name: string) =>
    readObject(readScope(), kind, namespace, name) as T | undefined,
  list: <T extends KubernetesObject>(kind: Kind<T>, namespace: string) => readScope().admissionObjects.list<T>(kind, namespace),
  first<T extends KubernetesObject>(kind: Kind<T>, namespace: string, limit: number) {
    const scope = readScope()
    const prefix = prefixOf(kind, namespace)
    const { records } = scope.store.list(prefix, { limit })
    return {
      objects: records.map((record) => entryOf(scope, kind, record).object as T),
      total: scope.store.count(prefix),
    }
  },
})

function readObject(scope: Scope, kind: Kind, namespace: string, name: string): KubernetesObject | undefined {
  const record = scope.store.get(keyOf(kind, namespace, name))
  return record && entryOf(scope, kind, record).object
}

const maxWaits = 9
const minWaitMs = 100

/** Waits for an object that a plugin needs and that a controller creates: for one to two seconds, as Kubernetes does. Undefined: nothing is missing. */
export function awaitObjects(write: Write): Promise<void> | undefined {
  for (const plugin of write.scope.plugins.awaiting) {
    const awaited = plugin.awaits!(write)
    if (awaited !== undefined && !exists(write.scope, awaited)) return waitFor(write.scope, awaited)
  }
  return undefined
}

const exists = (scope: Scope, { kind, namespace, name }: AwaitedObject) => scope.store.get(keyOf(kind, namespace, name)) !== undefined

async function waitFor(scope: Scope, awaited: AwaitedObject): Promise<void> {
  const waitMs = minWaitMs * (1 + scope.random.next())
  for (let waits = 0; waits < maxWaits && !exists(scope, awaited); waits++)
    await new Promise<void>((resolve) => scope.wallClock.after(waitMs, resolve))
}

const refuse = ({ kind, next }: Write, why: Refusal): void => {
  if (typeof why === 'object') throw forbiddenError(kind, admittedName(next), why.message, why.causes)
  if (why !== undefined) throw forbiddenError(kind, admittedName(next), why)
}

export function admit(write: Write): void {
  for (const plugin of write.scope.plugins.admitting) refuse(write, plugin.admit!(write))
}

export function check(write: Write): void {
  for (const plugin of write.scope.plugins.checking) refuse(write, plugin.check!(write))
}

export function admitDelete({ plugins }: Scope, kind: Kind, name: string): void {
  for (const plugin of plugins.deleting) {
    const why = plugin.admitDelete!(kind, name)
    if (why !== undefined) throw forbiddenError(kind, name, why)
  }
}

/** Reserves the object's share of the quotas. The returned function releases it, and must be called after the object is stored. */
export function chargeQuotas({ scope, kind, next, current, subresource, options }: Write): () => void {
  const { namespace = '', name = '' } = next.metadata
  if (!kind.namespaced || scope.quotas.isEmpty(namespace)) return doNothing
  const key = keyOf(kind, namespace, name)
  const result = scope.quotas.charge({
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
