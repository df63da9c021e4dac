// Surge before eviction: which pods of a Deployment that are to be evicted are replaced now, and which may be evicted.
//
// Rollcall's ReplicaSet controller creates another pod for one that has the mark. Next to the controllers of Kubernetes the pod is taken out
// of its ReplicaSet: the Deployment becomes its controller. The ReplicaSet then lacks a pod and creates another one, Services still reach the
// old one by its labels, and a disruption budget counts the Deployment once. `spec.replicas` is left alone.
//
// Guarantees: pods are replaced only while the Deployment has room for the replacement within replicas + maxSurge, terminating and
// waiting pods included; the eviction of such a pod passes when as many others are available as were before, or as `spec.replicas` asks for
// by then; the first to be requested is the first to be replaced; a wait ends after the timeout, or when the requests stop, and its
// ReplicaSet then counts the pod again. The decision depends on objects and the time only.
//
// Worked example, 1 replica with maxSurge 1: the eviction of A is requested. 1 pod of at most 2 exists, so A gets the mark, and
// its ReplicaSet creates B. When B is available, A may be evicted. The eviction of B, requested meanwhile, waits until A has
// terminated: before that, 2 pods exist.
// Ours: surge before eviction exists in Rollcall only.
import { compareNames } from '../../../api/machinery/compare-names.ts'
import { controllerOf } from '../../../api/machinery/owners.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { replicasOf } from '../../deployment/plan/fenceposts.ts'
import { sizeOf, templateHashLabel } from '../../deployment/plan/replica-sets.ts'
import { isActive, isAvailable, nextAvailableAtMs } from '../../shared/plan/pod-state.ts'
import { type EvictionAnswer, type EvictionMarks, evictionMarksOf, hasEvictionMarks, isBeingReplaced } from './eviction-marks.ts'

interface EvictionSnapshot {
  readonly deployment: Stored<Deployment>
  readonly sets: readonly Stored<ReplicaSet>[]
  /** All pods of the Deployment, with those that it has taken over. */
  readonly pods: readonly Stored<Pod>[]
  /** How many more pods may be created. */
  readonly room: number
  /** How many pods it may have at a time. As many as `spec.replicas`: none is replaced before it is evicted. */
  readonly cap: number
  /** Next to controllers that do not know the marks: the Deployment becomes the controller of a pod that is replaced. */
  readonly takesOver: boolean
  readonly timeoutMs: number
}

export type EvictionAction =
  /** Another pod is created in its place. */
  | { readonly type: 'replace'; readonly pod: Stored<Pod>; readonly floor: number; readonly takesOver: boolean }
  /** Its eviction may pass. `giveBackTo`: it belongs to its ReplicaSet again. */
  | {
      readonly type: 'allow'
      readonly pod: Stored<Pod>
      readonly reason: EvictionAnswer
      readonly wasReplacing: boolean
      readonly giveBackTo?: Stored<ReplicaSet>
    }
  /** Its eviction is no longer requested. */
  | { readonly type: 'forget'; readonly pod: Stored<Pod>; readonly giveBackTo?: Stored<ReplicaSet> }
  /** The same, for a pod whose ReplicaSet a rollout has deleted since. */
  | { readonly type: 'delete'; readonly pod: Stored<Pod> }

export interface WaitingEviction {
  readonly pod: Stored<Pod>
  readonly requestedMs: number
  /** Whether its replacement has been requested. Otherwise it waits for room. */
  readonly isReplacing: boolean
}

export interface EvictionPlan {
  readonly actions: readonly EvictionAction[]
  /** In the order in which they will be replaced. */
  readonly waiting: readonly WaitingEviction[]
  readonly requeueAtMs?: number
}

/** An eviction that is not requested again for so long has been given up. Clients repeat it every few seconds. */
export const abandonedAfterMs = 120_000
/** After a timeout the pod is not replaced for so long: its eviction is left to the disruption budgets. */
const answerLifeMs = 600_000

const nothing: EvictionPlan = { actions: [], waiting: [] }

export const isTakenOver = (deployment: Stored<Deployment>, pod: Pod): boolean => controllerOf(pod)?.uid === deployment.metadata.uid

export function planEvictions(snapshot: EvictionSnapshot, nowMs: number): EvictionPlan {
  const { deployment, sets, pods, cap, takesOver, timeoutMs } = snapshot
  const isReplaced = (pod: Pod) => (takesOver ? isTakenOver(deployment, pod) : isBeingReplaced(pod))
  if (!pods.some((pod) => hasEvictionMarks(pod) || isReplaced(pod))) return nothing
  const active = pods.filter(isActive)
  const marked = active
    .map((pod) => ({ pod, marks: evictionMarksOf(pod), isOut: isReplaced(pod) }))
    .filter(({ marks, isOut }) => isOut || marks.requestedMs !== undefined || marks.answer !== undefined)
  if (marked.length === 0) return nothing
  const { minReadySeconds = 0 } = deployment.spec ?? {}
  const isUp = (pod: Pod) => isAvailable(pod, minReadySeconds, nowMs)
  const replicas = replicasOf(deployment)
  const actions: EvictionAction[] = []
  const waiting: WaitingEviction[] = []
  let requeueAtMs = nextAvailableAtMs(active, minReadySeconds, nowMs) ?? Number.POSITIVE_INFINITY
  /** Whether the time has come; otherwise the plan is made again then. */
  const isDue = (atMs: number) => {
    if (atMs > nowMs) requeueAtMs = Math.min(requeueAtMs, atMs)
    return atMs <= nowMs
  }
  const setOf = ({ metadata }: Stored<Pod>) =>
    sets.find((set) => hashOf(set) !== undefined && hashOf(set) === metadata.labels?.[templateHashLabel])
  const back = (pod: Stored<Pod>) => {
    const set = setOf(pod)
    return set === undefined || !takesOver ? {} : { giveBackTo: set }
  }

  const queue: Marked[] = []
  const replacing: Marked[] = []
  for (const one of marked) {
    const { pod, marks, isOut } = one
    if (marks.requestedMs === undefined || isDue(marks.lastRequestMs! + abandonedAfterMs)) {
      // Those that are not taken over keep their answer for a while.
      if (!isOut) {
        if (marks.answer === undefined || isDue(marks.answer.atMs + answerLifeMs)) actions.push({ type: 'forget', pod })
      } else if (takesOver && setOf(pod) === undefined) actions.push({ type: 'delete', pod })
      else actions.push({ type: 'forget', pod, ...back(pod) })
    } else if (marks.answer !== undefined) {
      if (!isOut && isDue(marks.answer.atMs + answerLifeMs)) actions.push({ type: 'forget', pod })
    } else if (isOut) replacing.push(one)
    else if (cap <= replicas || replicas === 0 || !isUp(pod)) actions.push({ type: 'allow', pod, reason: 'NotNeeded', wasReplacing: false })
    else queue.push(one)
  }

  // A pod that may be evicted no longer counts as available: it may be gone at any moment.
  let available = active.filter((pod) => isUp(pod) && evictionMarksOf(pod).answer === undefined).length
  const before = Math.min(replicas, available)
  for (const { pod, marks } of replacing.sort(byTime(({ marks: { replacing: since } }) => since?.atMs ?? 0))) {
    const { atMs, floor } = marks.replacing ?? { atMs: marks.requestedMs!, floor: replicas }
    const own = isUp(pod) ? 1 : 0
    if (available - own >= Math.min(floor, replicas)) {
      actions.push({ type: 'allow', pod, reason: 'Replaced', wasReplacing: true })
      available -= own
    } else if (isDue(atMs + timeoutMs)) actions.push({ type: 'allow', pod, reason: 'TimedOut', wasReplacing: true, ...back(pod) })
    else waiting.push({ pod, requestedMs: marks.requestedMs!, isReplacing: true })
  }

  let { room } = snapshot
  const progressMs = Math.max(...active.map(({ metadata }) => parseTime(metadata.creationTimestamp ?? '') || 0))
  for (const { pod, marks } of queue.sort(byTime(({ marks: { requestedMs } }) => requestedMs!))) {
    if (room > 0) {
      room--
      actions.push({ type: 'replace', pod, floor: before, takesOver })
    } else if (isDue(Math.max(marks.requestedMs!, progressMs) + timeoutMs))
      actions.push({ type: 'allow', pod, reason: 'TimedOut', wasReplacing: false })
    else waiting.push({ pod, requestedMs: marks.requestedMs!, isReplacing: false })
  }
  return { actions, waiting, ...(Number.isFinite(requeueAtMs) && { requeueAtMs }) }
}

interface Marked {
  readonly pod: Stored<Pod>
  readonly marks: EvictionMarks
}

const byTime = (timeOf: (one: Marked) => number) => (a: Marked, b: Marked) => timeOf(a) - timeOf(b) || compareNames(a.pod, b.pod)

const hashOf = ({ metadata }: Stored<ReplicaSet>) => metadata.labels?.[templateHashLabel]

/** Pods that the ReplicaSets are about to create. */
export function podsOwedBy(sets: readonly Stored<ReplicaSet>[], pods: readonly Stored<Pod>[]): number {
  const counts = new Map<string, number>()
  for (const pod of pods) {
    const uid = isActive(pod) ? controllerOf(pod)?.uid : undefined
    if (uid !== undefined) counts.set(uid, (counts.get(uid) ?? 0) + 1)
  }
  return sets.reduce((sum, set) => sum + Math.max(0, sizeOf(set) - (counts.get(set.metadata.uid) ?? 0)), 0)
}

/** What the eviction of a pod waits for. */
export function describeEviction(isReplacing: boolean, deployment: string): string {
  return isReplacing
    ? `waiting until the replacement of the pod in Deployment ${deployment} is available`
    : `waiting until Deployment ${deployment} has room for a replacement of the pod`
}
