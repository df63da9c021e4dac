// The delay before a Job replaces a failed pod: ten seconds, doubled with every failure in a row, ten minutes at most.
// Kubernetes: pkg/controller/job.backoffStore.*, backoffRecord.getRemainingTime, getRemainingTimePerIndex
// Kubernetes: pkg/controller/job.getRemainingTimeForFailuresCount, getFinishedTime

import { backoffMs } from '../../../base/backoff.ts'
import { finishedAtMs, indexAbsoluteFailureCountOf, type JobPod } from './pods.ts'

/** The failures of a Job since its last success. Kept in memory only. */
export interface Backoff {
  readonly failures: number
  readonly lastFailureAtMs?: number
}

export const noBackoff: Backoff = { failures: 0 }

const limits = { firstMs: 10_000, maxMs: 600_000 }

/** The back-off after these pods, which were not counted before, have succeeded and failed. */
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
  const waitMs = backoffMs(failures, limits)
  return Math.max(0, waitMs - (nowMs - lastFailureAtMs))
}

/** The same for one index: its last failed pod has the number of earlier failures in an annotation. */
export function remainingIndexBackoffMs(lastFailed: JobPod | undefined, nowMs: number): number {
  if (lastFailed === undefined) return 0
  return remainingBackoffMs({ failures: indexAbsoluteFailureCountOf(lastFailed) + 1, lastFailureAtMs: finishedAtMs(lastFailed) }, nowMs)
}
