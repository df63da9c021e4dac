// What the data worker sends to the page, and the page to the worker.
import type { Difference } from './differences.ts'
import type { HistoryView } from './history.ts'
import type { PodCounts, PodState } from './pod-summary.ts'
import type { ConditionRow, Headline, WorkloadKind } from './workload-summary.ts'

export interface WorkloadRow extends PodCounts, Headline {
  /** `Deployment/default/web`. */
  readonly key: string
  readonly kind: WorkloadKind
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** As the page shows them for all kinds, those included that it has derived. */
  readonly conditions: readonly Pick<ConditionRow, 'type' | 'status' | 'isDerived'>[]
  readonly desired: number
  readonly cap: number
  /** When its pods, its spec or its conditions changed last. */
  readonly changedMs: number
}

export interface OverviewView {
  readonly page: 'overview'
  readonly workloads: readonly WorkloadRow[]
  readonly namespaces: readonly string[]
  readonly pods: PodCounts
  readonly nodes: { readonly total: number; readonly lost: readonly string[] }
  readonly nowMs: number
}

export interface PodRow {
  readonly name: string
  readonly namespace: string
  readonly state: PodState | 'finished'
  readonly revision: number
  readonly node: string
  readonly createdMs: number
  readonly reason: string
  readonly restarts: number
  /** How long its termination has taken, and its grace period. */
  readonly terminating?: { readonly forMs: number; readonly graceMs: number }
  /** The key of its workload, where a list has pods of several. */
  readonly workload?: string
}

export interface RevisionRow {
  readonly revision: number
  readonly name: string
  readonly isCurrent: boolean
  readonly images: readonly string[]
  readonly createdMs: number
  readonly pods: PodCounts
  /** From the revision before. */
  readonly differences: readonly Difference[]
}

export interface MarkRow {
  readonly atMs: number
  readonly type: 'condition' | 'event'
  readonly isWarning: boolean
  readonly object: string
  readonly text: string
}

/** What a simulation of the last rollout needs. */
interface RolloutInput {
  /** The workload as it is in the cluster. */
  readonly after: unknown
  /** As it was before the newest revision and before it was scaled. Undefined where the page knows of no other state. */
  readonly before: unknown
  readonly startMs: number | undefined
  readonly stopMs: number | undefined
}

export interface WorkloadView {
  readonly page: 'workload'
  readonly row: WorkloadRow | undefined
  readonly conditions: readonly ConditionRow[]
  readonly waitsFor: string
  readonly history: HistoryView & { readonly startMs: number }
  readonly marks: readonly MarkRow[]
  readonly revisions: readonly RevisionRow[]
  /** The rows of the asked window. */
  readonly pods: readonly PodRow[]
  readonly podsFrom: number
  readonly podCount: number
  readonly nowMs: number
  readonly rollout: RolloutInput | undefined
}

export interface NodeRow {
  readonly name: string
  readonly isReady: boolean
  readonly isUnschedulable: boolean
  readonly taints: readonly string[]
  readonly pods: PodCounts
  readonly podLimit: number
  /** Requested and allocatable: cores and bytes. */
  readonly cpu: readonly [used: number, size: number]
  readonly memory: readonly [used: number, size: number]
}

export interface NodesView {
  readonly page: 'nodes'
  readonly nodes: readonly NodeRow[]
}

export interface NodeView {
  readonly page: 'node'
  readonly name: string
  readonly node: NodeRow | undefined
  readonly conditions: readonly ConditionRow[]
  readonly pods: readonly PodRow[]
  readonly podsFrom: number
  readonly podCount: number
  readonly nowMs: number
}

export type View = OverviewView | WorkloadView | NodesView | NodeView

export type ViewRequest =
  | { readonly page: 'overview' }
  | { readonly page: 'nodes' }
  | { readonly page: 'node'; readonly name: string; readonly podsFrom: number; readonly podsTo: number }
  | { readonly page: 'workload'; readonly key: string; readonly podsFrom: number; readonly podsTo: number }

export type ToWorker =
  | { readonly type: 'start'; readonly token: string | undefined }
  | { readonly type: 'show'; readonly request: ViewRequest }

export interface ConnectionState {
  /** Kinds that cannot be read at the moment, with the reason; empty: all is well. */
  readonly problems: readonly string[]
  /** The token is refused. */
  readonly isUnauthorized: boolean
  /** Kinds that this user may not read. */
  readonly forbidden: readonly string[]
  readonly isListed: boolean
}

export type FromWorker =
  | { readonly type: 'view'; readonly view: View; readonly revision: string }
  | ({ readonly type: 'connection' } & ConnectionState)
