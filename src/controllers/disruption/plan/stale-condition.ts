// A pod that was announced to be disrupted, and then was not: after two minutes the announcement is taken back.
import type { Pod, PodCondition, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'

const staleAfterMs = 120_000

/** When the announcement is stale, or undefined when there is none that can be. A kubelet's own may take any time. */
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
  const taken: PodCondition = {
    type: 'DisruptionTarget',
    ...(generation !== undefined && { observedGeneration: generation }),
    status: 'False',
    lastTransitionTime: formatTime(nowMs),
  }
  const conditions = (pod.status?.conditions ?? []).map((condition) => (condition.type === taken.type ? taken : condition))
  return { ...pod, status: { ...pod.status, conditions } }
}
