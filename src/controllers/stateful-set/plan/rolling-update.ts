// Which pods a rolling update of a StatefulSet deletes: the largest ordinals first.
// Kubernetes: pkg/controller/statefulset.updateStatefulSetAfterInvariantEstablished, getStatefulSetMaxUnavailable, isUnavailable
import type { Pod, Stored } from '../../../api/types.ts'
import { scaledValue } from '../../../base/int-or-percent.ts'
import { isAvailable } from '../../shared/plan/pod-state.ts'
import { type Places, partitionOf } from './replicas.ts'
import type { Replica, StatefulSetSnapshot } from './snapshot.ts'

/**
 * With maxUnavailable, as many pods at once as it allows. Without it, a pod is deleted only when all pods with larger ordinals
 * are updated and available.
 */
export function planRollingUpdate(snapshot: StatefulSetSnapshot, { replicas, unlisted }: Places): readonly Stored<Pod>[] {
  const { set } = snapshot
  // Missing pods are created first.
  if (set.spec?.updateStrategy?.type === 'OnDelete' || unlisted > 0) return []
  const maxUnavailable = set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable
  return maxUnavailable === undefined ? planOneByOne(snapshot, replicas) : planAtOnce(snapshot, replicas, maxUnavailable)
}

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

function planAtOnce(snapshot: StatefulSetSnapshot, replicas: readonly Replica[], maxUnavailable: number | string): readonly Stored<Pod>[] {
  const max = Math.max(1, scaledValue(maxUnavailable, replicas.length, false) ?? 1)
  let room = max - replicas.filter(({ pod }) => isUnavailable(snapshot, pod)).length
  const partition = partitionOf(snapshot.set)
  const deletions: Stored<Pod>[] = []
  for (let index = replicas.length - 1; index >= partition && room > 0; index--) {
    const replica = replicas[index]!
    if (!isOutdated(snapshot, replica)) continue
    deletions.push(replica.pod)
    room--
  }
  return deletions
}

interface HeldReplica extends Replica {
  readonly pod: Stored<Pod>
}

/** It has a pod of another revision that is not being deleted. */
export function isOutdated({ update }: StatefulSetSnapshot, replica: Replica): replica is HeldReplica {
  return replica.pod !== undefined && replica.revision !== update.name && replica.pod.metadata.deletionTimestamp === undefined
}
