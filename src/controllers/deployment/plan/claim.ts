// Which sets belong to a Deployment: those that it controls and selects. It adopts what it selects and nobody controls,
// and lets go of what it controls and no longer selects.
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { matchesLabels } from '../../../base/label-selector.ts'
import { requirementsOf } from '../../shared/plan/selectors.ts'

export interface ClaimPlan {
  readonly owned: readonly Stored<ReplicaSet>[]
  readonly adopt: readonly Stored<ReplicaSet>[]
  readonly release: readonly Stored<ReplicaSet>[]
}

const none: readonly Stored<ReplicaSet>[] = []

/** `orphans` are the sets of its namespace that nobody controls. A Deployment that is being deleted claims nothing. */
export function planClaim(
  deployment: Stored<Deployment>,
  controlled: readonly Stored<ReplicaSet>[],
  orphans: readonly Stored<ReplicaSet>[],
): ClaimPlan {
  const isSelected = selectorOf(deployment)
  const isBeingDeleted = deployment.metadata.deletionTimestamp !== undefined
  const owned = controlled.filter(isSelected)
  if (isBeingDeleted) return { owned, adopt: [], release: [] }
  return {
    owned,
    adopt: orphans.length === 0 ? none : orphans.filter((set) => set.metadata.deletionTimestamp === undefined && isSelected(set)),
    release: owned.length === controlled.length ? none : controlled.filter((set) => !isSelected(set)),
  }
}

/** Would the Deployment take the set? An empty selector takes nothing. */
export function selectorOf({ spec }: Deployment): (set: ReplicaSet) => boolean {
  const requirements = requirementsOf(spec?.selector)
  if (requirements === undefined || requirements.length === 0) return () => false
  return ({ metadata }) => matchesLabels(requirements, metadata?.labels)
}
