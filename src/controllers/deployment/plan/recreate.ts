// The Recreate strategy: old pods are deleted before new ones are created.
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { isActive, isTerminal, isTerminating } from '../../shared/plan/pod-state.ts'
import { replicasAtThisMoment, roomAtThisMoment, terminatingReplicas } from './capacity.ts'
import { replicasOf } from './fenceposts.ts'
import { sizeOf, statusReplicas } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

/**
 * Whether there are old pods that the new ones have to wait for. Under TerminationStarted only those that are not terminating
 * yet; otherwise all that have not terminated.
 */
export function isWaitingForOldPods(
  snapshot: DeploymentSnapshot,
  oldSets: readonly Stored<ReplicaSet>[],
  { policy }: DeploymentSettings,
): boolean {
  // Kubernetes ignores pods of deleted ReplicaSets.
  const { isStuck = () => false } = snapshot
  if (policy === 'TerminationComplete' && snapshot.strays.some((pod) => !isStuck(pod))) return true
  if (policy === 'TerminationStarted' && snapshot.strays.some((pod) => !isTerminating(pod))) return true
  return oldSets.some((set) => {
    if (statusReplicas(set) > 0) return true
    // Pods that the ReplicaSet may have created before it was scaled to 0, or adopts, and has not reported.
    if (policy !== undefined && replicasAtThisMoment(set, snapshot) > 0) return true
    if (policy === 'TerminationStarted') return snapshot.podsOf(set.metadata.uid).some(isActive)
    const pods = snapshot.podsOf(set.metadata.uid)
    if ((terminatingReplicas(set, snapshot) ?? 0) > pods.filter((pod) => isTerminating(pod) && isStuck(pod)).length) return true
    return pods.some((pod) => !isTerminal(pod) && !isStuck(pod))
  })
}

/** The size that the new ReplicaSet may have now. Only under TerminationComplete a scale-up waits. */
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
