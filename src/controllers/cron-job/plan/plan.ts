// Plans one sync of a CronJob: which Jobs are no longer active, and whether a new one is due.
// Kubernetes: pkg/controller/cronjob.ControllerV2.syncCronJob, getJobFromTemplate2, getJobName, getTimeHashInMinutes, inActiveList
// Kubernetes: pkg/controller/cronjob.deleteFromActiveList, formatSchedule

import { timeZoneProblem } from '../../../api/kinds/batch/cron-job/schedule-validation.ts'
import { controllerReference } from '../../../api/machinery/owners.ts'
import { isEqualStruct } from '../../../api/machinery/schema/equality.ts'
import type { CronJob, Job, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { finishedCondition } from '../../job/plan/conditions.ts'
import { normal, type PlannedEvent, warning } from '../../shared/plan/planned-event.ts'
import { formatInZone, formatLong } from './calendar.ts'
import { dueRuns, nextRunDelayMs } from './runs.ts'
import { parseSchedule } from './schedule.ts'

export type CronJobStatus = NonNullable<CronJob['status']>
type JobReference = NonNullable<CronJobStatus['active']>[number]

export interface CronJobSnapshot {
  readonly cronJob: Stored<CronJob>
  /** The Jobs that the CronJob controls. */
  readonly jobs: readonly Stored<Job>[]
  /** Uids of Jobs that were deleted in this sync. */
  readonly deleted: ReadonlySet<string>
  /** Uids of active Jobs that no longer exist on the server. */
  readonly missing: ReadonlySet<string>
  readonly nowMs: number
}

export interface CronJobPlan {
  readonly events: readonly PlannedEvent[]
  /** The status if no Job is created. */
  readonly status: CronJobStatus
  readonly run?: PlannedRun
  readonly requeueAfterMs?: number
}

export interface PlannedRun {
  readonly job: Job
  readonly scheduledAtMs: number
  /** Jobs to delete first: concurrencyPolicy Replace. */
  readonly replaces: readonly JobReference[]
  /** After the Job was created. */
  readonly requeueAfterMs: number
}

const scheduledTimestampKey = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

export function planCronJob(snapshot: CronJobSnapshot): CronJobPlan {
  const { cronJob, nowMs } = snapshot
  const { spec, metadata } = cronJob
  const events: PlannedEvent[] = []
  const warn = (reason: string, message: string) => events.push(warning(reason, message))
  const status = statusNow(snapshot, events)
  if (metadata.deletionTimestamp !== undefined) return { events, status }

  const zoneProblem = spec?.timeZone ? timeZoneProblem(spec.timeZone) : undefined
  if (zoneProblem !== undefined) {
    warn('UnknownTimeZone', `invalid timeZone: ${JSON.stringify(spec?.timeZone)}: ${zoneProblem}`)
    return { events, status }
  }
  if (spec?.suspend === true) return { events, status }
  const text = spec?.schedule ?? ''
  if (text.includes('TZ'))
    warn(
      'UnsupportedSchedule',
      `CRON_TZ or TZ used in schedule ${JSON.stringify(text)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
    )
  const schedule = parseSchedule(text, spec?.timeZone)
  if (typeof schedule === 'string') {
    warn('UnparseableSchedule', `unparseable schedule: ${JSON.stringify(text)} : ${schedule}`)
    return { events, status }
  }
  const now: Stored<CronJob> = { ...cronJob, status }
  const { latestMs, missed, problem } = dueRuns(now, schedule, nowMs, true)
  if (problem !== undefined) {
    warn('InvalidSchedule', `invalid schedule: ${text} : ${problem}`)
    return { events, status }
  }
  const later = { events, status, requeueAfterMs: nextRunDelayMs(now, schedule, nowMs) }
  if (latestMs === undefined) return later
  if (missed === 'many')
    warn('TooManyMissedTimes', 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew')
  if (spec?.startingDeadlineSeconds !== undefined && latestMs + spec.startingDeadlineSeconds * 1000 < nowMs) {
    warn('MissSchedule', `Missed scheduled time to start a job: ${formatLong(latestMs)}`)
    return later
  }
  const job = planRun(cronJob, latestMs)
  const active = status.active ?? []
  const isDone =
    active.some(({ name, namespace }) => name === job.metadata?.name && namespace === metadata.namespace) ||
    (status.lastScheduleTime !== undefined && parseTime(status.lastScheduleTime) === latestMs)
  if (isDone) return later
  if (spec?.concurrencyPolicy === 'Forbid' && active.length > 0) {
    events.push(normal('JobAlreadyActive', 'Not starting job because prior execution is running and concurrency policy is Forbid'))
    return later
  }
  const afterRun = { ...cronJob, status: { ...status, lastScheduleTime: formatTime(latestMs) } }
  return {
    events,
    status,
    run: {
      job,
      scheduledAtMs: latestMs,
      replaces: spec?.concurrencyPolicy === 'Replace' ? active : [],
      requeueAfterMs: nextRunDelayMs(afterRun, schedule, nowMs),
    },
    requeueAfterMs: later.requeueAfterMs,
  }
}

/** The status without finished and deleted Jobs, and with the time of the last success. */
function statusNow({ cronJob, jobs, deleted, missing }: CronJobSnapshot, events: PlannedEvent[]): CronJobStatus {
  const stored = cronJob.status ?? {}
  let active = (stored.active ?? []).filter(({ uid }) => !deleted.has(uid ?? ''))
  let { lastSuccessfulTime } = stored
  const without = (removed: string | undefined) => active.filter(({ uid }) => uid !== removed)
  for (const { metadata, status } of jobs) {
    const isActive = active.some(({ uid }) => uid === metadata.uid)
    const finished = finishedCondition({ ...(status && { status }) })
    if (finished === undefined) {
      if (!isActive) events.push(warning('UnexpectedJob', `Saw a job that the controller did not create or forgot: ${metadata.name}`))
      continue
    }
    if (isActive) {
      active = without(metadata.uid)
      events.push(normal('SawCompletedJob', `Saw completed job: ${metadata.name}, condition: ${finished.type}`))
    }
    const completedAt = status?.completionTime
    if (finished.type === 'Complete' && completedAt !== undefined)
      if (lastSuccessfulTime === undefined || parseTime(completedAt) > parseTime(lastSuccessfulTime)) lastSuccessfulTime = completedAt
  }
  for (const { uid = '', name } of active) {
    if (!missing.has(uid)) continue
    active = without(uid)
    events.push(normal('MissingJob', `Active job went missing: ${name}`))
  }
  return {
    ...(active.length > 0 && { active }),
    ...(stored.lastScheduleTime !== undefined && { lastScheduleTime: stored.lastScheduleTime }),
    ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
  }
}

/** The name depends on the scheduled time only, so a run cannot be created twice. */
function planRun({ metadata, spec }: Stored<CronJob>, scheduledAtMs: number): Job {
  const template = spec!.jobTemplate
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${metadata.name}-${Math.floor(scheduledAtMs / 60_000)}`,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      ...(template.metadata?.labels && { labels: template.metadata.labels }),
      annotations: { ...template.metadata?.annotations, [scheduledTimestampKey]: formatInZone(scheduledAtMs, spec?.timeZone ?? '') },
      ownerReferences: [controllerReference('batch/v1', 'CronJob', { metadata })],
    },
    ...(template.spec && { spec: template.spec }),
  }
}

/** The status after a Job was created and the Jobs that it replaces were deleted. */
export function statusAfterRun(
  status: CronJobStatus,
  { metadata }: Stored<Job>,
  scheduledAtMs: number,
  replaced: ReadonlySet<string>,
): CronJobStatus {
  const reference: JobReference = {
    kind: 'Job',
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    name: metadata.name,
    uid: metadata.uid,
    apiVersion: 'batch/v1',
    resourceVersion: metadata.resourceVersion,
  }
  return {
    ...status,
    active: [...withoutActive(status, replaced), reference],
    lastScheduleTime: formatTime(scheduledAtMs),
  }
}

export const withoutActive = ({ active = [] }: CronJobStatus, removed: ReadonlySet<string>) =>
  active.filter(({ uid = '' }) => !removed.has(uid))

export const isSameStatus = (a: CronJobStatus, b: CronJobStatus | undefined) => isEqualStruct('batch.CronJobStatus', a, b)
