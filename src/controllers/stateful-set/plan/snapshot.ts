// What a decision about a StatefulSet is made from, and what it says to do.
import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Pod, StatefulSet, Stored } from '../../../api/types.ts'
import type { Template } from '../../shared/plan/revision.ts'
import type { ClaimsPlan, FindClaim, OwnersPlan } from './claims.ts'
import type { NamedPod } from './new-pod.ts'

export interface StatefulSetSnapshot {
  readonly set: Stored<StatefulSet>
  /** Those that belong to it. */
  readonly pods: readonly Stored<Pod>[]
  readonly findClaim: FindClaim
  /** What pods that are not to be updated are made from. */
  readonly current: RevisionInUse
  /** What the spec says now. */
  readonly update: RevisionInUse
  readonly collisionCount: number
  readonly gates: Pick<FeatureGates, 'ExtendedWorkloadConditions' | 'StatefulSetUnstickRollout'>
  readonly nowMs: number
}

export interface RevisionInUse {
  readonly name: string
  readonly template: Template | undefined
}

export type StatefulSetAction =
  /** Its claims are made first, and get their owners after. */
  | { readonly type: 'create-pod'; readonly pod: NamedPod; readonly claims: ClaimsPlan; readonly owners: OwnersPlan }
  /** A pod that waits for its claims. */
  | { readonly type: 'complete-claims'; readonly pod: Stored<Pod>; readonly claims: ClaimsPlan; readonly owners: OwnersPlan }
  | {
      readonly type: 'update-pod'
      readonly pod: Stored<Pod>
      readonly next: Stored<Pod>
      readonly claims: ClaimsPlan
      readonly owners: OwnersPlan
    }
  /** The pod goes for good: its claims may go with it. */
  | { readonly type: 'own-claims'; readonly pod: Stored<Pod>; readonly owners: OwnersPlan }
  | { readonly type: 'delete-pod'; readonly pod: Stored<Pod> }

/** Steps come one after the other: a step that fails ends the sync. */
export interface Step {
  /** The actions may go side by side; else they go in order, and one that fails ends the sync. */
  readonly parallel: boolean
  readonly actions: readonly StatefulSetAction[]
}

export type StatefulSetStatus = NonNullable<StatefulSet['status']>

export interface StatefulSetPlan {
  readonly steps: readonly Step[]
  readonly status: StatefulSetStatus
  /** Look again then, although nothing may have changed. */
  readonly requeueAtMs?: number
}

/** A place in the set: the pod that holds it, or the revision that its next pod is made from. */
export interface Replica {
  readonly ordinal: number
  /** From 0, wherever the ordinals start. */
  readonly index: number
  readonly pod: Stored<Pod> | undefined
  readonly revision: string
}
