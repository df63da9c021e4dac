// One step of a rolling update: the new ReplicaSet is scaled up as far as maxSurge allows, or else the old ones are scaled down
// as far as maxUnavailable allows.
// Kubernetes: pkg/controller/deployment.DeploymentController.reconcileNewReplicaSet, DeploymentController.reconcileOldReplicaSets
// Kubernetes: pkg/controller/deployment.DeploymentController.cleanupUnhealthyReplicas
// Kubernetes: pkg/controller/deployment.DeploymentController.scaleDownOldReplicaSetsForRollingUpdate
// Kubernetes: pkg/controller/deployment/util.NewRSNewReplicas
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { maxUnavailable, replicasOf } from './fenceposts.ts'
import { availableReplicas, byAge, sizeOf, sum, totalSize } from './replica-sets.ts'
import type { DeploymentSnapshot } from './snapshot.ts'
import type { Sync } from './step.ts'

/** The size that the new ReplicaSet may have now. `total` is the size of all ReplicaSets. Under TerminationComplete terminating pods count too. */
export function nextNewSize({ snapshot: { deployment }, settings, account }: Sync, newSet: ReplicaSet, total: number): number {
  const [size, replicas] = [sizeOf(newSet), replicasOf(deployment)]
  if (size >= replicas) return replicas
  const room = settings.policy === 'TerminationComplete' ? account.room : account.cap - total
  return size + Math.max(0, Math.min(room, replicas - size))
}

/** An old ReplicaSet and the size that it is scaled down to. */
interface ScaleDown {
  readonly set: Stored<ReplicaSet>
  readonly size: number
}

/**
 * Unavailable old pods are removed first, as many as leave enough pods even if the new ones never become available; then as
 * many available ones as maxUnavailable allows.
 *
 * 10 replicas, maxUnavailable 2, maxSurge 3: with 3 new pods that are not available yet and 10 old ones, 13 − 8 − 3 = 2 may be
 * removed. An old pod that fails now does not make it 3: it is one of the 2.
 */
export function planScaleDownOld(
  { deployment }: DeploymentSnapshot,
  newSet: ReplicaSet,
  oldSets: readonly Stored<ReplicaSet>[],
): ScaleDown[] {
  const old = oldSets.filter((set) => sizeOf(set) > 0).sort(byAge)
  if (old.length === 0) return []
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment)
  const maxRemoved = totalSize(old) + sizeOf(newSet) - minAvailable - (sizeOf(newSet) - stayingAvailable(newSet))
  if (maxRemoved <= 0) return []

  const sizes = new Map(old.map((set) => [set, sizeOf(set)]))
  let unavailableRemoved = 0
  for (const set of old) {
    const removed = Math.min(maxRemoved - unavailableRemoved, sizeOf(set) - stayingAvailable(set))
    sizes.set(set, sizeOf(set) - removed)
    unavailableRemoved += removed
  }

  let availableToRemove = sum(old, stayingAvailable) + stayingAvailable(newSet) - minAvailable
  for (const set of old) {
    if (availableToRemove <= 0) break
    const removed = Math.min(sizes.get(set)!, availableToRemove)
    sizes.set(set, sizes.get(set)! - removed)
    availableToRemove -= removed
  }
  return old.filter((set) => sizes.get(set) !== sizeOf(set)).map((set) => ({ set, size: sizes.get(set)! }))
}

/** A ReplicaSet that was scaled down and has not caught up still reports pods that will be deleted. */
const stayingAvailable = (set: ReplicaSet) => Math.min(availableReplicas(set), sizeOf(set))
