// The states of a pod that controllers count.
// Kubernetes: pkg/controller.IsPodActive, IsPodTerminating, FindMinNextPodAvailabilityCheck, nextPodAvailabilityCheck
// Kubernetes: pkg/api/v1/pod.IsPodAvailable, IsPodReady, IsPodTerminal
import type { Pod, PodCondition } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'

/** Its containers have terminated and will not be restarted. */
export function isTerminal({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** Neither terminated nor being deleted. */
export function isActive(pod: Pod): boolean {
  return pod.metadata?.deletionTimestamp === undefined && !isTerminal(pod)
}

/** KEP-3973: it is being deleted, and its containers have not terminated yet. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata?.deletionTimestamp !== undefined && !isTerminal(pod)
}

/**
 * When a terminating pod counts as stuck: `timeoutMs` after the end of its grace period, which is its deletionTimestamp.
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
 * When a ready pod becomes available: `minReadySeconds` after it became ready. -Infinity if that is 0, Infinity if the Ready
 * condition has no lastTransitionTime. Undefined for a pod that is not ready.
 */
export function availableAtMs(pod: Pod, minReadySeconds: number): number | undefined {
  const condition = readyCondition(pod)
  if (condition?.status !== 'True') return undefined
  if (minReadySeconds <= 0) return Number.NEGATIVE_INFINITY
  if (condition.lastTransitionTime === undefined) return Number.POSITIVE_INFINITY
  return parseTime(condition.lastTransitionTime) + minReadySeconds * 1000
}

/** Ready for at least `minReadySeconds`. */
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
