import { describe, expect, it } from 'vitest'
import { context, makeObject, podTemplate, said } from '../../../testing/make-object.ts'
import type { CronJob } from '../../../types.ts'
import { cronJobs, validateCronJob, validateCronJobUpdate } from './kind.ts'
import { scheduleProblem, timeZoneProblem } from './schedule-validation.ts'

const template = { spec: { ...podTemplate.spec, restartPolicy: 'Never' } }
const base = { metadata: { name: 'tick' }, spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template } } } }
const cronJob = (spec: object = {}, more: object = {}) => makeObject<CronJob>('batch.CronJob', cronJobs.strategy, base, { spec, ...more })

describe('scheduleProblem()', () => {
  it.each([
    '* * * * *',
    '0 0 1 1 0',
    '5/10 0-23/2 1,15 JAN-mar Sun,fri',
    '? * ? * ?',
    '@daily',
    '@every 1h30m0.5s',
    '@every -1s',
    '  0   0 * * *  ',
    'TZ=Europe/Paris 0 0 * * *',
    'CRON_TZ=UTC @hourly',
    ',, * * * *',
  ])('accepts %j', (schedule) => expect(scheduleProblem(schedule)).toBeUndefined())

  it.each([
    ['error', 'expected exactly 5 fields, found 1: [error]'],
    ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* 24 * * *', 'end of range (24) above maximum (23): 24'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * 13 *', 'end of range (13) above maximum (12): 13'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['-5 * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    [
      '99999999999999999999 * * * *',
      'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ['* * * foo *', 'failed to parse int from foo: strconv.Atoi: parsing "foo": invalid syntax'],
    ['@often', 'unrecognized descriptor: @often'],
    ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ['@every 5y', 'failed to parse duration @every 5y: time: unknown unit "y" in duration "5y"'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
    ['TZ=0', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
    ['TZ=Nowhere/Land * * * * *', 'provided bad location Nowhere/Land: unknown time zone Nowhere/Land'],
  ])('says what is wrong with %j', (schedule, message) => expect(scheduleProblem(schedule)).toBe(message))
})

describe('timeZoneProblem()', () => {
  it.each(['UTC', 'Europe/Paris', 'US/Eastern', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'EST'])('knows %s', (zone) =>
    expect(timeZoneProblem(zone)).toBeUndefined(),
  )
  it.each(['europe/paris', 'Mars/Olympus', '+01:00', '+0100'])('does not know %s', (zone) =>
    expect(timeZoneProblem(zone)).toBe(`unknown time zone ${zone}`),
  )
})

describe('validateCronJob()', () => {
  const notNegative = 'must be greater than or equal to 0'
  const job = 'spec.jobTemplate.spec'
  const rows: readonly [string, object, readonly string[]][] = [
    ['a plain one', {}, []],
    ['no schedule', { schedule: '' }, ['spec.schedule: Required value']],
    ['a wrong schedule', { schedule: 'error' }, ['spec.schedule: Invalid value: "error": expected exactly 5 fields, found 1: [error]']],
    [
      'a time zone in the schedule',
      { schedule: 'TZ=UTC * * * * *' },
      ['spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead'],
    ],
    ['a time zone', { timeZone: 'Europe/Paris' }, []],
    ['an empty time zone', { timeZone: '' }, ['spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string']],
    [
      'an unknown time zone',
      { timeZone: 'Mars/Olympus' },
      ['spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus'],
    ],
    ['a time zone that is a path', { timeZone: '../etc' }, ['spec.timeZone: Invalid value: "../etc": unknown time zone ../etc']],
    [
      'the time zone of the server',
      { timeZone: 'Local' },
      ['spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'],
    ],
    ['a negative deadline', { startingDeadlineSeconds: -1 }, [`spec.startingDeadlineSeconds: Invalid value: -1: ${notNegative}`]],
    [
      'an unknown policy',
      { concurrencyPolicy: 'Maybe' },
      ['spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"'],
    ],
    [
      'a wrong template',
      { jobTemplate: { spec: { backoffLimit: -1, template: { spec: { restartPolicy: null } } } } },
      [
        `${job}.backoffLimit: Invalid value: -1: ${notNegative}`,
        `${job}.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"`,
      ],
    ],
    [
      'a selector in the template',
      { jobTemplate: { spec: { selector: { matchLabels: { a: 'b' } }, manualSelector: true } } },
      [
        `${job}.selector: Invalid value: {"matchLabels":{"a":"b"}}: \`selector\` will be auto-generated`,
        `${job}.manualSelector: Unsupported value: true: supported values: "nil", "false"`,
      ],
    ],
    [
      'negative histories',
      { successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
      [
        `spec.successfulJobsHistoryLimit: Invalid value: -1: ${notNegative}`,
        `spec.failedJobsHistoryLimit: Invalid value: -1: ${notNegative}`,
      ],
    ],
  ]
  it.each(rows)('judges %s', (_, spec, messages) => expect(said(validateCronJob(cronJob(spec), context))).toEqual(messages))

  it('requires a name that its Jobs can carry', () => {
    const name = 'a'.repeat(53)
    expect(said(validateCronJob(cronJob({}, { metadata: { name } }), context))).toEqual([
      `metadata.name: Invalid value: "${name}": must be no more than 52 characters`,
    ])
    const stored = cronJob({}, { metadata: { name } })
    expect(validateCronJobUpdate(stored, stored, context)).toEqual([])
  })

  it('accepts an invalid time zone that was stored before', () => {
    const stored = cronJob({ schedule: 'TZ=UTC * * * * *' })
    expect(validateCronJobUpdate(stored, stored, context)).toEqual([])
    const both = cronJob({ schedule: 'TZ=UTC * * * * *', timeZone: 'UTC' })
    expect(said(validateCronJobUpdate(both, stored, context))).toEqual([
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
    ])
    const unknown = cronJob({ timeZone: 'Old/Zone' })
    expect(validateCronJobUpdate(unknown, unknown, context)).toEqual([])
  })
})
