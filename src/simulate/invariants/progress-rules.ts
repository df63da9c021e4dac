// Invariants of conditions. Progressing: a completed rollout is not reopened and does not fail, unless the user changes the spec.
// A node that is lost, tainted or added later does not change that (KEP-2804).
// Operational: it agrees with the counts in the same status.
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Change } from '../../cluster/virtual-cluster.ts'

interface WithConditions extends Stored<KubernetesObject> {
  readonly status?: {
    readonly observedGeneration?: number
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[]
  }
}

const kinds: ReadonlySet<string> = new Set(['deployments', 'statefulsets', 'daemonsets'])
const completeReasons: ReadonlySet<string | undefined> = new Set(['NewReplicaSetAvailable', 'NewRevisionAvailable'])

/** Returns a line when the change breaks the rule. */
export function checkProgress(): (change: Change) => string | undefined {
  /** The generation at which each workload was complete. */
  const complete = new Map<string, number>()
  return ({ verb, kind, key, object }) => {
    if (!kinds.has(kind.plural)) return undefined
    const { metadata, status } = object as WithConditions
    const observed = status?.observedGeneration ?? 0
    const condition = status?.conditions?.find(({ type }) => type === 'Progressing')
    const completeAt = complete.get(metadata.uid)
    if (verb === 'delete') complete.delete(metadata.uid)
    else if (completeReasons.has(condition?.reason)) complete.set(metadata.uid, observed)
    else if (condition !== undefined && completeAt !== undefined) {
      complete.delete(metadata.uid)
      // A rollout continues without a new generation when ReplicaSets are deleted, or an annotation sets another policy.
      const isReopened = kind.plural !== 'deployments' || condition.reason === 'ProgressDeadlineExceeded'
      if (isReopened && completeAt === observed)
        return `the completed rollout of ${kind.kind} ${key} turns ${condition.status} (${condition.reason}), without a change of its spec`
    }
    return undefined
  }
}

interface WithThreshold extends WithConditions {
  readonly spec?: { readonly replicas?: number; readonly operationalThreshold?: number | string }
  readonly status?: NonNullable<WithConditions['status']> & { readonly availableReplicas?: number }
}

/** `90%` of 5 is 5: a share of a replica is a replica. */
function requiredReplicas(threshold: number | string, desired: number): number {
  const share = typeof threshold === 'number' ? threshold : Math.ceil((desired * Number.parseInt(threshold, 10)) / 100)
  return Math.min(share, desired)
}

const thresholdAnnotation = 'rollcall.dev/operational-threshold'

/** Undefined if the annotation is absent or invalid. */
function annotatedThreshold(text: string | undefined): number | string | undefined {
  if (text === undefined || !/^[0-9]+%?$/.test(text)) return undefined
  if (!text.endsWith('%')) return Number(text)
  return Number.parseInt(text, 10) <= 100 ? text : undefined
}

/** Returns a line when Operational of a ReplicaSet or Deployment contradicts the counts that were written with it. */
export function checkOperational(): (change: Change) => string | undefined {
  const annotations = new Map<string, string | undefined>()
  /** The status at the time that the annotation changed, which does not change the generation. It is not checked again. */
  const outdated = new Map<string, string>()
  return ({ verb, kind, key, object }) => {
    if (kind.plural !== 'deployments' && kind.plural !== 'replicasets') return undefined
    const { metadata, spec, status } = object as WithThreshold
    const { uid } = metadata
    if (verb === 'delete') {
      annotations.delete(uid)
      outdated.delete(uid)
      return undefined
    }
    const annotation = metadata.annotations?.[thresholdAnnotation]
    if (annotations.get(uid) !== annotation) outdated.set(uid, JSON.stringify(status))
    annotations.set(uid, annotation)
    if (outdated.has(uid)) {
      if (outdated.get(uid) === JSON.stringify(status)) return undefined
      outdated.delete(uid)
    }
    const said = status?.conditions?.find(({ type }) => type === 'Operational')?.status
    if (said === undefined || status?.observedGeneration !== metadata.generation) return undefined
    const desired = spec?.replicas ?? 1
    const available = status?.availableReplicas ?? 0
    const required = requiredReplicas(spec?.operationalThreshold ?? annotatedThreshold(annotation) ?? '100%', desired)
    return available >= required === (said === 'True')
      ? undefined
      : `Operational of ${kind.kind} ${key} is ${said} with ${available} of ${desired} available, where ${required} are required`
  }
}
