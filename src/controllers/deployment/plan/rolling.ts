// One step of a rolling update: the new set grows into the room that the surge allows, or else the old ones shrink as
// far as availability allows.
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { roomAtThisMoment } from './capacity.ts'
import { maxReplicas, maxUnavailable, replicasOf } from './fenceposts.ts'
import { availableReplicas, byAge, sizeOf, sum, totalSize } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

/**
 * The size that the new set may have now. `sets` holds it too. Under TerminationComplete the room is what the pods of
 * this moment leave, terminating ones included.
 */
export function nextNewSize(
  snapshot: DeploymentSnapshot,
  newSet: ReplicaSet,
  sets: readonly ReplicaSet[],
  { policy }: DeploymentSettings,
): number {
  const { deployment } = snapshot
  const [size, replicas] = [sizeOf(newSet), replicasOf(deployment)]
  if (size >= replicas) return replicas
  const room = policy === 'TerminationComplete' ? roomAtThisMoment(snapshot, sets) : maxReplicas(deployment) - totalSize(sets)
  return size + Math.max(0, Math.min(room, replicas - size))
}

/** An old set and the size that it shrinks to. */
export interface Shrinking {
  readonly set: Stored<ReplicaSet>
  readonly size: number
}

/**
 * Old pods that are not available go first, as many as leave enough available whatever becomes of the new ones; then as
 * many available ones as may be missing.
 *
 * 10 replicas, 2 may be missing, 3 above: with 3 new pods that are not available yet and 10 old ones, 13 − 8 − 3 = 2 may
 * go. An old pod that fails now does not make it 3: its own loss is among the 2.
 */
export function planShrinkOld({ deployment }: DeploymentSnapshot, newSet: ReplicaSet, oldSets: readonly Stored<ReplicaSet>[]): Shrinking[] {
  const old = oldSets.filter((set) => sizeOf(set) > 0).sort(byAge)
  if (old.length === 0) return []
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment)
  const mostToGo = totalSize(old) + sizeOf(newSet) - minAvailable - (sizeOf(newSet) - stayingAvailable(newSet))
  if (mostToGo <= 0) return []

  const sizes = new Map(old.map((set) => [set, sizeOf(set)]))
  let unhealthyGone = 0
  for (const set of old) {
    const gone = Math.min(mostToGo - unhealthyGone, sizeOf(set) - stayingAvailable(set))
    sizes.set(set, sizeOf(set) - gone)
    unhealthyGone += gone
  }

  let healthyToGo = sum(old, stayingAvailable) + stayingAvailable(newSet) - minAvailable
  for (const set of old) {
    if (healthyToGo <= 0) break
    const gone = Math.min(sizes.get(set)!, healthyToGo)
    sizes.set(set, sizes.get(set)! - gone)
    healthyToGo -= gone
  }
  return old.filter((set) => sizes.get(set) !== sizeOf(set)).map((set) => ({ set, size: sizes.get(set)! }))
}

/** A set that was cut down and has not caught up still reports pods that are about to go. */
const stayingAvailable = (set: ReplicaSet) => Math.min(availableReplicas(set), sizeOf(set))
