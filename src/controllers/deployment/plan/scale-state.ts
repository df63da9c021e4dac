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
import { isActive, maxRevision, type SortedSets, totalSize } from './replica-sets.ts'

/** How far a ReplicaSet is with the scales of its Deployment. */
type SetScale =
  /** It has received its share of spec.replicas. */
  | 'done'
  /** The same, but of another maxSurge. */
  | 'done for another maxSurge'
  /** It has not received anything. */
  | 'due'
  /** It has received a part; the annotation has its size before. */
  | 'pending'

/**
 * A part is pending only if desired-replicas or max-replicas are those before the scale. Otherwise the scale was taken back, or an older
 * kubectl has copied the annotation.
 */
export function scaleOfSet(set: ReplicaSet, deployment: Deployment): SetScale {
  const [replicas, max] = [replicasOf(deployment), maxReplicas(deployment)]
  const desired = countOf(set, desiredReplicasAnnotation)
  const maxBefore = countOf(set, maxReplicasAnnotation)
  if (hasBase(set) && countOf(set, replicasBeforeScaleAnnotation) !== undefined && (desired !== replicas || maxBefore !== max))
    return 'pending'
  if (desired !== undefined && desired !== replicas) return 'due'
  return maxBefore !== undefined && maxBefore !== max ? 'done for another maxSurge' : 'done'
}

export const isPending = (set: ReplicaSet, deployment: Deployment): boolean => scaleOfSet(set, deployment) === 'pending'

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
  const isOwed = sets.some((set) => isPending(set, deployment))
  if (isOwed && !isPaused(deployment)) {
    if (newSet === undefined || !isActive(newSet) || (isTimedOut(deployment) && oldSets.some(isActive))) return 'superseded'
    const revision = revisionOf(newSet)
    if (revision !== undefined && revision <= maxRevision(oldSets)) return 'superseded'
  }
  const isDue = (set: ReplicaSet) => {
    const scale = scaleOfSet(set, deployment)
    return scale === 'due' || (scale === 'done for another maxSurge' && isPaused(deployment))
  }
  const isScaled = isOwed || sets.some((set) => isActive(set) && isDue(set))
  // A Recreate rollout scales all ReplicaSets but one to 0: there are no proportions to keep.
  if (isScaled && (isRollingUpdate(deployment) || sets.filter(isActive).length <= 1)) return 'pending'
  return sets.some(hasBase) ? 'done' : 'none'
}

const isPaused = ({ spec }: Deployment) => spec?.paused === true
const isTimedOut = ({ status }: Deployment) => conditionOf(status?.conditions, 'Progressing')?.reason === progressReasons.timedOut

/** How many replicas a pending scale has yet to add; 0 if none is pending. */
export function replicasOwed(deployment: Deployment, sets: readonly ReplicaSet[]): number {
  if (!sets.some((set) => isPending(set, deployment))) return 0
  const active = sets.filter(isActive)
  const wanted = active.length > 1 ? maxReplicas(deployment) : replicasOf(deployment)
  return Math.max(0, wanted - totalSize(active))
}
