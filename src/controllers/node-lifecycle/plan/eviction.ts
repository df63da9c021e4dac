// The effect of NoExecute taints, or of a lost node, on a pod.
// Kubernetes: pkg/controller/tainteviction.Controller.processPodOnNode, getMinTolerationTime, getNoExecuteTaints
// Kubernetes: pkg/controller/tainteviction.addConditionAndDeletePod
// Kubernetes: pkg/controller/util/node.MarkPodsNotReady
import { type Taint, type Toleration, tolerates } from '../../../api/kinds/core/node/taints.ts'
import type { Pod, PodCondition, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'

export const executeTaints = (taints: readonly Taint[] | undefined): readonly Taint[] =>
  taints?.filter(({ effect }) => effect === 'NoExecute') ?? []

/** How long the pod may stay on a node with these taints; undefined: forever. For each taint the first toleration counts. */
export function stayMs(taints: readonly Taint[], tolerations: readonly Toleration[] = []): number | undefined {
  let min: number | undefined
  for (const taint of taints) {
    const used = tolerations.find((toleration) => tolerates(toleration, taint))
    if (used === undefined) return 0
    if (used.tolerationSeconds === undefined || used.tolerationSeconds === null) continue
    const ms = Math.max(0, used.tolerationSeconds) * 1000
    if (min === undefined || ms < min) min = ms
  }
  return min
}

export interface ScheduledEviction {
  /** When the toleration period began. */
  readonly sinceMs: number
  readonly atMs: number
}

/** Undefined if the pod is not evicted. Another taint does not restart a toleration period that has begun. */
export function planEviction(
  taints: readonly Taint[],
  tolerations: readonly Toleration[] | undefined,
  scheduled: ScheduledEviction | undefined,
  nowMs: number,
): ScheduledEviction | undefined {
  const ms = stayMs(taints, tolerations)
  if (ms === undefined) return undefined
  if (ms === 0) return { sinceMs: nowMs, atMs: nowMs }
  if (scheduled === undefined) return { sinceMs: nowMs, atMs: nowMs + ms }
  if (scheduled.sinceMs < nowMs) return scheduled
  return { sinceMs: scheduled.sinceMs, atMs: scheduled.sinceMs + ms }
}

/** The condition of a pod that is evicted because of a taint; undefined if it already has it. */
export function planEvictionCondition({ metadata, status }: Stored<Pod>, nowMs: number): PodCondition | undefined {
  const before = status?.conditions?.find(({ type }) => type === 'DisruptionTarget')
  const { generation } = metadata
  const condition = {
    type: 'DisruptionTarget',
    ...(generation !== undefined && generation > 0 && { observedGeneration: generation }),
    status: 'True',
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
  }
  const isSame = before?.status === 'True' && before.reason === condition.reason && before.message === condition.message
  if (isSame) return undefined
  return { ...condition, lastTransitionTime: before?.status === 'True' ? before.lastTransitionTime! : formatTime(nowMs) }
}

/** The conditions of a pod on a lost node; undefined if it is not ready already. */
export function planUnreadyConditions({ status }: Pod, nowMs: number): PodCondition[] | undefined {
  const conditions = status?.conditions ?? []
  if (!conditions.some(({ type, status: value }) => type === 'Ready' && value !== 'False')) return undefined
  return conditions.map((condition) =>
    condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime: formatTime(nowMs) } : condition,
  )
}
