// The status of a StatefulSet.
// Kubernetes: pkg/controller/statefulset.computeReplicaStatus, updateStatus, completeUpdate, inconsistentStatus
import type { Pod, Stored } from '../../../api/types.ts'
import { withoutZeros } from '../../shared/plan/counts.ts'
import { nextExtendedConditions } from '../../shared/plan/extended-conditions.ts'
import { isAvailable } from '../../shared/plan/pod-state.ts'
import { revisionOf } from './identity.ts'
import { withRecreateCondition } from './recreate.ts'
import { isRunningAndReady, type Places, partitionOf } from './replicas.ts'
import type { StatefulSetSnapshot, StatefulSetStatus } from './snapshot.ts'

interface Counts {
  readonly replicas: number
  readonly readyReplicas: number
  readonly availableReplicas: number
  readonly currentReplicas: number
  readonly updatedReplicas: number
}

export function countPods(pods: Iterable<Stored<Pod>>, { set, current, update, nowMs }: StatefulSetSnapshot): Counts {
  const counts = { replicas: 0, readyReplicas: 0, availableReplicas: 0, currentReplicas: 0, updatedReplicas: 0 }
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  for (const pod of pods) {
    counts.replicas++
    if (isRunningAndReady(pod)) {
      counts.readyReplicas++
      if (isAvailable(pod, minReadySeconds, nowMs)) counts.availableReplicas++
    }
    if (pod.metadata.deletionTimestamp !== undefined) continue
    const revision = revisionOf(pod)
    if (revision === current.name) counts.currentReplicas++
    if (revision === update.name) counts.updatedReplicas++
  }
  return counts
}

interface NextStatus {
  readonly status: StatefulSetStatus
  readonly requeueAtMs?: number
}

/** `deleting`: how many pods of the current revision this plan deletes for the update. */
export function nextStatus(snapshot: StatefulSetSnapshot, places: Places, counts: Counts, deleting: number): NextStatus {
  const { set, current, update, collisionCount } = snapshot
  const wanted = set.spec?.replicas ?? 1
  const { replicas, readyReplicas, availableReplicas, updatedReplicas } = counts
  const isRolledOut = [updatedReplicas, readyReplicas, replicas].every((count) => count === wanted)
  const currentReplicas = isRolledOut ? updatedReplicas : counts.currentReplicas - deleting
  const { conditions, requeueAtMs } = snapshot.gates.ExtendedWorkloadConditions
    ? nextConditions(snapshot, places, counts)
    : { conditions: withRecreateCondition(snapshot, places, isRolledOut), requeueAtMs: undefined }
  return {
    status: {
      ...(set.metadata.generation !== undefined && { observedGeneration: set.metadata.generation }),
      replicas,
      ...withoutZeros({ readyReplicas, currentReplicas, updatedReplicas }),
      currentRevision: isRolledOut ? update.name : current.name,
      updateRevision: update.name,
      collisionCount,
      ...(conditions !== undefined && { conditions: conditions as NonNullable<StatefulSetStatus['conditions']> }),
      availableReplicas,
    },
    ...(requeueAtMs !== undefined && { requeueAtMs }),
  }
}

const nextConditions = (snapshot: StatefulSetSnapshot, places: Places, counts: Counts) =>
  nextExtendedConditions(snapshot, () => {
    const { set, update } = snapshot
    const wanted = set.spec?.replicas ?? 1
    return {
      kind: 'StatefulSet',
      desired: wanted,
      available: counts.availableReplicas,
      revision: update.name,
      replicas: wanted,
      isNewGoal: (set.status?.observedGeneration ?? 0) < (set.metadata.generation ?? 0) && hasOutdatedPod(snapshot, places),
      isComplete: isComplete(snapshot, places, counts),
      hasProgressed: hasProgressed(counts, set.status, wanted),
      isUpToUser: isUpToUser(snapshot, counts),
    }
  })

/** A pod above the partition has an older revision: only a change of the template or of the partition causes that. */
function hasOutdatedPod({ set, update }: StatefulSetSnapshot, { replicas }: Places): boolean {
  const partition = partitionOf(set)
  return replicas.some(({ pod, index, revision }) => pod !== undefined && revision !== update.name && index >= partition)
}

/** Every replica has a pod of the expected revision, and no pod is out of range. */
function hasExpectedPods(snapshot: StatefulSetSnapshot, places: Places): boolean {
  const { replicas, unlisted, condemned } = places
  return (
    condemned.length === 0 &&
    unlisted === 0 &&
    replicas.every(({ pod }) => pod !== undefined && pod.metadata.deletionTimestamp === undefined) &&
    !hasOutdatedPod(snapshot, places)
  )
}

function isComplete(snapshot: StatefulSetSnapshot, places: Places, { availableReplicas }: Counts): boolean {
  const { set, nowMs } = snapshot
  if (availableReplicas !== places.replicas.length || !hasExpectedPods(snapshot, places)) return false
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  return places.replicas.every(({ pod }) => pod !== undefined && isAvailable(pod, minReadySeconds, nowMs))
}

function hasProgressed(counts: Counts, before: StatefulSetStatus | undefined, wanted: number): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = before ?? {}
  return (
    counts.updatedReplicas > updatedReplicas ||
    counts.replicas - counts.updatedReplicas < replicas - updatedReplicas ||
    counts.readyReplicas > readyReplicas ||
    counts.availableReplicas > availableReplicas ||
    // Scaling, in either direction.
    Math.abs(counts.replicas - wanted) < Math.abs(replicas - wanted)
  )
}

/** OnDelete, and the only thing left to do is that the user deletes the old pods. */
function isUpToUser({ set }: StatefulSetSnapshot, { replicas, availableReplicas }: Counts): boolean {
  const wanted = set.spec?.replicas ?? 1
  return set.spec?.updateStrategy?.type === 'OnDelete' && replicas === wanted && availableReplicas === wanted
}
