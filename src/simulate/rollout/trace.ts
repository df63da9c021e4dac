// A recorded run: what a watch showed, in order. A simulation and a real cluster give the same kind of trace, and
// everything that is measured or drawn is computed from it.

export interface TracedPod {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  /** The uid of the ReplicaSet, Job, StatefulSet or DaemonSet that owns it, or owned it until its Deployment took it over. */
  readonly owner?: string
  /** Where no ReplicaSet owns it: the value of its label controller-revision-hash. */
  readonly revision?: string
  readonly node?: string
  readonly isReady: boolean
  readonly isTerminating: boolean
  /** Succeeded or Failed: it holds no room any more. */
  readonly hasEnded: boolean
  /** No node fits it: PodScheduled is False with the reason Unschedulable. */
  readonly isUnschedulable: boolean
  /** What an unschedulable pod waits for: `room` that other pods take, or a node that it matches at all. Absent: room. */
  readonly waitsFor?: 'room' | 'match'
  /** It has the gate of the pacer, and takes no room. */
  readonly isWaiting?: true
  /** Its Deployment has taken it over from its ReplicaSet before its eviction: the status of the Deployment does not count it. */
  readonly isTakenOver?: true
}

export interface TracedSet {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  /** The uid of the Deployment that owns it. */
  readonly owner?: string
  readonly revision?: number
}

export interface TracedCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

export interface TracedWorkload {
  readonly uid: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
  readonly replicas: number
  /** replicas + maxSurge, as numbers. */
  readonly cap: number
  readonly generation: number
  readonly observedGeneration: number
  readonly availableReplicas: number
  readonly updatedReplicas: number
  /** status.replicas: pods of all revisions. Absent: as many as updatedReplicas. */
  readonly totalReplicas?: number
  /** Of a StatefulSet with a partition: how many pods keep an earlier revision, those with an ordinal below this one. */
  readonly keepsOld?: { readonly pods: number; readonly belowOrdinal: number }
  /** spec.paused: its revisions stay as they are. Of a Job: spec.suspend. */
  readonly isPaused?: boolean
  readonly conditions: readonly TracedCondition[]
}

/** What a workload has to serve from now on. */
export interface TracedLoad {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** In pods that work at their capacity. */
  readonly pods: number
  /** The requests a second that a pod serves at most. */
  readonly capacity?: number
  readonly isAutoscaled?: boolean
}

/** `gone` carries the uid (for nodes the name) of what is no longer there. */
export type Change =
  | { readonly atMs: number; readonly pod: TracedPod }
  | { readonly atMs: number; readonly set: TracedSet }
  | { readonly atMs: number; readonly workload: TracedWorkload }
  | { readonly atMs: number; readonly node: { readonly name: string; readonly isReady: boolean } }
  | { readonly atMs: number; readonly event: { readonly object: string; readonly reason: string; readonly message: string } }
  /** `drain`: a node begins to be drained, or has no pod any more. */
  | { readonly atMs: number; readonly step: string; readonly isFault?: boolean; readonly drain?: 'begins' | 'ends' }
  | { readonly atMs: number; readonly load: TracedLoad }
  | { readonly atMs: number; readonly gone: { readonly type: 'pod' | 'set' | 'workload' | 'node'; readonly id: string } }

export interface Trace {
  readonly format: 'rollcall.trace/1'
  readonly source: 'simulation' | 'cluster'
  /** RFC 3339. */
  readonly startedAt: string
  readonly endMs: number
  readonly title: string
  /** Only the policy that was in force: absent where it is not known. */
  readonly policy?: string
  /** An autoscaler removes nodes that are no longer needed, and evicts their pods first. */
  readonly hasAutoscaledNodes?: true
  readonly changes: readonly Change[]
}
