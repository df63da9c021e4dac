// Pod conditions that the server itself sets.
// Kubernetes: pkg/registry/core/pod.applySchedulingGatedCondition
// Kubernetes: pkg/registry/core/pod/storage.addConditionAndDeletePod
import type { Pod, PodCondition } from '../../../api/types.ts'

/** The pod with that condition; its transition time changes only with its status. */
export function withCondition(
  pod: Pod,
  wanted: { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string },
  now: string,
): Pod {
  const { conditions = [], ...status } = pod.status ?? {}
  const at = conditions.findIndex(({ type }) => type === wanted.type)
  const before = conditions[at]
  const { type, status: value, reason, message } = wanted
  const condition = {
    type,
    status: value,
    lastProbeTime: before?.lastProbeTime ?? null,
    lastTransitionTime: before?.status === value ? (before.lastTransitionTime ?? null) : now,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  } as PodCondition
  const next = at < 0 ? [...conditions, condition] : conditions.map((one, index) => (index === at ? condition : one))
  return { ...pod, status: { ...status, conditions: next } as NonNullable<Pod['status']> }
}

export function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}
