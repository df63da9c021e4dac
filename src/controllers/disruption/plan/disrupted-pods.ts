// Evictions that a budget has granted and that were not observed yet. A pod that is still not being deleted after two minutes
// counts as healthy again.
// Kubernetes: pkg/controller/disruption.DisruptionController.buildDisruptedPodMap, countHealthyPods
import type { Pod, PodDisruptionBudget, Stored } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { isReady } from '../../shared/plan/pod-state.ts'

export const deletionTimeoutMs = 120_000

/** By pod name: when the eviction was granted. */
export type DisruptedPods = ReadonlyMap<string, string>

interface DisruptedPodsPlan {
  readonly disruptedPods: DisruptedPods
  /** Pods that should have been deleted and were not. */
  readonly notDeleted: readonly Stored<Pod>[]
  /** When the next grant expires. */
  readonly requeueAtMs?: number
}

export function planDisruptedPods({ status }: PodDisruptionBudget, pods: readonly Stored<Pod>[], nowMs: number): DisruptedPodsPlan {
  const granted = (status?.disruptedPods ?? {}) as Readonly<Record<string, string>>
  const disruptedPods = new Map<string, string>()
  const notDeleted: Stored<Pod>[] = []
  let requeueAtMs = Number.POSITIVE_INFINITY
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata
    if (deletionTimestamp !== undefined || !Object.hasOwn(granted, name)) continue
    const grantedAt = granted[name]!
    const expiresAtMs = parseTime(grantedAt) + deletionTimeoutMs
    if (expiresAtMs < nowMs) notDeleted.push(pod)
    else {
      disruptedPods.set(name, grantedAt)
      // At its last millisecond a grant is still valid.
      requeueAtMs = Math.min(requeueAtMs, expiresAtMs + 1)
    }
  }
  return { disruptedPods, notDeleted, ...(Number.isFinite(requeueAtMs) && { requeueAtMs }) }
}

/** Ready pods without a granted eviction. */
export function countHealthy(pods: readonly Stored<Pod>[], disruptedPods: DisruptedPods, nowMs: number): number {
  let healthy = 0
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined) continue
    const grantedAt = disruptedPods.get(pod.metadata.name)
    if (grantedAt !== undefined && parseTime(grantedAt) + deletionTimeoutMs > nowMs) continue
    if (isReady(pod)) healthy++
  }
  return healthy
}
