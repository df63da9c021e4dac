// Where a pod stands in its life, in Kubernetes' words. Every controller counts with these.
import type { Pod, PodCondition } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'

/** It has ended by itself: nothing runs in it any more. */
export function isTerminal({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** It runs or will run, and nobody has asked it to go. */
export function isActive(pod: Pod): boolean {
  return pod.metadata?.deletionTimestamp === undefined && !isTerminal(pod)
}

/** KEP-3973: it was asked to go and has not ended yet. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata?.deletionTimestamp !== undefined && !isTerminal(pod)
}

/**
 * When a terminating pod counts as stuck: so long after its grace period ended, which is what deletionTimestamp says.
 * Infinity for a pod that is not terminating.
 */
export function stuckAtMs(pod: Pod, timeoutMs: number): number {
  const { deletionTimestamp } = pod.metadata ?? {}
  if (deletionTimestamp === undefined || isTerminal(pod)) return Number.POSITIVE_INFINITY
  return parseTime(deletionTimestamp) + timeoutMs
}

/** When its deletion was requested: deletionTimestamp is the end of the grace period. Undefined for a pod that is not being deleted. */
export function deletionRequestedAtMs({ metadata }: Pod): number | undefined {
  if (metadata?.deletionTimestamp === undefined) return undefined
  return parseTime(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000
}

export function readyCondition({ status }: Pod): PodCondition | undefined {
  const conditions = status?.conditions
  if (conditions === undefined) return undefined
  for (const condition of conditions) if (condition.type === 'Ready') return condition
  return undefined
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True'
}

/**
 * When a ready pod becomes available: so many seconds after it became ready. -Infinity when it is at once, Infinity when
 * it cannot be known (it does not say since when it is ready). Undefined for a pod that is not ready.
 */
export function availableAtMs(pod: Pod, minReadySeconds: number): number | undefined {
  const condition = readyCondition(pod)
  if (condition?.status !== 'True') return undefined
  if (minReadySeconds <= 0) return Number.NEGATIVE_INFINITY
  if (condition.lastTransitionTime === undefined) return Number.POSITIVE_INFINITY
  return parseTime(condition.lastTransitionTime) + minReadySeconds * 1000
}

/** Ready, and has been for long enough. */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const atMs = availableAtMs(pod, minReadySeconds)
  return atMs !== undefined && atMs <= nowMs
}

/** When the next ready pod becomes available, with no event that reports it. */
export function nextAvailableAtMs(pods: Iterable<Pod>, minReadySeconds: number, nowMs: number): number | undefined {
  if (minReadySeconds <= 0) return undefined
  let next: number | undefined
  for (const pod of pods) {
    const atMs = availableAtMs(pod, minReadySeconds)
    if (atMs !== undefined && atMs > nowMs && Number.isFinite(atMs) && (next === undefined || atMs < next)) next = atMs
  }
  return next
}

/** When a pod was last created or became ready; undefined without pods. */
export function lastProgressAtMs(pods: Iterable<Pod>): number | undefined {
  let last: number | undefined
  const note = (time: string | undefined) => {
    const atMs = time === undefined ? Number.NaN : parseTime(time)
    if (atMs > (last ?? Number.NEGATIVE_INFINITY)) last = atMs
  }
  for (const pod of pods) {
    note(pod.metadata?.creationTimestamp)
    const ready = readyCondition(pod)
    if (ready?.status === 'True') note(ready.lastTransitionTime)
  }
  return last
}
