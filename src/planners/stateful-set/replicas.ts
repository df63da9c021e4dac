// Where the pods of a StatefulSet belong: in a place of the set, or out of it.
import type { Pod, Stored } from '../../api/types.ts'
import { isReady } from '../pods/pod-state.ts'
import { isInRange, ordinalOf, podNameOf, revisionOf, startOrdinal } from './identity.ts'
import type { Replica, StatefulSetSnapshot } from './snapshot.ts'

export interface Places {
  readonly replicas: readonly Replica[]
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
  const replicas = Array.from({ length: set.spec?.replicas ?? 1 }, (_, index): Replica => {
    const pod = byOrdinal.get(start + index)
    const revision = pod !== undefined ? revisionOf(pod) : isHeldBack(set, index) ? current.name : update.name
    return { ordinal: start + index, index, pod, revision }
  })
  return { replicas, condemned }
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
