// Which pods the update of a StatefulSet deletes: the largest ordinals first.
// Kubernetes: pkg/controller/statefulset.updateStatefulSetAfterInvariantEstablished, getStatefulSetMaxUnavailable, isUnavailable
import type { Pod, Stored } from '../../../api/types.ts'
import { scaledValue } from '../../../base/int-or-percent.ts'
import { isAvailable } from '../../shared/plan/pod-state.ts'
import { type Places, partitionOf } from './replicas.ts'
import type { Replica, StatefulSetSnapshot } from './snapshot.ts'

/** At most maxUnavailable pods are unavailable at once. Before MaxUnavailableStatefulSet, a pod was deleted only when all pods with larger ordinals were updated and available. */
export function planRollingUpdate(snapshot: StatefulSetSnapshot, { replicas, unlisted }: Places): readonly Stored<Pod>[] {
  const { type, rollingUpdate } = snapshot.set.spec?.updateStrategy ?? {}
  // Missing pods are created first.
  if (type === 'OnDelete' || type === 'Recreate' || unlisted > 0) return []
  if (!snapshot.gates.MaxUnavailableStatefulSet) return planOneByOne(snapshot, replicas)
  const max = Math.max(1, scaledValue(rollingUpdate?.maxUnavailable ?? 1, replicas.length, false) ?? 1)
  const unavailable = replicas.filter(({ pod }) => isUnavailable(snapshot, pod)).length
  const outdated = replicas
    .slice(partitionOf(snapshot.set))
    .filter((replica) => isOutdated(snapshot, replica))
    .reverse()
  if (snapshot.set.spec?.podManagementPolicy !== 'Parallel') return podsOf(outdated.slice(0, Math.max(0, max - unavailable)))
  // Unavailable pods first: deleting them makes no more pods unavailable, so they do not count.
  const broken = outdated.filter(({ pod }) => isUnavailable(snapshot, pod))
  const working = outdated.filter(({ pod }) => !isUnavailable(snapshot, pod))
  return podsOf([...broken, ...working.slice(0, Math.max(0, max - unavailable))])
}

const podsOf = (replicas: readonly HeldReplica[]) => replicas.map(({ pod }) => pod)

export function isUnavailable({ set, nowMs }: StatefulSetSnapshot, pod: Stored<Pod> | undefined): boolean {
  return pod === undefined || pod.metadata.deletionTimestamp !== undefined || !isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs)
}

function planOneByOne(snapshot: StatefulSetSnapshot, replicas: readonly Replica[]): readonly Stored<Pod>[] {
  const partition = partitionOf(snapshot.set)
  for (let index = replicas.length - 1; index >= partition; index--) {
    const replica = replicas[index]!
    if (isOutdated(snapshot, replica)) return [replica.pod]
    if (isUnavailable(snapshot, replica.pod)) return []
  }
  return []
}

interface HeldReplica extends Replica {
  readonly pod: Stored<Pod>
}

/** It has a pod of another revision that is not being deleted. */
export function isOutdated({ update }: StatefulSetSnapshot, replica: Replica): replica is HeldReplica {
  return replica.pod !== undefined && replica.revision !== update.name && replica.pod.metadata.deletionTimestamp === undefined
}
