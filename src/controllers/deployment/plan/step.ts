// One step of a Deployment: what goes into it, and what comes out.
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { totalTerminating } from './capacity.ts'
import type { Conditions } from './conditions.ts'
import type { SortedSets } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

/** What a step works with: the sets as they should be, apart from their sizes. */
export interface Step {
  readonly snapshot: DeploymentSnapshot
  readonly settings: DeploymentSettings
  readonly now: number
  readonly sorted: SortedSets
  /** The revision of the new set, unless it has a higher one. */
  readonly revision: bigint
  readonly conditions: Conditions
  /**
   * A rollout takes the place of a pending scale. Until the old sets say so, the new one must not look as if the scale
   * had come later: they are written first.
   */
  readonly isScaleOver?: boolean
}

/** What a step changes. */
export interface StepResult {
  /** A set that is to be made. */
  readonly created?: ReplicaSet
  /** Sets with changes, in the order in which they must be written. */
  readonly changed?: readonly Stored<ReplicaSet>[]
  readonly deleted?: readonly Stored<ReplicaSet>[]
  /** A step whose progress is watched: of a rollout, or of a scale that may have to wait. */
  readonly isRollout: boolean
}

export const allSets = ({ newSet, oldSets }: SortedSets): readonly Stored<ReplicaSet>[] =>
  newSet === undefined ? oldSets : [...oldSets, newSet]

/** Under TerminationComplete nothing grows while a set does not say how many of its pods are terminating. */
export function isTerminatingUnknown({ snapshot, settings }: Step): boolean {
  return settings.policy === 'TerminationComplete' && totalTerminating(snapshot.replicaSets, snapshot) === undefined
}
