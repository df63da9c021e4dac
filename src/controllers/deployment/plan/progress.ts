// The Progressing condition of a Deployment, and when its deadline has to be checked.
// Kubernetes: pkg/controller/deployment.DeploymentController.syncRolloutStatus, DeploymentController.requeueStuckDeployment
// Kubernetes: pkg/controller/deployment.DeploymentController.checkPausedConditions
// Kubernetes: pkg/controller/deployment/util.DeploymentComplete, DeploymentProgressing, DeploymentTimedOut, HasProgressDeadline
import type { Deployment, ReplicaSet } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import type { Account } from './capacity.ts'
import {
  type Conditions,
  conditionOf,
  type DeploymentCondition,
  type DeploymentStatus,
  newCondition,
  progressReasons,
  withConditionState,
  withDeploymentCondition,
  withoutCondition,
} from './conditions.ts'
import { replicasOf } from './fenceposts.ts'
import { sizeOf, totalSize } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

const noDeadline = 2 ** 31 - 1

export function hasProgressDeadline({ spec }: Deployment): boolean {
  return spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== noDeadline
}

/**
 * All replicas are new and available. Under TerminationComplete there are no other pods (KEP-5882): none that is terminating, except those
 * that are stuck for too long, and none that an old ReplicaSet may have without reporting it.
 */
export function isComplete(
  deployment: Deployment,
  status: DeploymentStatus | undefined,
  { policy }: DeploymentSettings,
  account: Account,
): boolean {
  const replicas = replicasOf(deployment)
  return (
    (status?.updatedReplicas ?? 0) === replicas &&
    (status?.replicas ?? 0) === replicas &&
    (status?.availableReplicas ?? 0) === replicas &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata?.generation ?? 0) &&
    (policy !== 'TerminationComplete' || account.pods === replicas)
  )
}

/** More new, ready or available pods, or fewer old ones; under TerminationComplete also fewer terminating ones. */
function isProgress(before: DeploymentStatus | undefined, after: DeploymentStatus, { policy }: DeploymentSettings): boolean {
  const count = (status: DeploymentStatus | undefined, key: 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas') =>
    status?.[key] ?? 0
  const old = (status: DeploymentStatus | undefined) => count(status, 'replicas') - count(status, 'updatedReplicas')
  return (
    count(after, 'updatedReplicas') > count(before, 'updatedReplicas') ||
    old(after) < old(before) ||
    count(after, 'readyReplicas') > count(before, 'readyReplicas') ||
    count(after, 'availableReplicas') > count(before, 'availableReplicas') ||
    (policy === 'TerminationComplete' &&
      after.terminatingReplicas !== undefined &&
      after.terminatingReplicas < (before?.terminatingReplicas ?? 0))
  )
}

/** The progress deadline, in milliseconds since 1970. */
function deadlineOf(deployment: Deployment, condition: DeploymentCondition): number {
  return parseTime(condition.lastUpdateTime ?? '') + (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000
}

function isTimedOut(deployment: Deployment, conditions: Conditions, now: number): boolean {
  const condition = conditionOf(conditions, 'Progressing')
  // A complete rollout makes no progress.
  if (condition === undefined || condition.reason === progressReasons.newSetAvailable) return false
  return condition.reason === progressReasons.timedOut || deadlineOf(deployment, condition) < now
}

interface ProgressSource {
  readonly snapshot: Pick<DeploymentSnapshot, 'deployment' | 'hasReplacedPods'>
  readonly settings: DeploymentSettings
  readonly newSet: ReplicaSet | undefined
  readonly sets: readonly ReplicaSet[]
  /** The conditions before this sync. */
  readonly conditions: Conditions
  readonly status: DeploymentStatus
  readonly account: Account
  readonly now: number
}

/** The conditions after a step of a rollout. */
export function nextRolloutConditions(source: ProgressSource): Conditions {
  const { settings, newSet, sets, status, account, now } = source
  const { deployment, hasReplacedPods = false } = source.snapshot
  const current = conditionOf(source.conditions, 'Progressing')
  let conditions = status.conditions ?? []
  if (!hasProgressDeadline(deployment)) conditions = withoutCondition(conditions, 'Progressing')
  const wasComplete = current?.reason === progressReasons.newSetAvailable
  // The first rollout of a Deployment may have to wait as well, before it has a set.
  const isClosed = wasComplete || current === undefined
  // Recreate has no pods between two revisions, a scale may wait, and so may the pods of a deleted ReplicaSet: all are still in progress then.
  const isGoalReached =
    !isWaitingForDeletion(newSet, settings) &&
    (settings.policy !== 'TerminationComplete' || (isAtGoal(deployment, newSet, sets) && account.strays === 0))
  const isOver = wasComplete && isGoalReached && (status.replicas ?? 0) === (status.updatedReplicas ?? 0)
  if (hasProgressDeadline(deployment) && !isOver) {
    const subject = newSet === undefined ? `Deployment "${deployment.metadata?.name}"` : `ReplicaSet "${newSet.metadata?.name}"`
    if (isComplete(deployment, status, settings, account)) {
      const message = `${subject} has successfully progressed.`
      conditions = withConditionState(conditions, 'Progressing', 'True', progressReasons.newSetAvailable, message, now)
    } else if (isProgress(deployment.status, status, settings) || hasReplacedPods || (isClosed && !isGoalReached)) {
      conditions = withProgress(conditions, current, `${subject} is progressing.`, now)
    } else if (isTimedOut(deployment, conditions, now)) {
      const message = `${subject} has timed out progressing.`
      conditions = withConditionState(conditions, 'Progressing', 'False', progressReasons.timedOut, message, now)
    }
  }
  const failure = replicaFailure(newSet, sets)
  return failure === undefined ? withoutCondition(conditions, 'ReplicaFailure') : withDeploymentCondition(conditions, failure)
}

/** The new ReplicaSet has the full size, and all others have size 0. */
export function isAtGoal(deployment: Deployment, newSet: ReplicaSet | undefined, sets: readonly ReplicaSet[]): boolean {
  return newSet !== undefined && sizeOf(newSet) === replicasOf(deployment) && totalSize(sets) === sizeOf(newSet)
}

/**
 * A ReplicaSet that is being deleted creates no pods and keeps its name: the Deployment gets another one when the deletion has
 * finished. Without a policy this is not reported, as in Kubernetes.
 */
export const isWaitingForDeletion = (newSet: ReplicaSet | undefined, { policy }: DeploymentSettings): boolean =>
  policy !== undefined && newSet?.metadata?.deletionTimestamp !== undefined

/** Progress updates lastUpdateTime even if the reason stays the same. */
function withProgress(conditions: Conditions, current: DeploymentCondition | undefined, message: string, now: number): Conditions {
  const condition = newCondition('Progressing', 'True', progressReasons.replicaSetUpdated, message, now)
  const lastTransitionTime = current?.status === 'True' ? current.lastTransitionTime : condition.lastTransitionTime
  return [...withoutCondition(conditions, 'Progressing'), { ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) }]
}

/** The failure of the new ReplicaSet, or of any other. */
function replicaFailure(newSet: ReplicaSet | undefined, sets: readonly ReplicaSet[]): DeploymentCondition | undefined {
  for (const set of newSet === undefined ? sets : [newSet, ...sets]) {
    const found = set.status?.conditions?.find(({ type }) => type === 'ReplicaFailure')
    if (found === undefined) continue
    const { lastTransitionTime } = found
    return { ...found, ...(lastTransitionTime !== undefined && { lastUpdateTime: lastTransitionTime }) }
  }
  return undefined
}

/** Pausing and resuming update the condition, so that the time of the pause does not count toward the deadline. */
export function nextPauseConditions(deployment: Deployment, now: number): Conditions {
  const conditions = deployment.status?.conditions ?? []
  if (!hasProgressDeadline(deployment)) return conditions
  const reason = conditionOf(conditions, 'Progressing')?.reason
  if (reason === progressReasons.timedOut) return conditions
  const paused = deployment.spec?.paused === true
  if (paused && reason !== progressReasons.paused)
    return withConditionState(conditions, 'Progressing', 'Unknown', progressReasons.paused, 'Deployment is paused', now)
  if (!paused && reason === progressReasons.paused)
    return withConditionState(conditions, 'Progressing', 'Unknown', progressReasons.resumed, 'Deployment is resumed', now)
  return conditions
}

/** When to check the deadline, or undefined if no check is needed. */
export function nextProgressCheck(
  deployment: Deployment,
  status: DeploymentStatus,
  settings: DeploymentSettings,
  account: Account,
): number | undefined {
  const condition = conditionOf(status.conditions, 'Progressing')
  if (!hasProgressDeadline(deployment) || condition === undefined || condition.reason === progressReasons.timedOut) return undefined
  if (isComplete(deployment, status, settings, account) || condition.reason === progressReasons.newSetAvailable) return undefined
  // The deadline itself is still in time.
  return deadlineOf(deployment, condition) + 1
}
