// What a decision about a Deployment is made from, and what comes out of it.
import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../../api/types.ts'
import type { TerminationWait } from './termination-wait.ts'

export interface DeploymentSnapshot {
  readonly deployment: Stored<Deployment>
  /** Those that it controls. */
  readonly replicaSets: readonly Stored<ReplicaSet>[]
  /** The pods that a set controls, by the set's uid. */
  podsOf(uid: string): readonly Pod[]
  /** Those of them whose deletion was requested. */
  deletedPodsOf(uid: string): readonly Pod[]
  /** The pods that no set counts any more, and that have not terminated (`strays.ts`). */
  readonly strays: readonly Pod[]
  /** Whether a terminating pod holds no room any more. Default: none does so before it has terminated. */
  isStuck?(pod: Pod): boolean
  readonly gates: FeatureGates
  /** The API server has no terminatingReplicas: the pods are counted instead. */
  readonly countTerminatingPods?: boolean
}

export interface PlannedEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Writes are done in this order, and the first that fails ends them. Each event is told when its write is done. */
export type DeploymentAction =
  | { readonly action: 'create-set'; readonly replicaSet: ReplicaSet; readonly event?: PlannedEvent }
  /** The object to write: its resourceVersion is that of the set it was decided on. */
  | { readonly action: 'update-set'; readonly replicaSet: Stored<ReplicaSet>; readonly event?: PlannedEvent }
  | { readonly action: 'delete-set'; readonly replicaSet: Stored<ReplicaSet> }
  | { readonly action: 'update-deployment'; readonly deployment: Stored<Deployment>; readonly event?: PlannedEvent }

export interface DeploymentPlan {
  readonly actions: readonly DeploymentAction[]
  /** What to write to the status, with the annotations that go with it. Absent when it would change nothing. */
  readonly status?: Stored<Deployment>
  readonly events: readonly PlannedEvent[]
  /** Milliseconds since 1970: look again, although nothing may have changed. */
  readonly requeueAtMs?: number
  /** The terminating pods that hold up a rollout or a scale. */
  readonly wait?: TerminationWait
  /** The terminating pods that no longer do. */
  readonly stuck?: readonly Pod[]
}
