// The ReplicaSets with other sizes, and the annotations that belong to them.
// Kubernetes: pkg/controller/deployment.DeploymentController.scaleReplicaSet
// Kubernetes: pkg/controller/deployment/util.SetReplicasAnnotations
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import {
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
import { isPending, scaleOfSet } from './scale-state.ts'
import type { Sync } from './step.ts'

/** What a ReplicaSet gets with its adoption, which is not a scale: its size, whatever it was for, is its share. */
export const adoptedAnnotations = (deployment: Deployment) => ({
  [desiredReplicasAnnotation]: String(replicasOf(deployment)),
  [maxReplicasAnnotation]: String(maxReplicas(deployment)),
  [replicasBeforeScaleAnnotation]: null,
})

/** The ReplicaSet with that size, and no pending scale. */
export function resized<T extends ReplicaSet>(set: T, replicas: number, sync: Sync): T {
  const { deployment } = sync.snapshot
  return withAnnotations(atSize(set, replicas, sync), {
    [desiredReplicasAnnotation]: String(replicasOf(deployment)),
    [maxReplicasAnnotation]: String(maxReplicas(deployment)),
    [replicasBeforeScaleAnnotation]: undefined,
  })
}

/** The ReplicaSet with that size, and a pending scale: the base of its share stays the same. */
export function partlyResized(set: Stored<ReplicaSet>, replicas: number, { base, maxBefore }: Share, sync: Sync): Stored<ReplicaSet> {
  return withAnnotations(atSize(set, replicas, sync), {
    [replicasBeforeScaleAnnotation]: String(base),
    ...(maxBefore !== undefined && { [maxReplicasAnnotation]: String(maxBefore) }),
  })
}

/**
 * Between this write and the next status of the ReplicaSet, its pods are unknown: those beyond its size, adopted ones included, may
 * already terminate, and new ones are added to them. 5 → 2 → 4 before the next status: 5 pods, of which 3 terminate, and 2 new ones.
 */
function atSize<T extends ReplicaSet>(set: T, replicas: number, { settings: { policy }, account }: Sync): T {
  const size = sizeOf(set)
  if (size === replicas) return set
  const mayHave = accountIn(account, set).replicas + Math.max(0, replicas - size)
  const isPlain = mayHave <= Math.max(replicas, statusReplicas(set))
  return withAnnotations<T>(
    { ...set, spec: { ...set.spec, replicas } },
    { [unreportedReplicasAnnotation]: policy !== 'TerminationComplete' || isPlain ? undefined : String(mayHave) },
  )
}

/** The ReplicaSet with its part of a superseded scale as its share. */
export const withoutPendingScale = (set: Stored<ReplicaSet>, sync: Sync): Stored<ReplicaSet> =>
  isPending(set, sync.snapshot.deployment) || isActive(set) ? resized(set, sizeOf(set), sync) : withoutBase(set)

/** The ReplicaSet without the annotation of a scale that is not pending. */
export const withoutBase = (set: Stored<ReplicaSet>): Stored<ReplicaSet> =>
  withAnnotations(set, { [replicasBeforeScaleAnnotation]: undefined })

/**
 * A rollout applies a changed maxSurge at once, so it becomes the base of the share. Otherwise the next pause would be taken for a
 * scale. Without TerminationComplete the annotation stays as in Kubernetes, where a pause makes no difference.
 */
export function withCurrentMax(set: Stored<ReplicaSet>, { snapshot: { deployment }, settings: { policy } }: Sync): Stored<ReplicaSet> {
  const isChanged = isActive(set) && scaleOfSet(set, deployment) === 'done for another maxSurge'
  if (policy !== 'TerminationComplete' || !isChanged) return set
  return withAnnotations(set, { [maxReplicasAnnotation]: String(maxReplicas(deployment)) })
}
