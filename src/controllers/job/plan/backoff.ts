// How long a Job waits before it starts a pod in place of one that failed: ten seconds, then twice as long with every
// failure in a row, ten minutes at most.
import { finishedAtMs, indexAbsoluteFailureCountOf, type JobPod } from './pods.ts'

/** The failures of a Job since its last success, in the memory of the controller. */
export interface Backoff {
  readonly failures: number
  readonly lastFailureAtMs?: number
}

export const noBackoff: Backoff = { failures: 0 }

const firstWaitMs = 10_000
const longestWaitMs = 600_000

/** The same after these pods, which were not known before, have succeeded and failed. */
export function nextBackoff(before: Backoff, succeeded: readonly JobPod[], failed: readonly JobPod[]): Backoff {
  if (succeeded.length === 0) {
    if (failed.length === 0) return before
    return { failures: before.failures + failed.length, lastFailureAtMs: latest(failed) }
  }
  const lastSuccessAtMs = latest(succeeded)
  const since = failed.filter((pod) => finishedAtMs(pod) > lastSuccessAtMs)
  return since.length === 0 ? noBackoff : { failures: since.length, lastFailureAtMs: latest(since) }
}

const latest = (pods: readonly JobPod[]) => pods.reduce((max, pod) => Math.max(max, finishedAtMs(pod)), Number.NEGATIVE_INFINITY)

export function remainingBackoffMs({ failures, lastFailureAtMs = 0 }: Backoff, nowMs: number): number {
  if (failures === 0) return 0
  // 2 ** 6 times ten seconds is more than the longest wait.
  const waitMs = Math.min(firstWaitMs * 2 ** Math.min(failures - 1, 6), longestWaitMs)
  return Math.max(0, waitMs - (nowMs - lastFailureAtMs))
}

/** The same for one index, whose last failed pod carries the number of failures before it. */
export function remainingIndexBackoffMs(lastFailed: JobPod | undefined, nowMs: number): number {
  if (lastFailed === undefined) return 0
  return remainingBackoffMs({ failures: indexAbsoluteFailureCountOf(lastFailed) + 1, lastFailureAtMs: finishedAtMs(lastFailed) }, nowMs)
}
