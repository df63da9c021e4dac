import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CronJob, Job, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { planHistory } from './history.ts'
import { type CronJobSnapshot, planCronJob, statusAfterRun } from './plan.ts'
import { dueRuns, nextRunDelayMs } from './runs.ts'
import { nextRun, parseSchedule, type Schedule } from './schedule.ts'

type Spec = NonNullable<CronJob['spec']>
const stored = { namespace: 'default', resourceVersion: '1' } as const
const podTemplate = { spec: { containers: [{ name: 'c', image: 'x' }] } }
const created = '2026-11-15T10:00:00Z'

const cronJob = (spec: Partial<Spec> = {}, status: CronJob['status'] = {}, metadata: object = {}): Stored<CronJob> => ({
  metadata: { ...stored, name: 'a', uid: 'u', creationTimestamp: created as never, ...metadata },
  spec: { schedule: '0 * * * *', concurrencyPolicy: 'Allow', jobTemplate: { spec: { template: podTemplate } }, ...spec } as Spec,
  status,
})
const job = (name: string, end?: 'Complete' | 'Failed', time = '2026-11-15T11:30:00Z', startTime?: string): Stored<Job> => ({
  metadata: { ...stored, name, uid: `uid-${name}` },
  spec: { template: podTemplate },
  status: {
    ...(startTime && { startTime }),
    ...(end && { conditions: [{ type: end, status: 'True' }] }),
    ...(end === 'Complete' && { completionTime: time }),
  },
})
const reference = (name: string) => ({ kind: 'Job', namespace: 'default', name, uid: `uid-${name}`, apiVersion: 'batch/v1' })
const plan = (snapshot: Partial<CronJobSnapshot>, now = '2026-11-15T11:00:01Z') =>
  planCronJob({ cronJob: cronJob(), jobs: [], deleted: new Set(), missing: new Set(), nowMs: parseTime(now), ...snapshot })
const eventLines = ({ events }: { events: readonly { type: string; reason: string; message: string }[] }) =>
  events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`)

describe('planCronJob()', () => {
  it('names the Job after its scheduled time', () => {
    const template = { metadata: { labels: { app: 'x' }, annotations: { note: 'y' } }, spec: { template: podTemplate } }
    const { run, events } = plan({ cronJob: cronJob({ timeZone: 'Europe/Berlin', jobTemplate: template as never }) })
    expect(events).toEqual([])
    expect(run?.scheduledAtMs).toBe(parseTime('2026-11-15T11:00:00Z'))
    expect(run?.job).toEqual({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name: `a-${parseTime('2026-11-15T11:00:00Z') / 60_000}`,
        namespace: 'default',
        labels: { app: 'x' },
        annotations: { note: 'y', 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-11-15T12:00:00+01:00' },
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'a', uid: 'u', controller: true, blockOwnerDeletion: true }],
      },
      spec: template.spec,
    })
    expect(run?.requeueAfterMs).toBe(3_600_000 - 1000 + 100)
  })

  it('waits for the next time, and a tenth of a second more', () => {
    const { run, requeueAfterMs } = plan({}, '2026-11-15T10:59:50Z')
    expect(run).toBeUndefined()
    expect(requeueAfterMs).toBe(10_100)
  })

  const last = { lastScheduleTime: '2026-11-15T11:00:00Z' }
  it.each<[string, Partial<CronJobSnapshot>, string, boolean, string[]]>([
    ['creates each run once', { cronJob: cronJob({}, last) }, '2026-11-15T11:00:01Z', false, []],
    ['creates the run after the last one', { cronJob: cronJob({}, last) }, '2026-11-15T12:00:01Z', true, []],
    [
      'makes no run whose Job is active by name',
      { cronJob: cronJob({}, { active: [{ name: `a-${parseTime(last.lastScheduleTime) / 60_000}`, namespace: 'default', uid: 'z' }] }) },
      '2026-11-15T11:00:01Z',
      false,
      [],
    ],
    ['does nothing while suspended', { cronJob: cronJob({ suspend: true }) }, '2026-11-15T11:00:01Z', false, []],
    [
      'does nothing while it is being deleted',
      { cronJob: cronJob({}, {}, { deletionTimestamp: created }) },
      '2026-11-15T11:00:01Z',
      false,
      [],
    ],
    ['makes up for the latest of a few missed runs only', { cronJob: cronJob({}, last) }, '2026-11-15T15:30:00Z', true, []],
    [
      'warns of many missed runs, and still makes the latest',
      { cronJob: cronJob({ schedule: '* * * * *' }) },
      '2026-11-15T12:00:30Z',
      true,
      ['Warning TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'],
    ],
    [
      'has no many missed runs within a starting deadline',
      { cronJob: cronJob({ schedule: '* * * * *', startingDeadlineSeconds: 120 }) },
      '2026-11-15T14:00:30Z',
      true,
      [],
    ],
    [
      'has nothing to make up for after the starting deadline',
      { cronJob: cronJob({ startingDeadlineSeconds: 10 }) },
      '2026-11-15T11:00:30Z',
      false,
      [],
    ],
    [
      'does not start beside a running one under Forbid',
      { cronJob: cronJob({ concurrencyPolicy: 'Forbid' }, { active: [reference('b')] }), jobs: [job('b')] },
      '2026-11-15T11:00:01Z',
      false,
      ['Normal JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid'],
    ],
    [
      'starts beside a running one under Allow',
      { cronJob: cronJob({}, { active: [reference('b')] }), jobs: [job('b')] },
      '2026-11-15T11:00:01Z',
      true,
      [],
    ],
    [
      'cannot read a schedule',
      { cronJob: cronJob({ schedule: '61 * * * *' }) },
      '2026-11-15T11:00:01Z',
      false,
      ['Warning UnparseableSchedule: unparseable schedule: "61 * * * *" : end of range (61) above maximum (59): 61'],
    ],
    [
      'knows no day that never comes',
      { cronJob: cronJob({ schedule: '0 0 31 2 *' }) },
      '2026-11-15T11:00:01Z',
      false,
      ['Warning InvalidSchedule: invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second'],
    ],
    [
      'knows no such zone',
      { cronJob: cronJob({ timeZone: 'Mars/Base' }) },
      '2026-11-15T11:00:01Z',
      false,
      ['Warning UnknownTimeZone: invalid timeZone: "Mars/Base": unknown time zone Mars/Base'],
    ],
    [
      'warns of a zone in the schedule, and follows it',
      { cronJob: cronJob({ schedule: 'TZ=Europe/Berlin 0 12 * * *' }) },
      '2026-11-15T11:00:01Z',
      true,
      [
        'Warning UnsupportedSchedule: CRON_TZ or TZ used in schedule "TZ=Europe/Berlin 0 12 * * *" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
      ],
    ],
  ])('%s', (_, snapshot, now, runs, events) => {
    const made = plan(snapshot, now)
    expect(made.run !== undefined).toBe(runs)
    expect(eventLines(made)).toEqual(events)
  })

  it('replaces active Jobs under Replace', () => {
    const { run } = plan({ cronJob: cronJob({ concurrencyPolicy: 'Replace' }, { active: [reference('b')] }), jobs: [job('b')] })
    expect(run?.replaces).toEqual([reference('b')])
  })

  it('removes finished, missing and deleted Jobs from the active ones', () => {
    const active = ['done', 'broken', 'lost', 'swept', 'busy', 'late'].map(reference)
    const made = plan({
      cronJob: cronJob({ suspend: true }, { active, lastSuccessfulTime: '2026-11-15T10:30:00Z' }),
      jobs: [job('done', 'Complete'), job('broken', 'Failed'), job('swept', 'Complete', '2026-11-15T10:10:00Z'), job('busy'), job('odd')],
      deleted: new Set(['uid-swept']),
      missing: new Set(['uid-lost']),
    })
    expect(made.status).toEqual({ active: [reference('busy'), reference('late')], lastSuccessfulTime: '2026-11-15T11:30:00Z' })
    expect(eventLines(made)).toEqual([
      'Normal SawCompletedJob: Saw completed job: done, condition: Complete',
      'Normal SawCompletedJob: Saw completed job: broken, condition: Failed',
      'Warning UnexpectedJob: Saw a job that the controller did not create or forgot: odd',
      'Normal MissingJob: Active job went missing: lost',
    ])
  })
})

describe('statusAfterRun()', () => {
  it('adds the new Job in place of the replaced ones', () => {
    const before = { active: [reference('b')], lastSuccessfulTime: created }
    expect(statusAfterRun(before, job('c'), parseTime('2026-11-15T11:00:00Z'), new Set(['uid-b']))).toEqual({
      active: [{ ...reference('c'), resourceVersion: '1' }],
      lastScheduleTime: '2026-11-15T11:00:00Z',
      lastSuccessfulTime: created,
    })
  })
})

describe('planHistory()', () => {
  const jobs = [
    job('late', 'Complete', created, '2026-11-15T10:03:00Z'),
    job('early', 'Complete', created, '2026-11-15T10:01:00Z'),
    job('b', 'Complete', created, '2026-11-15T10:02:00Z'),
    job('a', 'Complete', created, '2026-11-15T10:02:00Z'),
    job('unstarted', 'Complete', created),
    job('broken', 'Failed', created, '2026-11-15T10:00:00Z'),
    job('busy'),
  ]
  it.each<[string, Partial<Spec>, string[]]>([
    ['keeps the newest', { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 }, ['early', 'a', 'b']],
    ['keeps none', { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 }, ['early', 'a', 'b', 'late', 'unstarted', 'broken']],
    ['keeps all without limits', {}, []],
  ])('%s', (_, spec, names) => {
    expect(planHistory(cronJob(spec), jobs).map(({ metadata }) => metadata.name)).toEqual(names)
  })
})

describe('dueRuns()', () => {
  const parse = (text: string) => parseSchedule(text) as Schedule

  it('finds the latest run by now, whatever the schedule', () => {
    const texts = ['* * * * *', '*/7 * * * *', '0 */5 * * *', '30 6-16/4 * * 1-5', '0 0 1 * *', '@every 90s', '15 3 * * 0,3']
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.integer({ min: 1, max: 5 * 86_400 }), (text, seconds) => {
        const schedule = parse(text)
        const nowMs = parseTime(created) + seconds * 1000
        let latest: number | undefined
        for (let at = nextRun(schedule, parseTime(created)); at !== undefined && at <= nowMs; at = nextRun(schedule, at)) latest = at
        expect(dueRuns(cronJob(), schedule, nowMs, true).latestMs).toBe(latest)
      }),
      { numRuns: 60 },
    )
  })

  it('is called again after the next run, never before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400_000 }), fc.boolean(), (elapsedMs, hasRun) => {
        const nowMs = parseTime(created) + elapsedMs
        const schedule = parse('*/10 * * * *')
        const previous = Math.floor(nowMs / 600_000) * 600_000
        const subject = cronJob({}, hasRun ? { lastScheduleTime: formatTime(previous) } : {})
        expect(nowMs + nextRunDelayMs(subject, schedule, nowMs)).toBe(previous + 600_100)
      }),
      { numRuns: 60 },
    )
  })
})
