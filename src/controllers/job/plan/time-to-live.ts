// When a finished Job has outlived its ttlSecondsAfterFinished.
import type { Job } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { finishedCondition } from './conditions.ts'

/** The moment at which the Job is to be deleted; undefined when it is not to be, or not yet known when. */
export function expiresAtMs({ metadata, spec, status }: Job): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished
  if (seconds === undefined || metadata?.deletionTimestamp !== undefined) return undefined
  const finishedAt = finishedCondition({ ...(status && { status }) })?.lastTransitionTime
  return finishedAt === undefined ? undefined : parseTime(finishedAt) + seconds * 1000
}
