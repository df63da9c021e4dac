// The evictions that a budget has granted and that have not been seen to happen. A pod that was granted and is still
// there after two minutes will not go: it counts again.
import type { Pod, PodDisruptionBudget, Stored } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { isReady } from '../../shared/plan/pod-state.ts'

export const deletionTimeoutMs = 120_000

/** When each pod was granted its eviction, by pod name. */
export type DisruptedPods = ReadonlyMap<string, string>

export interface DisruptedPodsPlan {
  readonly disruptedPods: DisruptedPods
  /** Pods that should have gone and did not. */
  readonly notDeleted: readonly Stored<Pod>[]
  /** When the next grant runs out. */
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
    const runsOutMs = parseTime(grantedAt) + deletionTimeoutMs
    if (runsOutMs < nowMs) notDeleted.push(pod)
    else {
      disruptedPods.set(name, grantedAt)
      // In its last moment a grant still stands; the one after is the first to look at.
      requeueAtMs = Math.min(requeueAtMs, runsOutMs + 1)
    }
  }
  return { disruptedPods, notDeleted, ...(Number.isFinite(requeueAtMs) && { requeueAtMs }) }
}

/** Pods that are ready and that nobody is about to take away. */
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
