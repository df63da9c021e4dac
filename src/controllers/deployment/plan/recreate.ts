// Recreate: the old pods go before the new ones come.
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { isActive, isTerminal, isTerminating } from '../../shared/plan/pod-state.ts'
import { replicasAtThisMoment, roomAtThisMoment, terminatingReplicas } from './capacity.ts'
import { replicasOf } from './fenceposts.ts'
import { sizeOf, statusReplicas } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

/**
 * Are there old pods that the new ones have to wait for? TerminationStarted: those that are not yet terminating.
 * Otherwise: all that are not gone.
 */
export function isWaitingForOldPods(
  snapshot: DeploymentSnapshot,
  oldSets: readonly Stored<ReplicaSet>[],
  { policy }: DeploymentSettings,
): boolean {
  // Kubernetes does not know of pods whose set is gone.
  const { isStuck = () => false } = snapshot
  if (policy === 'TerminationComplete' && snapshot.strays.some((pod) => !isStuck(pod))) return true
  if (policy === 'TerminationStarted' && snapshot.strays.some((pod) => !isTerminating(pod))) return true
  return oldSets.some((set) => {
    if (statusReplicas(set) > 0) return true
    // What the set may have made before it was told to stop, and has not reported.
    if (policy !== undefined && replicasAtThisMoment(set) > 0) return true
    if (policy === 'TerminationStarted') return snapshot.podsOf(set.metadata.uid).some(isActive)
    const pods = snapshot.podsOf(set.metadata.uid)
    if ((terminatingReplicas(set, snapshot) ?? 0) > pods.filter((pod) => isTerminating(pod) && isStuck(pod)).length) return true
    return pods.some((pod) => !isTerminal(pod) && !isStuck(pod))
  })
}

/** The size that the new set may have now. Only TerminationComplete makes a scale-up wait. */
export function nextRecreatedSize(
  snapshot: DeploymentSnapshot,
  newSet: ReplicaSet,
  sets: readonly ReplicaSet[],
  { policy }: DeploymentSettings,
): number {
  const [size, replicas] = [sizeOf(newSet), replicasOf(snapshot.deployment)]
  if (policy !== 'TerminationComplete' || size >= replicas) return replicas
  return Math.min(replicas, size + roomAtThisMoment(snapshot, sets))
}
