// The input and the result of one step of a Deployment.
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { hasUnreportedPods, totalTerminating } from './capacity.ts'
import type { Conditions } from './conditions.ts'
import type { SortedSets } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

/** The ReplicaSets in `sorted` are up to date, except for their sizes. */
export interface Step {
  readonly snapshot: DeploymentSnapshot
  readonly settings: DeploymentSettings
  readonly now: number
  readonly sorted: SortedSets
  /** The revision of the new ReplicaSet, unless it already has a higher one. */
  readonly revision: bigint
  readonly conditions: Conditions
  /**
   * A rollout replaces a pending scale. The old ReplicaSets are written first: otherwise the scale would look newer than the
   * rollout if the controller stopped in between.
   */
  readonly isScaleOver?: boolean
}

export interface StepResult {
  /** A ReplicaSet to create. */
  readonly created?: ReplicaSet
  /** Changed ReplicaSets, in the order of the writes. */
  readonly changed?: readonly Stored<ReplicaSet>[]
  readonly deleted?: readonly Stored<ReplicaSet>[]
  /** Whether progress is checked: for a rollout, or a scale that may have to wait. */
  readonly isRollout: boolean
}

export const allSets = ({ newSet, oldSets }: SortedSets): readonly Stored<ReplicaSet>[] =>
  newSet === undefined ? oldSets : [...oldSets, newSet]

/**
 * Under TerminationComplete nothing is scaled up while a ReplicaSet does not report its terminating pods, and less while it does not report
 * pods that it has adopted.
 */
export function isCountUnknown({ snapshot, settings }: Step): boolean {
  if (settings.policy !== 'TerminationComplete') return false
  const { replicaSets } = snapshot
  return totalTerminating(replicaSets, snapshot) === undefined || replicaSets.some((set) => hasUnreportedPods(set, snapshot))
}
