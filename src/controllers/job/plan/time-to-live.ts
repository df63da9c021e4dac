// When the ttlSecondsAfterFinished of a Job expires.
// Kubernetes: pkg/controller/ttlafterfinished.needsCleanup, getFinishAndExpireTime, timeLeft
import type { Job } from '../../../api/types.ts'
import { parseOptionalTime } from '../../../base/clock.ts'
import { finishedCondition } from './conditions.ts'

/** When the Job is to be deleted; undefined without a time to live, or before it has finished. */
export function expiresAtMs({ metadata, spec, status }: Job): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished
  if (seconds === undefined || metadata?.deletionTimestamp !== undefined) return undefined
  const finishedAtMs = parseOptionalTime(finishedCondition({ ...(status && { status }) })?.lastTransitionTime)
  return finishedAtMs === undefined ? undefined : finishedAtMs + seconds * 1000
}
