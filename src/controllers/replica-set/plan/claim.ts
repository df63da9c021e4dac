// Which pods a set controls, adopts and releases, with the active and the terminating ones apart.
// Kubernetes: pkg/controller/replicaset.ReplicaSetController.claimPods
// Kubernetes: pkg/controller.PodControllerRefManager.ClaimPods, BaseControllerRefManager.ClaimObject
import type { Pod, Stored } from '../../../api/types.ts'
import { matchesLabels } from '../../../base/label-selector.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'
import type { ReplicaSettings } from './settings.ts'

interface ClaimPlan {
  /** Controlled by the set. */
  readonly active: readonly Stored<Pod>[]
  /** Controlled by the set. Terminating pods are neither adopted nor released. */
  readonly terminating: readonly Stored<Pod>[]
  readonly adopt: readonly Stored<Pod>[]
  readonly release: readonly Stored<Pod>[]
}

/**
 * `owned` name the set as their controller, `orphans` are the pods of its namespace without a controller. Terminated pods are
 * ignored. A set that is being deleted neither adopts nor releases.
 */
export function planClaims(
  { namespace, requirements, isBeingDeleted }: Pick<ReplicaSettings, 'namespace' | 'requirements' | 'isBeingDeleted'>,
  owned: Iterable<Stored<Pod>>,
  orphans: Iterable<Stored<Pod>>,
): ClaimPlan {
  const active: Stored<Pod>[] = []
  const terminating: Stored<Pod>[] = []
  const adopt: Stored<Pod>[] = []
  const release: Stored<Pod>[] = []
  let known: Stored<Pod>['metadata']['labels']
  let isKnownSelected = requirements !== undefined && matchesLabels(requirements, known)
  // Cached: most pods of a set share one labels object.
  const isSelected = ({ metadata: { labels } }: Stored<Pod>) => {
    if (labels === known) return isKnownSelected
    known = labels
    isKnownSelected = requirements !== undefined && matchesLabels(requirements, labels)
    return isKnownSelected
  }
  for (const pod of owned) {
    // An owner reference across namespaces is invalid.
    if (isTerminal(pod) || pod.metadata.namespace !== namespace) continue
    const selected = isSelected(pod)
    if (pod.metadata.deletionTimestamp !== undefined) {
      if (selected) terminating.push(pod)
    } else if (selected) active.push(pod)
    else if (!isBeingDeleted) release.push(pod)
  }
  if (!isBeingDeleted)
    for (const pod of orphans) if (pod.metadata.deletionTimestamp === undefined && !isTerminal(pod) && isSelected(pod)) adopt.push(pod)
  return { active, terminating, adopt, release }
}
