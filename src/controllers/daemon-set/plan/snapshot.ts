// The input and the output of the DaemonSet planner.
// Ours: the input and the output of a planner.

import type { FeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { DaemonSet, Node, Pod, Stored } from '../../../api/types.ts'
import type { PlannedEvent } from '../../shared/plan/planned-event.ts'
import type { Placement } from './placement.ts'

export interface DaemonSetSnapshot {
  readonly set: Stored<DaemonSet>
  /** The pods that the set controls. */
  readonly pods: readonly Stored<Pod>[]
  readonly nodes: readonly Stored<Node>[]
  readonly place: Placement
  /** The revision of the template: its name, and the hash on its pods. */
  readonly revision: { readonly name: string; readonly hash: string }
  /** By node: when a failed pod was last deleted, and how long to wait after that. */
  readonly backoffs: ReadonlyMap<string, Backoff>
  readonly gates: Pick<FeatureGates, 'ExtendedWorkloadConditions'>
  readonly nowMs: number
}

export interface Backoff {
  readonly atMs: number
  readonly delayMs: number
}

export type DaemonSetStatus = NonNullable<DaemonSet['status']>

export interface Work {
  /** A pod for each of these nodes. */
  readonly create: readonly string[]
  readonly delete: readonly Stored<Pod>[]
}

export interface DaemonSetPlan extends Work {
  readonly notices: readonly PlannedEvent[]
  /** Input of the next plan. */
  readonly backoffs: ReadonlyMap<string, Backoff>
  readonly status: DaemonSetStatus
  readonly requeueAtMs?: number
}
