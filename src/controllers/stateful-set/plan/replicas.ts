// Where the pods of a StatefulSet belong: in a place of the set, or out of it.
import type { Pod, Stored } from '../../../api/types.ts'
import { isReady } from '../../shared/plan/pod-state.ts'
import { isInRange, ordinalOf, podNameOf, revisionOf, startOrdinal } from './identity.ts'
import type { Replica, StatefulSetSnapshot } from './snapshot.ts'

/** Not more than this many pods are created in one step: a plan takes no more memory than the pods that exist, and these. */
export const maxNewInOneStep = 500

export interface Places {
  /** By ordinal: every place with a pod, and of those without one the first `maxNewInOneStep`. */
  readonly replicas: readonly Replica[]
  /** How many places without a pod are not among these. */
  readonly unlisted: number
  /** Out of range, the largest ordinal first: the order in which they go. */
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
    // `a-01` claims the place of `a-1`: the one with the right name has it.
    if (other === undefined || pod.metadata.name === podNameOf(set, ordinal)) byOrdinal.set(ordinal, pod)
  }
  condemned.sort((a, b) => ordinalOf(b) - ordinalOf(a))
  const start = startOrdinal(set)
  const replicas: Replica[] = []
  let next = start
  let unlisted = 0
  let room = maxNewInOneStep
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

/** A rolling update has not come to this place yet, or never will: its next pod is still made from the current revision. */
function isHeldBack({ spec, status }: StatefulSetSnapshot['set'], index: number): boolean {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {}
  if (rollingUpdate) return index < (rollingUpdate.partition ?? 0)
  return type === 'RollingUpdate' && index < (status?.currentReplicas ?? 0)
}

/** Places below this index are not updated. */
export function partitionOf({ spec }: StatefulSetSnapshot['set']): number {
  return spec?.updateStrategy?.rollingUpdate?.partition ?? 0
}

export function isRunningAndReady(pod: Stored<Pod>): boolean {
  return pod.status?.phase === 'Running' && isReady(pod)
}
