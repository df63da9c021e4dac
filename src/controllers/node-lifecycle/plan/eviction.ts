// What a NoExecute taint, or the loss of its node, does to a pod.
import type { Pod, PodCondition, PodSpec, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import type { Taint } from './taints.ts'

export type Toleration = NonNullable<PodSpec['tolerations']>[number]

export const executeTaints = (taints: readonly Taint[] | undefined): readonly Taint[] =>
  taints?.filter(({ effect }) => effect === 'NoExecute') ?? []

function tolerates({ effect, key, operator, value }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false
  if (key && key !== taint.key) return false
  if (operator === 'Exists') return true
  return (operator === undefined || operator === '' || operator === 'Equal') && (value ?? '') === (taint.value ?? '')
}

/** How long the pod may stay on a node with these taints. Undefined: for ever. Of each taint the first toleration counts. */
export function stayMs(taints: readonly Taint[], tolerations: readonly Toleration[] = []): number | undefined {
  let shortest: number | undefined
  for (const taint of taints) {
    const used = tolerations.find((toleration) => tolerates(toleration, taint))
    if (used === undefined) return 0
    if (used.tolerationSeconds === undefined || used.tolerationSeconds === null) continue
    const ms = Math.max(0, used.tolerationSeconds) * 1000
    if (shortest === undefined || ms < shortest) shortest = ms
  }
  return shortest
}

export interface ScheduledEviction {
  /** When its stay began. */
  readonly sinceMs: number
  readonly atMs: number
}

/** Undefined: it stays. A stay that began earlier goes on: another taint does not start it anew. */
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

/** The condition of a pod that a taint drives off; undefined when it has it. */
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

/** The conditions of a pod whose node is lost; undefined when it is not ready anyway. */
export function planUnreadyConditions({ status }: Pod, nowMs: number): PodCondition[] | undefined {
  const conditions = status?.conditions ?? []
  if (!conditions.some(({ type, status: value }) => type === 'Ready' && value !== 'False')) return undefined
  return conditions.map((condition) =>
    condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime: formatTime(nowMs) } : condition,
  )
}
