// An ordered rollout that broke, and that the user has mended: Kubernetes waits for ever for the broken pod to become
// ready (its issue 67250). Behind the gate StatefulSetUnstickRollout the broken pod is replaced.
import type { Pod, Stored } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { isTerminal, readyCondition } from '../../shared/plan/pod-state.ts'
import { progressDeadlineOf } from '../../shared/plan/progressing.ts'
import { isRunningAndReady, partitionOf } from './replicas.ts'
import { isOutdated, isUnavailable } from './rolling-update.ts'
import type { Replica, StatefulSetSnapshot } from './snapshot.ts'

export interface UnstickPlan {
  readonly pod?: Stored<Pod>
  readonly requeueAtMs?: number
}

/** How long an outdated pod out of turn may be unready before it counts as broken, where the set has no deadline. */
const usualPatienceSeconds = 600

/**
 * `blocking` is the first pod in order that is not healthy. One pod goes at most, and none while a pod of the new
 * revision is not available yet or any pod is terminating: the order of the rollout is kept.
 *
 * The pod whose turn it is anyway (the largest ordinal that is outdated) goes as soon as it is unready. A pod before its
 * turn may be unready because of the rollout itself (a quorum that lost a member), and goes only when its containers
 * fail or it has been unready for long.
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
  const brokenAtMs = unreadySince(blocking.pod) + (progressDeadlineOf(set).value ?? usualPatienceSeconds) * 1000
  return brokenAtMs <= snapshot.nowMs ? { pod: blocking.pod } : { requeueAtMs: brokenAtMs }
}

/** On its way out, or of the new revision and not available yet. */
function isMoving(snapshot: StatefulSetSnapshot, replica: Replica): boolean {
  if (replica.pod === undefined) return false
  if (replica.pod.metadata.deletionTimestamp !== undefined) return true
  return replica.revision === snapshot.update.name && isUnavailable(snapshot, replica)
}

function unreadySince(pod: Stored<Pod>): number {
  const ready = readyCondition(pod)
  return parseTime((ready?.status === 'True' ? undefined : ready?.lastTransitionTime) ?? pod.metadata.creationTimestamp ?? '') || 0
}

/** Ordinary reasons for a container to wait; any other one is a failure. */
const ordinary = new Set<string | undefined>([undefined, '', 'ContainerCreating', 'PodInitializing'])

/** It has ended, or its containers fail: waiting for it is in vain. */
export const isBroken = (pod: Stored<Pod>): boolean => isTerminal(pod) || hasFailingContainer(pod)

function hasFailingContainer({ status }: Stored<Pod>): boolean {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].some(
    ({ state }) => !ordinary.has(state?.waiting?.reason),
  )
}
