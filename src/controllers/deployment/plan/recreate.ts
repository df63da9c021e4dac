// The Recreate strategy: old pods are deleted before new ones are created.
// Kubernetes: pkg/controller/deployment.DeploymentController.rolloutRecreate, DeploymentController.scaleDownOldReplicaSetsForRecreate
// Kubernetes: pkg/controller/deployment.DeploymentController.scaleUpNewReplicaSetForRecreate, oldPodsRunning
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { isActive, isTerminal, isTerminating } from '../../shared/plan/pod-state.ts'
import { accountIn } from './capacity.ts'
import { replicasOf } from './fenceposts.ts'
import { sizeOf, statusReplicas } from './replica-sets.ts'
import type { Sync } from './step.ts'

/**
 * Whether there are old pods that the new ones have to wait for. Under TerminationStarted only those that are not terminating
 * yet; otherwise all that have not terminated.
 */
export function isWaitingForOldPods({ snapshot, settings: { policy }, account }: Sync, oldSets: readonly Stored<ReplicaSet>[]): boolean {
  const { isStuck = () => false } = snapshot
  // Kubernetes ignores pods of deleted ReplicaSets.
  if (policy === 'TerminationComplete' && account.strays > 0) return true
  if (policy === 'TerminationStarted' && snapshot.strays.some((pod) => !isTerminating(pod))) return true
  return oldSets.some((set) => {
    const own = accountIn(account, set)
    if (statusReplicas(set) > 0) return true
    // Pods that the ReplicaSet may have created before it was scaled to 0, or adopts, and has not reported.
    if (policy !== undefined && own.replicas > 0) return true
    const pods = snapshot.podsOf(set.metadata.uid)
    if (policy === 'TerminationStarted') return pods.some(isActive)
    return own.holding > 0 || pods.some((pod) => !isTerminal(pod) && !isStuck(pod))
  })
}

/** The size that the new ReplicaSet may have now. Only under TerminationComplete a scale-up waits. */
export function nextRecreatedSize({ snapshot: { deployment }, settings, account }: Sync, newSet: ReplicaSet): number {
  const [size, replicas] = [sizeOf(newSet), replicasOf(deployment)]
  if (settings.policy !== 'TerminationComplete' || size >= replicas) return replicas
  return Math.min(replicas, size + account.room)
}
