// The status of a DaemonSet.
// Kubernetes: pkg/controller/daemon.DaemonSetsController.updateDaemonSetStatus, storeDaemonSetStatus
import type { Pod, Stored } from '../../../api/types.ts'
import { withoutZeros } from '../../shared/plan/counts.ts'
import { nextExtendedConditions } from '../../shared/plan/extended-conditions.ts'
import { isAvailable, isReady } from '../../shared/plan/pod-state.ts'
import { hasOldPod, isUpdated, sortByAge } from './pods.ts'
import type { DaemonSetSnapshot, DaemonSetStatus } from './snapshot.ts'

type ByNode = ReadonlyMap<string, readonly Stored<Pod>[]>

interface Counts {
  readonly desiredNumberScheduled: number
  readonly currentNumberScheduled: number
  readonly numberMisscheduled: number
  /** Those of them whose pod may not stay, or that are lost. A pod that stays on a node with NoSchedule holds up no rollout. */
  readonly misplaced: number
  readonly numberReady: number
  readonly updatedNumberScheduled: number
  readonly numberAvailable: number
  /** Nodes that should run a pod and have one that is available and not terminating, for the completion of a rollout. */
  readonly serving: number
  /** Lost nodes that still have a pod. */
  readonly lost: number
}

/** Nodes are counted, not pods: a node with several pods counts by its oldest pod. */
export function countNodes({ set, nodes, place, revision, nowMs }: DaemonSetSnapshot, byNode: ByNode): Counts {
  const counts = {
    desiredNumberScheduled: 0,
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    misplaced: 0,
    numberReady: 0,
    updatedNumberScheduled: 0,
    numberAvailable: 0,
    serving: 0,
    lost: 0,
  }
  const minReadySeconds = set.spec?.minReadySeconds ?? 0
  const isServing = (pod: Stored<Pod>) => pod.metadata.deletionTimestamp === undefined && isAvailable(pod, minReadySeconds, nowMs)
  for (const node of nodes) {
    const pods = byNode.get(node.metadata.name)
    const { shouldRun, shouldStay, isLost } = place(node)
    if (!shouldRun) {
      if (pods === undefined) continue
      counts.numberMisscheduled++
      if (!shouldStay || isLost) counts.misplaced++
      if (isLost) counts.lost++
      continue
    }
    counts.desiredNumberScheduled++
    if (pods === undefined) continue
    counts.currentNumberScheduled++
    const pod = sortByAge(pods)[0]!
    if (isReady(pod)) {
      counts.numberReady++
      if (isAvailable(pod, minReadySeconds, nowMs)) counts.numberAvailable++
    }
    if (pods.some(isServing)) counts.serving++
    if (isUpdated(pod, set, revision.hash)) counts.updatedNumberScheduled++
  }
  return counts
}

interface NextStatus {
  readonly status: DaemonSetStatus
  readonly requeueAtMs?: number
}

export function nextStatus(snapshot: DaemonSetSnapshot, counts: Counts): NextStatus {
  const { set } = snapshot
  const { updatedNumberScheduled, numberAvailable, desiredNumberScheduled } = counts
  const { collisionCount } = set.status ?? {}
  const { conditions, requeueAtMs } = nextConditions(snapshot, counts)
  const observedGeneration = set.metadata.generation ?? 0
  const numberUnavailable = desiredNumberScheduled - numberAvailable
  return {
    status: {
      currentNumberScheduled: counts.currentNumberScheduled,
      numberMisscheduled: counts.numberMisscheduled,
      desiredNumberScheduled,
      numberReady: counts.numberReady,
      ...withoutZeros({ observedGeneration, updatedNumberScheduled, numberAvailable, numberUnavailable }),
      ...(collisionCount !== undefined && { collisionCount }),
      ...(conditions !== undefined && { conditions: conditions as NonNullable<DaemonSetStatus['conditions']> }),
    },
    ...(requeueAtMs !== undefined && { requeueAtMs }),
  }
}

const nextConditions = (snapshot: DaemonSetSnapshot, counts: Counts) =>
  nextExtendedConditions(snapshot, () => {
    const { set, revision } = snapshot
    const { desiredNumberScheduled: desired, currentNumberScheduled, misplaced, serving, lost, numberAvailable } = counts
    const isEveryNodeServed = currentNumberScheduled === desired && misplaced === 0 && serving === desired
    return {
      kind: 'DaemonSet',
      // A lost node counts as desired while its pod exists.
      desired: desired + lost,
      available: numberAvailable,
      revision: revision.name,
      // Only a new template starts a rollout: added, removed or tainted nodes do not.
      isNewGoal: false,
      isComplete: isEveryNodeServed && !hasOldPod(snapshot),
      hasProgressed: hasProgressed(counts, set.status),
      isUpToUser: set.spec?.updateStrategy?.type === 'OnDelete' && isEveryNodeServed,
    }
  })

function hasProgressed(counts: Counts, before: DaemonSetStatus | undefined): boolean {
  const {
    currentNumberScheduled = 0,
    numberMisscheduled = 0,
    numberReady = 0,
    updatedNumberScheduled = 0,
    numberAvailable = 0,
  } = before ?? {}
  return (
    counts.currentNumberScheduled > currentNumberScheduled ||
    counts.numberMisscheduled < numberMisscheduled ||
    counts.numberReady > numberReady ||
    counts.updatedNumberScheduled > updatedNumberScheduled ||
    counts.numberAvailable > numberAvailable
  )
}
