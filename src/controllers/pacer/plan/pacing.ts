// Which gated pods of a workload may be scheduled now, when terminating pods count against the cap: the effect of KEP-5882 for
// controllers that do not implement it.
//
// Guarantees: if at most `cap` pods are admitted before, at most `cap` are after; no gated pod waits while there is room; gates of
// others are left alone. The decision depends only on pods and the cap, never on what it has decided before.
//
// Worked example, 10 replicas with maxSurge 3 (cap 13): 10 old pods run and 3 new ones are admitted. They become ready, 3 old pods are
// deleted and the controller creates 3 more new pods, which carry the gate: 13 pods are admitted, 3 of them terminating, so the
// 3 wait. When one has terminated, 12 are admitted and one gate is removed.
// Ours: the pacer exists in Rollcall only.
import { compareNames } from '../../../api/machinery/compare-names.ts'
import type { Pod, Stored } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { isTerminal, isTerminating, stuckAtMs } from '../../shared/plan/pod-state.ts'

/** The name of the scheduling gate. */
export const pacerGate = 'rollcall.dev/pacer'

export interface PacedWorkload {
  /** How many pods may be admitted at a time. Undefined: the pods are not paced, and all gates are removed. */
  readonly cap: number | undefined
  /** All pods of the workload. */
  readonly pods: readonly Stored<Pod>[]
  /** A higher number is a newer revision. Default: all are of one revision. */
  revisionOf?(pod: Stored<Pod>): number
  /** How long after the end of its grace period a terminating pod still counts. Undefined: until it has terminated. */
  readonly stuckTerminationTimeoutMs?: number
}

export interface Pacing {
  /** The pods to remove the gate from, the first to be admitted first. */
  readonly release: readonly Stored<Pod>[]
  /** Those that keep waiting, in the order in which they will be admitted. */
  readonly waiting: readonly Stored<Pod>[]
  /** Those of them that have waited long enough for an Event. */
  readonly longWaiting: readonly Stored<Pod>[]
  /** The terminating pods that count, if any pod waits; the longest terminating first. */
  readonly waitsFor: readonly Stored<Pod>[]
  /** Terminating pods that no longer count, because of the timeout. */
  readonly stuck: readonly Stored<Pod>[]
  /** Pods without the gate that have not terminated. */
  readonly admitted: number
  /** How many of them are terminating. */
  readonly holding: number
  readonly requeueAtMs?: number
}

/**
 * A pod that waits for less time has no Event: where pods terminate quickly most waits end within a second, and an Event for each would
 * double the requests of the pacer.
 */
const longWaitMs = 5_000

export const isGated = ({ spec }: Pod): boolean => spec?.schedulingGates?.some(({ name }) => name === pacerGate) ?? false

export function planPacing(workload: PacedWorkload, nowMs: number): Pacing {
  const { cap, pods, revisionOf = () => 0, stuckTerminationTimeoutMs } = workload
  const gated: Stored<Pod>[] = []
  const holding: Stored<Pod>[] = []
  const stuck: Stored<Pod>[] = []
  let running = 0
  let requeueAtMs = Number.POSITIVE_INFINITY
  for (const pod of pods) {
    if (isTerminal(pod)) continue
    const isDeleted = isTerminating(pod)
    if (isGated(pod)) {
      // No node runs a gated pod: one that is deleted is gone at once, and one that is not deleted has not been admitted.
      if (!isDeleted) gated.push(pod)
    } else if (!isDeleted) running++
    else {
      const atMs = stuckTerminationTimeoutMs === undefined ? Number.POSITIVE_INFINITY : stuckAtMs(pod, stuckTerminationTimeoutMs)
      if (atMs <= nowMs) stuck.push(pod)
      else {
        holding.push(pod)
        requeueAtMs = Math.min(requeueAtMs, atMs)
      }
    }
  }
  const admitted = running + holding.length
  const room = cap === undefined ? gated.length : Math.max(0, cap - admitted)
  const ordered = inOrder(gated, revisionOf)
  const waiting = ordered.slice(room)
  const longWaiting: Stored<Pod>[] = []
  for (const pod of waiting) {
    const atMs = createdAt(pod) + longWaitMs
    if (atMs <= nowMs) longWaiting.push(pod)
    else requeueAtMs = Math.min(requeueAtMs, atMs)
  }
  return {
    release: ordered.slice(0, room),
    waiting,
    longWaiting,
    waitsFor: waiting.length === 0 ? [] : holding.sort((a, b) => deletedAt(a) - deletedAt(b) || compareNames(a, b)),
    stuck,
    admitted,
    holding: holding.length,
    ...(waiting.length > 0 && requeueAtMs < Number.POSITIVE_INFINITY && { requeueAtMs }),
  }
}

/** Higher priority first, then the newer revision, then the older pod. */
function inOrder(pods: readonly Stored<Pod>[], revisionOf: (pod: Stored<Pod>) => number): Stored<Pod>[] {
  const ranked = pods.map((pod) => ({ pod, priority: pod.spec?.priority ?? 0, revision: revisionOf(pod), createdMs: createdAt(pod) }))
  ranked.sort((a, b) => b.priority - a.priority || b.revision - a.revision || a.createdMs - b.createdMs || compareNames(a.pod, b.pod))
  return ranked.map(({ pod }) => pod)
}

const createdAt = ({ metadata }: Stored<Pod>) => parseTime(metadata.creationTimestamp ?? '') || 0
const deletedAt = ({ metadata }: Stored<Pod>) => parseTime(metadata.deletionTimestamp ?? '') || 0

const shownNames = 3

/** `Waiting for 5 terminating pods: web-1, web-2, web-3 and 2 more`, or another reason why there is no room. */
export function describeWait({ waitsFor, admitted }: Pacing, cap: number): string {
  if (waitsFor.length === 0) return `Waiting: ${admitted} pods are admitted, and ${cap} may be`
  return `Waiting for ${waitsFor.length} terminating ${waitsFor.length === 1 ? 'pod' : 'pods'}: ${namesOf(waitsFor)}`
}

/** `13 of 13 admitted, 3 of them terminating; releases web-4; 2 wait: Waiting for …`. */
export function describePacing(pacing: Pacing, cap: number): string {
  const { admitted, holding, release, waiting, stuck } = pacing
  const parts = [
    `${admitted} of ${cap} admitted, ${holding} of them terminating`,
    stuck.length > 0 && `${stuck.length} stuck, and not counted`,
    release.length > 0 && `releases ${namesOf(release)}`,
    waiting.length > 0 && `${waiting.length} held back: ${describeWait(pacing, cap).replace(/^W/, 'w')}`,
  ]
  return parts.filter((part) => part !== false).join('; ')
}

function namesOf(pods: readonly Stored<Pod>[]): string {
  const names = pods.slice(0, shownNames).map(({ metadata }) => metadata.name)
  const more = pods.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
