// An ordered rollout with a broken template that the user has corrected: Kubernetes waits forever for the broken pod to become
// ready (kubernetes/kubernetes issue 67250). With the gate StatefulSetUnstickRollout the broken pod is replaced.
// Ours: Kubernetes waits forever for a broken pod of an ordered rollout.
import type { Pod, Stored } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { isTerminal, readyCondition } from '../../shared/plan/pod-state.ts'
import { progressDeadlineOf } from '../../shared/plan/progressing.ts'
import { isRunningAndReady, partitionOf } from './replicas.ts'
import { isOutdated, isUnavailable } from './rolling-update.ts'
import type { Replica, StatefulSetSnapshot } from './snapshot.ts'

interface UnstickPlan {
  readonly pod?: Stored<Pod>
  readonly requeueAtMs?: number
}

/** After this time an unready outdated pod counts as broken before its turn, if the set has no progress deadline. */
const defaultPatienceSeconds = 600

/**
 * `blocking` is the first unhealthy replica. At most one pod is deleted, and none while a pod of the new revision is unavailable
 * or any pod is terminating: this keeps the order of the rollout.
 *
 * The pod whose turn it is (the largest outdated ordinal) is deleted as soon as it is unready. A pod before its turn may be
 * unready because of the rollout itself (a quorum that lost a member), so it is deleted only when its containers fail or it has
 * been unready for long.
 */
export function planUnstick(snapshot: StatefulSetSnapshot, replicas: readonly Replica[], blocking: Replica): UnstickPlan {
  const { set, gates } = snapshot
  if (!gates.StatefulSetUnstickRollout || set.spec?.updateStrategy?.type !== 'RollingUpdate') return {}
  if (replicas.some((replica) => isMoving(snapshot, replica))) return {}
  const partition = partitionOf(set)
  const next = replicas.findLast((replica) => replica.index >= partition && isOutdated(snapshot, replica))
  if (next?.pod === undefined) return {}
  if (!isRunningAndReady(next.pod)) return { pod: next.pod }
  if (blocking.index < partition || !isOutdated(snapshot, blocking) || isRunningAndReady(blocking.pod)) return {}
  if (hasFailingContainer(blocking.pod)) return { pod: blocking.pod }
  const brokenAtMs = unreadySince(blocking.pod) + (progressDeadlineOf(set).value ?? defaultPatienceSeconds) * 1000
  return brokenAtMs <= snapshot.nowMs ? { pod: blocking.pod } : { requeueAtMs: brokenAtMs }
}

/** Being deleted, or of the new revision and not available yet. */
function isMoving(snapshot: StatefulSetSnapshot, replica: Replica): boolean {
  if (replica.pod === undefined) return false
  if (replica.pod.metadata.deletionTimestamp !== undefined) return true
  return replica.revision === snapshot.update.name && isUnavailable(snapshot, replica.pod)
}

function unreadySince(pod: Stored<Pod>): number {
  const ready = readyCondition(pod)
  return parseTime((ready?.status === 'True' ? undefined : ready?.lastTransitionTime) ?? pod.metadata.creationTimestamp ?? '') || 0
}

/** Normal reasons for a waiting container; any other reason is a failure. */
const normalReasons = new Set<string | undefined>([undefined, '', 'ContainerCreating', 'PodInitializing'])

/** It has terminated, or its containers fail: it will not become ready. */
export const isBroken = (pod: Stored<Pod>): boolean => isTerminal(pod) || hasFailingContainer(pod)

function hasFailingContainer({ status }: Stored<Pod>): boolean {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].some(
    ({ state }) => !normalReasons.has(state?.waiting?.reason),
  )
}
