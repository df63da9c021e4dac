// When the ttlSecondsAfterFinished of a Job expires.
import type { Job } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { finishedCondition } from './conditions.ts'

/** When the Job is to be deleted; undefined without a time to live, or before it has finished. */
export function expiresAtMs({ metadata, spec, status }: Job): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished
  if (seconds === undefined || metadata?.deletionTimestamp !== undefined) return undefined
  const finishedAt = finishedCondition({ ...(status && { status }) })?.lastTransitionTime
  return finishedAt === undefined ? undefined : parseTime(finishedAt) + seconds * 1000
}
