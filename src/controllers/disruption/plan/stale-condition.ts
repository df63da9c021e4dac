// The DisruptionTarget condition of a pod that was not deleted: it is reset after two minutes.
// Kubernetes: pkg/controller/disruption.DisruptionController.nonTerminatingPodHasStaleDisruptionCondition
// Kubernetes: pkg/controller/disruption.DisruptionController.syncStalePodDisruption
import type { Pod, PodCondition, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'

const staleAfterMs = 120_000

/** When the condition becomes stale, or undefined. One that a kubelet set never does. */
export function staleAtMs(pod: Pod): number | undefined {
  const conditions = pod.status?.conditions
  if (conditions === undefined || pod.metadata?.deletionTimestamp !== undefined) return undefined
  for (const { type, status, reason, lastTransitionTime } of conditions) {
    if (type !== 'DisruptionTarget') continue
    if (status !== 'True' || reason === 'TerminationByKubelet' || isTerminal(pod)) return undefined
    return lastTransitionTime == null ? Number.NEGATIVE_INFINITY : parseTime(lastTransitionTime) + staleAfterMs
  }
  return undefined
}

export function withoutDisruptionTarget(pod: Stored<Pod>, nowMs: number): Stored<Pod> {
  const { generation } = pod.metadata
  const reset: PodCondition = {
    type: 'DisruptionTarget',
    ...(generation !== undefined && { observedGeneration: generation }),
    status: 'False',
    lastTransitionTime: formatTime(nowMs),
  }
  const conditions = (pod.status?.conditions ?? []).map((condition) => (condition.type === reset.type ? reset : condition))
  return { ...pod, status: { ...pod.status, conditions } }
}
