// The input and the result of one step of a Deployment.
// Ours: the input and the result of a step of a planner.
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import type { Account } from './capacity.ts'
import type { Conditions } from './conditions.ts'
import type { SortedSets } from './replica-sets.ts'
import type { ScaleState } from './scale-state.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

/** What is known in one sync. */
export interface Sync {
  readonly snapshot: DeploymentSnapshot
  readonly settings: DeploymentSettings
  readonly account: Account
}

/** The ReplicaSets in `sorted` are up to date, except for their sizes. */
export interface Step extends Sync {
  readonly now: number
  readonly sorted: SortedSets
  /** The revision of the new ReplicaSet, unless it already has a higher one. */
  readonly revision: bigint
  readonly conditions: Conditions
  /**
   * If it is superseded, the old ReplicaSets are written first: otherwise the scale would appear newer than the rollout if the controller
   * stopped in between.
   */
  readonly scale: ScaleState
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
