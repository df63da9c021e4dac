// The state of the pods, owners and workloads of a trace at the current moment of a measurement.
import type { TracedPod, TracedSet, TracedWorkload } from './trace.ts'

export const states = { ready: 0, starting: 1, pending: 2, terminating: 3, waiting: 4, ended: -1 } as const
export const stateOf = (pod: TracedPod): number =>
  pod.hasEnded
    ? states.ended
    : pod.isWaiting
      ? states.waiting
      : pod.isTerminating
        ? states.terminating
        : pod.isReady
          ? states.ready
          : pod.node === undefined
            ? states.pending
            : states.starting

export interface PodView {
  traced: TracedPod
  state: number
  owner: OwnerView | undefined
  revision: number
  isOld: boolean
}

/** An owner of pods: a ReplicaSet or ControllerRevision, or a workload itself. */
export interface OwnerView {
  readonly pods: Set<PodView>
  set: TracedSet | undefined
  workload: WorkloadView | undefined
  /** Of pods that name their revision themselves, in the order of appearance. */
  readonly revisions: Map<string, number>
}

export interface WorkloadView {
  traced: TracedWorkload | undefined
  readonly owners: Set<OwnerView>
  newest: number
  /** Added to the revisions of its pods where they are drawn. */
  readonly lead: number
  pods: number
  /** Pods that are ready and not terminating. */
  ready: number
  /** Those of them that the status does not count. */
  takenOver: number
  /** The most pods that are allowed: the cap, or the pods that an earlier, larger cap allowed. */
  allowed: number
  /** The most pods since the workload was last written. */
  highest: number
  over: number
  /** How many pods have to be available: as many as were available at once before. */
  promised: number
  isAvailable: boolean
  isComplete: boolean
  /** When it last made progress. */
  progressAtMs: number
}

export const newWorkload = (lead: number): WorkloadView => ({
  traced: undefined,
  owners: new Set(),
  newest: 0,
  lead,
  pods: 0,
  ready: 0,
  takenOver: 0,
  allowed: 0,
  highest: 0,
  over: 0,
  promised: 0,
  isAvailable: true,
  isComplete: true,
  progressAtMs: 0,
})

export const takesRoom = ({ state }: PodView) => state !== states.ended && state !== states.waiting

/** Terminating, or of an earlier revision and not to stay. */
export function isOldPod({ state, owner, revision, traced: { name } }: PodView): boolean {
  if (state === states.terminating) return true
  const workload = owner?.workload
  return workload !== undefined && revision < workload.newest && !keepsRevision(workload.traced, name)
}

/** Whether a pod stays on the revision that it has. */
export const keepsRevision = (workload: TracedWorkload | undefined, pod: string) =>
  workload?.keepsOld !== undefined && Number(pod.slice(pod.lastIndexOf('-') + 1)) < workload.keepsOld.belowOrdinal

/** As the Deployment controller sees it: more updated or available pods, or fewer old ones. */
export function hasProgressed(now: TracedWorkload, before: TracedWorkload): boolean {
  const old = ({ totalReplicas, updatedReplicas }: TracedWorkload) => (totalReplicas ?? updatedReplicas) - updatedReplicas
  return now.updatedReplicas > before.updatedReplicas || now.availableReplicas > before.availableReplicas || old(now) < old(before)
}

/**
 * Counts the pods of a workload that are over its cap, after one of both has changed. Growth over the cap counts; what a smaller cap
 * leaves behind may only become fewer. How many pods a DaemonSet should have is known when it has reported its status, after it has
 * made them.
 */
export function boundPods(workload: WorkloadView, isReported: boolean): void {
  const { pods, allowed, traced } = workload
  const cap = traced?.cap ?? Math.max(allowed, pods)
  const isDaemonSet = traced?.kind === 'DaemonSet'
  const overAt = (count: number) => Math.max(0, count - Math.max(cap, allowed))
  workload.highest = Math.max(workload.highest, pods)
  if (isDaemonSet && !isReported) {
    workload.over = Math.min(workload.over, overAt(pods))
    return
  }
  workload.over = overAt(isDaemonSet ? workload.highest : pods)
  workload.allowed = Math.max(cap, Math.min(allowed, pods))
  workload.highest = pods
}

/** Their status counts terminating pods that are still ready. */
const countsTerminating = new Set(['StatefulSet', 'DaemonSet'])

/** The available pods of a workload that are not terminating. A Job has none. */
export function availablePods({ traced, ready, takenOver }: WorkloadView): number {
  if (traced === undefined || traced.kind === 'Job') return 0
  return countsTerminating.has(traced.kind) ? Math.min(traced.availableReplicas, ready) : traced.availableReplicas + takenOver
}

/** Once all pods were available, all of them have to be. */
export function promise(workload: WorkloadView, { replicas, availableReplicas }: TracedWorkload): void {
  workload.promised = availableReplicas >= replicas ? replicas : Math.min(workload.promised, replicas)
}
