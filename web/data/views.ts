// What the data worker sends to the page, and the page to the worker.
import type { Difference } from './differences.ts'
import type { HistoryView } from './history.ts'
import type { Condition } from './objects.ts'
import type { PodState } from './pod-summary.ts'
import type { PodCounts, WorkloadKind, WorkloadState } from './workload-summary.ts'

export interface WorkloadRow extends PodCounts {
  /** `Deployment/default/web`. */
  readonly key: string
  readonly kind: WorkloadKind
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly state: WorkloadState
  readonly text: string
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
  readonly nodes: { readonly ready: number; readonly total: number }
  readonly nowMs: number
}

export interface PodRow {
  readonly name: string
  readonly state: PodState | 'finished'
  readonly revision: number
  readonly node: string
  readonly createdMs: number
  readonly reason: string
  readonly restarts: number
  /** How long its termination has taken, and its grace period. */
  readonly terminating?: { readonly forMs: number; readonly graceMs: number }
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

export interface WorkloadView {
  readonly page: 'workload'
  readonly row: WorkloadRow | undefined
  readonly conditions: readonly Condition[]
  readonly waitsFor: string
  readonly history: HistoryView & { readonly startMs: number }
  readonly marks: readonly MarkRow[]
  readonly revisions: readonly RevisionRow[]
  /** The rows of the asked window. */
  readonly pods: readonly PodRow[]
  readonly podsFrom: number
  readonly podCount: number
  readonly nowMs: number
  /** For a simulation of a change: the object as it is in the cluster. */
  readonly manifest: unknown
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

export type View = OverviewView | WorkloadView | NodesView

export type ViewRequest =
  | { readonly page: 'overview' }
  | { readonly page: 'nodes' }
  | { readonly page: 'workload'; readonly key: string; readonly podsFrom: number; readonly podsTo: number }

export type ToWorker =
  | { readonly type: 'start'; readonly token: string | undefined }
  | { readonly type: 'show'; readonly request: ViewRequest }

export type FromWorker =
  | { readonly type: 'view'; readonly view: View; readonly revision: string }
  /** Kinds that cannot be read at the moment, with the reason; empty: all is well. */
  | { readonly type: 'connection'; readonly problems: readonly string[]; readonly isListed: boolean }
