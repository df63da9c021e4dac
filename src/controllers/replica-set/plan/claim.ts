// Which pods belong to a set: those it controls and still selects, and the orphans that it selects.
import type { Pod, Stored } from '../../../api/types.ts'
import { matchesLabels } from '../../../base/label-selector.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'
import type { ReplicaSettings } from './settings.ts'

export interface ClaimPlan {
  /** Already its own. */
  readonly active: readonly Stored<Pod>[]
  /** Already its own; for these alone nothing is adopted or released. */
  readonly terminating: readonly Stored<Pod>[]
  readonly adopt: readonly Stored<Pod>[]
  readonly release: readonly Stored<Pod>[]
}

/**
 * `owned` are the pods that name the set as their controller, `orphans` those in its namespace that name none. Pods
 * that have ended are nobody's business any more; a set that is being deleted takes and lets go of none.
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
  // Most pods of a set have the very same labels.
  const isSelected = ({ metadata: { labels } }: Stored<Pod>) => {
    if (labels === known) return isKnownSelected
    known = labels
    isKnownSelected = requirements !== undefined && matchesLabels(requirements, labels)
    return isKnownSelected
  }
  for (const pod of owned) {
    // A pod elsewhere that names the set as its owner is a mistake of whoever wrote it.
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
