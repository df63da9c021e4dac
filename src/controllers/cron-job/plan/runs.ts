// Which runs of a CronJob are due, and how long until the next one.
// Kubernetes: pkg/controller/cronjob.mostRecentScheduleTime, nextScheduleTimeDuration, nextScheduleTime
import type { CronJob } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { nextRun, type Schedule } from './schedule.ts'

interface DueRuns {
  /** Runs before this are ignored: the last run, the creation of the CronJob, or the starting deadline. */
  readonly sinceMs: number
  /** The latest run that is due; earlier ones are skipped. */
  readonly latestMs?: number
  readonly missed: 'none' | 'few' | 'many'
  /** The schedule has no valid times, such as the 31st of February. */
  readonly problem?: string
}

/** More missed runs than this are reported: the clock may be wrong. */
const manyMissed = 100
/** Tolerates small clock differences. */
const paddingMs = 100

export function dueRuns(cronJob: CronJob, schedule: Schedule, nowMs: number, respectsDeadline: boolean): DueRuns {
  const { metadata, spec, status } = cronJob
  const last = status?.lastScheduleTime ?? metadata?.creationTimestamp
  let sinceMs = last === undefined ? nowMs : parseTime(last)
  if (respectsDeadline && spec?.startingDeadlineSeconds !== undefined)
    sinceMs = Math.max(sinceMs, nowMs - spec.startingDeadlineSeconds * 1000)
  const first = nextRun(schedule, sinceMs)
  const second = first === undefined ? undefined : nextRun(schedule, first)
  if (first !== undefined && nowMs < first) return { sinceMs, missed: 'none' }
  if (first !== undefined && second !== undefined && nowMs < second) return { sinceMs, latestMs: first, missed: 'none' }
  const distanceSeconds = first === undefined || second === undefined ? 0 : Math.round((second - first) / 1000)
  if (first === undefined || distanceSeconds < 1)
    return { sinceMs, missed: 'none', problem: 'time difference between two schedules is less than 1 second' }
  // An estimate: as if all runs had the same distance as the first two.
  const count = Math.floor(Math.floor((nowMs - first) / 1000) / distanceSeconds) + 1
  let latestMs: number | undefined
  // Later runs may have larger distances: then the search starts further back.
  for (let back = 2; latestMs === undefined; back *= 2) {
    const fromMs = Math.max(first - 1000, first + (count - back) * distanceSeconds * 1000)
    for (let at = nextRun(schedule, fromMs); at !== undefined && at <= nowMs; at = nextRun(schedule, at)) latestMs = at
  }
  return { sinceMs, latestMs, missed: count > manyMissed ? 'many' : 'few' }
}

/** How long to wait for the next run. */
export function nextRunDelayMs(cronJob: CronJob, schedule: Schedule, nowMs: number): number {
  const { sinceMs, latestMs, problem } = dueRuns(cronJob, schedule, nowMs, false)
  const fromMs = problem !== undefined ? nowMs : (latestMs ?? sinceMs)
  const next = nextRun(schedule, fromMs)
  return next === undefined ? Number.POSITIVE_INFINITY : Math.max(0, next + paddingMs - nowMs)
}
