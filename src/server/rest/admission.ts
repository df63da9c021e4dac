// Admission as steps of ./write-pipeline.ts, and as part of the requests that do not write a whole object.

import { namespaces } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { forbiddenError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Namespace } from '../../api/types.ts'
import { type AdmissionCluster, admittedName, type Refusal } from '../admission/plugin.ts'
import { admissionPlugins } from '../admission/plugins.ts'
import { entryOf, keyOf, type Scope } from './scope.ts'
import type { Write } from './write-steps.ts'

const namespaceKind = namespaces as unknown as Kind

/** The objects that plugins can read. */
export const admissionCluster = (readScope: () => Scope): AdmissionCluster => ({
  namespace(name) {
    const scope = readScope()
    const record = scope.store.get(keyOf(namespaceKind, '', name))
    return record && (entryOf(scope, namespaceKind, record).object as Namespace)
  },
  list: <T extends KubernetesObject>(kind: Kind<T>, namespace: string) =>
    readScope().admissionObjects.list<T>(kind as unknown as Kind, namespace),
})

const refuse = ({ kind, next }: Write, why: Refusal): void => {
  if (why !== undefined) throw forbiddenError(kind, admittedName(next), why)
}

const admitting = admissionPlugins.filter(({ admit }) => admit !== undefined)
const checking = admissionPlugins.filter(({ check }) => check !== undefined)

export function admit(write: Write): void {
  for (const plugin of admitting) refuse(write, plugin.admit!(write))
}

export function check(write: Write): void {
  for (const plugin of checking) refuse(write, plugin.check!(write))
}

export function admitDelete(kind: Kind, name: string): void {
  for (const plugin of admissionPlugins) {
    const why = plugin.admitDelete?.(kind, name)
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
