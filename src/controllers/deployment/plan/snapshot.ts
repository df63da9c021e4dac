// The input and the output of the Deployment planner.
// Ours: the input and the output of a planner.
import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../../api/types.ts'
import type { PlanReasons } from './reasons.ts'
import type { TerminationWait } from './termination-wait.ts'

export interface DeploymentSnapshot {
  readonly deployment: Stored<Deployment>
  /** The ReplicaSets that the Deployment controls. */
  readonly replicaSets: readonly Stored<ReplicaSet>[]
  /** The pods that a ReplicaSet controls, by its uid. */
  podsOf(uid: string): readonly Pod[]
  /** Their number, terminated ones included. */
  podCountOf(uid: string): number
  /** Those of them whose deletion was requested. */
  deletedPodsOf(uid: string): readonly Pod[]
  /** How many active pods of a ReplicaSet are being replaced before their eviction: it creates as many more, up to its size. Default: none. */
  replacedPodsOf?(uid: string): number
  /** Pods that no ReplicaSet counts, and that have not terminated (`strays.ts`). */
  readonly strays: readonly Pod[]
  /** Pods without a controller that have not terminated and are not terminating: a ReplicaSet that selects them adopts them. */
  readonly orphans: readonly Pod[]
  /** Whether pods were lost and replaced since the last sync, so that the counts are the same. Default: no. */
  readonly hasReplacedPods?: boolean
  /** Whether a terminating pod no longer holds room. Default: every terminating pod holds room. */
  isStuck?(pod: Pod): boolean
  readonly gates: FeatureGates
  /** For API servers without terminatingReplicas: the pods are counted instead. */
  readonly countTerminatingPods?: boolean
}

export interface PlannedEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Applied in order; the first failure ends them. Each event is recorded after its write. */
export type DeploymentAction =
  | { readonly action: 'create-set'; readonly replicaSet: ReplicaSet; readonly event?: PlannedEvent }
  /** Its resourceVersion is the one that the decision is based on. */
  | { readonly action: 'update-set'; readonly replicaSet: Stored<ReplicaSet>; readonly event?: PlannedEvent }
  | { readonly action: 'delete-set'; readonly replicaSet: Stored<ReplicaSet> }
  | { readonly action: 'update-deployment'; readonly deployment: Stored<Deployment>; readonly event?: PlannedEvent }

export interface DeploymentPlan {
  readonly actions: readonly DeploymentAction[]
  /**
   * It may cause new pods where a policy limits them, or calls a rollout complete: it must not be applied while the cache lacks pods of deleted
   * ReplicaSets.
   */
  readonly needsAllPods?: true
  /** The Deployment with its new status and annotations. Absent when nothing changes. */
  readonly status?: Stored<Deployment>
  readonly events: readonly PlannedEvent[]
  /** Absent where nothing was planned, because the selector is empty. */
  readonly reasons?: PlanReasons
  /** Milliseconds since 1970: when to reconcile again, even if nothing changes until then. */
  readonly requeueAtMs?: number
  /** The terminating pods, or the ReplicaSet, that a rollout or scale waits for. */
  readonly wait?: TerminationWait
  /** The terminating pods that are no longer waited for. */
  readonly stuck?: readonly Pod[]
}
