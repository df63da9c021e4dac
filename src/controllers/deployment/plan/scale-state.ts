// How far the scales of a Deployment are. The annotations of its ReplicaSets store it, so that it survives a restart.
// Kubernetes: pkg/controller/deployment.DeploymentController.isScalingEvent
// Kubernetes: pkg/controller/deployment/util.GetDesiredReplicasAnnotation, getMaxReplicasAnnotation
import type { Deployment, ReplicaSet } from '../../../api/types.ts'
import {
  annotationOf,
  countOf,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  replicasBeforeScaleAnnotation,
  revisionOf,
} from './annotations.ts'
import { conditionOf, progressReasons } from './conditions.ts'
import { isRollingUpdate, maxReplicas, replicasOf } from './fenceposts.ts'
import type { ScaleProgress, Share } from './proportions.ts'
import { isActive, maxRevision, type SortedSets, sizeOf, totalSize } from './replica-sets.ts'

/**
 * A part is pending only if desired-replicas or max-replicas are those before the scale. Otherwise the scale was taken back, or an older
 * kubectl has copied the annotation.
 */
export function progressOf(set: ReplicaSet, deployment: Deployment): ScaleProgress {
  const [desired, max] = [countOf(set, desiredReplicasAnnotation), countOf(set, maxReplicasAnnotation)]
  const isForOtherSize = desired !== replicasOf(deployment)
  const isForOtherMax = max !== maxReplicas(deployment)
  if ((isForOtherSize || isForOtherMax) && countOf(set, replicasBeforeScaleAnnotation) !== undefined) return 'pending'
  if (isForOtherSize && desired !== undefined) return 'due'
  return isForOtherMax && max !== undefined ? 'done for another maxSurge' : 'done'
}

export function shareOf(set: ReplicaSet, deployment: Deployment): Share {
  const [progress, size] = [progressOf(set, deployment), sizeOf(set)]
  return {
    progress,
    size,
    base: progress === 'pending' ? countOf(set, replicasBeforeScaleAnnotation)! : size,
    // Zero is not a value that a controller writes: then the pods of the Deployment are the best guess.
    maxBefore: countOf(set, maxReplicasAnnotation) || deployment.status?.replicas || undefined,
  }
}

/** Whether the ReplicaSet has the annotation of a scale that was not finished, whether or not it still is pending. */
export const hasBase = (set: ReplicaSet): boolean => annotationOf(set, replicasBeforeScaleAnnotation) !== undefined

export type ScaleState =
  /** Every ReplicaSet has its share. */
  | 'none'
  /** The same, but an annotation of a scale is left, which has to be removed. */
  | 'done'
  /** A ReplicaSet lacks a part of its share. The rollout continues after the scale. */
  | 'pending'
  /** A rollout replaces the scale: what the scale has yet to add is a part of the rollout, whose new ReplicaSet gets the room first. */
  | 'superseded'

/**
 * Only a change of spec.replicas is a scale or, while the Deployment is paused and no rollout follows, a change of maxSurge.
 *
 * A pending scale is superseded if the template has changed since it began: the new ReplicaSet does not exist, has size 0, or does not have
 * the highest revision yet; and if the deadline is exceeded during a rollout, because a pod that never terminates would block the rollout as
 * well.
 */
export function scaleStateOf(deployment: Deployment, { newSet, oldSets }: SortedSets): ScaleState {
  const sets = newSet === undefined ? oldSets : [...oldSets, newSet]
  const isPaused = deployment.spec?.paused === true
  const isPending = sets.some((set) => progressOf(set, deployment) === 'pending')
  if (isPending && !isPaused) {
    const isTimedOut = conditionOf(deployment.status?.conditions, 'Progressing')?.reason === progressReasons.timedOut
    if (newSet === undefined || !isActive(newSet) || (isTimedOut && oldSets.some(isActive))) return 'superseded'
    const revision = revisionOf(newSet)
    if (revision !== undefined && revision <= maxRevision(oldSets)) return 'superseded'
  }
  const isDue = (set: ReplicaSet) => {
    const progress = progressOf(set, deployment)
    return progress === 'due' || (progress === 'done for another maxSurge' && isPaused)
  }
  const isScaled = isPending || sets.some((set) => isActive(set) && isDue(set))
  // A Recreate rollout scales all ReplicaSets but one to 0: there are no proportions to keep.
  if (isScaled && (isRollingUpdate(deployment) || sets.filter(isActive).length <= 1)) return 'pending'
  return sets.some(hasBase) ? 'done' : 'none'
}

/** How many replicas a pending scale has yet to add; 0 if none is pending. */
export function replicasOwed(deployment: Deployment, sets: readonly ReplicaSet[]): number {
  if (!sets.some((set) => progressOf(set, deployment) === 'pending')) return 0
  const active = sets.filter(isActive)
  const wanted = active.length > 1 ? maxReplicas(deployment) : replicasOf(deployment)
  return Math.max(0, wanted - totalSize(active))
}
