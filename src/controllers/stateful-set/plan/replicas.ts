// Assigns the pods of a StatefulSet to its ordinals, and finds those out of range.
// Kubernetes: pkg/controller/statefulset.defaultStatefulSetControl.updateStatefulSet, isRunningAndReady, getStartOrdinal, getEndOrdinal
// Kubernetes: pkg/controller/statefulset.descendingOrdinal.Less
import type { Pod, Stored } from '../../../api/types.ts'
import { isReady } from '../../shared/plan/pod-state.ts'
import { isInRange, ordinalOf, podNameOf, revisionOf, startOrdinal } from './identity.ts'
import type { Replica, StatefulSetSnapshot } from './snapshot.ts'

/** Limits the pods that are created in one sync, and with them the memory of a plan. */
const maxNewPerSync = 500

export interface Places {
  /** Sorted by ordinal: all replicas with a pod, and the first `maxNewPerSync` without one. */
  readonly replicas: readonly Replica[]
  /** How many replicas without a pod are not in `replicas`. */
  readonly unlisted: number
  /** Pods out of range, the largest ordinal first: the order of their deletion. */
  readonly condemned: readonly Stored<Pod>[]
}

export function placesOf({ set, pods, current, update }: StatefulSetSnapshot): Places {
  const byOrdinal = new Map<number, Stored<Pod>>()
  const condemned: Stored<Pod>[] = []
  for (const pod of pods) {
    const ordinal = ordinalOf(pod)
    if (!isInRange(set, ordinal)) {
      if (ordinal >= 0) condemned.push(pod)
      continue
    }
    const other = byOrdinal.get(ordinal)
    // `a-01` and `a-1` have the same ordinal: the one with the correct name is used.
    if (other === undefined || pod.metadata.name === podNameOf(set, ordinal)) byOrdinal.set(ordinal, pod)
  }
  condemned.sort((a, b) => ordinalOf(b) - ordinalOf(a))
  const start = startOrdinal(set)
  const replicas: Replica[] = []
  let next = start
  let unlisted = 0
  let room = maxNewPerSync
  const listMissingUntil = (end: number) => {
    for (; next < end && room > 0; next++, room--) {
      const index = next - start
      replicas.push({ ordinal: next, index, pod: undefined, revision: isHeldBack(set, index) ? current.name : update.name })
    }
    unlisted += end - next
  }
  for (const [ordinal, pod] of [...byOrdinal].sort(([a], [b]) => a - b)) {
    listMissingUntil(ordinal)
    replicas.push({ ordinal, index: ordinal - start, pod, revision: revisionOf(pod) })
    next = ordinal + 1
  }
  listMissingUntil(start + (set.spec?.replicas ?? 1))
  return { replicas, unlisted, condemned }
}

/** Whether the next pod of this index is still created from the current revision: the update has not reached it, or never will. */
function isHeldBack({ spec, status }: StatefulSetSnapshot['set'], index: number): boolean {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {}
  if (rollingUpdate) return index < (rollingUpdate.partition ?? 0)
  return type === 'RollingUpdate' && index < (status?.currentReplicas ?? 0)
}

/** Replicas below this index are not updated. */
export function partitionOf({ spec }: StatefulSetSnapshot['set']): number {
  return spec?.updateStrategy?.rollingUpdate?.partition ?? 0
}

export function isRunningAndReady(pod: Stored<Pod>): boolean {
  return pod.status?.phase === 'Running' && isReady(pod)
}
