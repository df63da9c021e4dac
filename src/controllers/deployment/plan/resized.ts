// The ReplicaSets with other sizes, and the annotations that belong to them.
// Kubernetes: pkg/controller/deployment.DeploymentController.scaleReplicaSet
// Kubernetes: pkg/controller/deployment/util.SetReplicasAnnotations
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import {
  type AnnotationChanges,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  replicasBeforeScaleAnnotation,
  unreportedReplicasAnnotation,
  withAnnotations,
} from './annotations.ts'
import { accountIn } from './capacity.ts'
import { maxReplicas, replicasOf } from './fenceposts.ts'
import type { Share } from './proportions.ts'
import { isActive, sizeOf, statusReplicas } from './replica-sets.ts'
import { progressOf } from './scale-state.ts'
import type { Sync } from './step.ts'

/** What a ReplicaSet gets with its adoption, which is not a scale: its size, whatever it was for, is its share. */
export const adoptedAnnotations = (deployment: Deployment) => ({
  [desiredReplicasAnnotation]: String(replicasOf(deployment)),
  [maxReplicasAnnotation]: String(maxReplicas(deployment)),
  [replicasBeforeScaleAnnotation]: null,
})

/**
 * The ReplicaSet with that size. `owed`: its share, of which this is a part, so that the scale is pending, and the base of the share stays
 * the same; without it no scale is pending.
 *
 * Between this write and the next status of the ReplicaSet, its pods are unknown: those beyond its size, adopted ones included, may
 * already terminate, and new ones are added to them. 5 → 2 → 4 before the next status: 5 pods, of which 3 terminate, and 2 new ones.
 */
export function resized<T extends ReplicaSet>(set: T, replicas: number, { snapshot, settings, account }: Sync, owed?: Share): T {
  const { deployment } = snapshot
  const size = sizeOf(set)
  const scaledFor: AnnotationChanges =
    owed === undefined
      ? { [desiredReplicasAnnotation]: String(replicasOf(deployment)), [maxReplicasAnnotation]: String(maxReplicas(deployment)) }
      : owed.maxBefore === undefined
        ? {}
        : { [maxReplicasAnnotation]: String(owed.maxBefore) }
  const next = withAnnotations(set, { ...scaledFor, [replicasBeforeScaleAnnotation]: owed && String(owed.base) })
  if (size === replicas) return next
  const mayHave = accountIn(account, set).replicas + Math.max(0, replicas - size)
  const isHidden = settings.policy === 'TerminationComplete' && mayHave > Math.max(replicas, statusReplicas(set))
  return withAnnotations<T>(
    { ...next, spec: { ...next.spec, replicas } },
    { [unreportedReplicasAnnotation]: isHidden ? String(mayHave) : undefined },
  )
}

/** The ReplicaSet with its part of a superseded scale as its share. */
export const withoutPendingScale = (set: Stored<ReplicaSet>, sync: Sync): Stored<ReplicaSet> =>
  isActive(set) || progressOf(set, sync.snapshot.deployment) === 'pending' ? resized(set, sizeOf(set), sync) : withoutBase(set)

/** The ReplicaSet without the annotation of a scale that is not pending. */
export const withoutBase = (set: Stored<ReplicaSet>): Stored<ReplicaSet> =>
  withAnnotations(set, { [replicasBeforeScaleAnnotation]: undefined })

/**
 * A rollout applies a changed maxSurge at once, so it becomes the base of the share. Otherwise the next pause would be taken for a
 * scale. Without TerminationComplete the annotation stays as in Kubernetes, where a pause makes no difference.
 */
export function withCurrentMax(set: Stored<ReplicaSet>, { snapshot: { deployment }, settings: { policy } }: Sync): Stored<ReplicaSet> {
  const isChanged = isActive(set) && progressOf(set, deployment) === 'done for another maxSurge'
  if (policy !== 'TerminationComplete' || !isChanged) return set
  return withAnnotations(set, { [maxReplicasAnnotation]: String(maxReplicas(deployment)) })
}
