// The input and the output of the StatefulSet planner.
// Ours: the input and the output of a planner.
import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Pod, StatefulSet, Stored } from '../../../api/types.ts'
import type { Template } from '../../shared/plan/revision.ts'
import type { ClaimsPlan, FindClaim, OwnersPlan } from './claims.ts'
import type { NamedPod } from './new-pod.ts'

export interface StatefulSetSnapshot {
  readonly set: Stored<StatefulSet>
  /** The pods that the set controls. */
  readonly pods: readonly Stored<Pod>[]
  readonly findClaim: FindClaim
  /** The revision of pods that are not to be updated. */
  readonly current: RevisionInUse
  /** The revision of the current template. */
  readonly update: RevisionInUse
  readonly collisionCount: number
  readonly gates: Pick<
    FeatureGates,
    'ExtendedWorkloadConditions' | 'MaxUnavailableStatefulSet' | 'StatefulSetRecreateStrategy' | 'StatefulSetUnstickRollout'
  >
  readonly nowMs: number
}

export interface RevisionInUse {
  readonly name: string
  readonly template: Template | undefined
}

export type StatefulSetAction =
  /** Its claims are created before the pod, and get their owners afterwards. */
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
  /** The pod is scaled down: its claims may be deleted with it. */
  | { readonly type: 'own-claims'; readonly pod: Stored<Pod>; readonly owners: OwnersPlan }
  | { readonly type: 'delete-pod'; readonly pod: Stored<Pod> }

/** Steps are applied in order: a step that fails ends the sync. */
export interface Step {
  /** Whether the actions are applied concurrently; otherwise in order, and a failure ends the sync. */
  readonly parallel: boolean
  readonly actions: readonly StatefulSetAction[]
}

export type StatefulSetStatus = NonNullable<StatefulSet['status']>

export interface StatefulSetPlan {
  readonly steps: readonly Step[]
  readonly status: StatefulSetStatus
  /** When to reconcile again, even if nothing changes until then. */
  readonly requeueAtMs?: number
}

/** An ordinal of the set, with its pod, or the revision of its next pod. */
export interface Replica {
  readonly ordinal: number
  /** Starts at 0, whatever the first ordinal. */
  readonly index: number
  readonly pod: Stored<Pod> | undefined
  readonly revision: string
}
