import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { zoneOffset } from '../../../base/time-zone.ts'
import { dateOf, dayMs, dayOf, formatInZone, formatLong, weekdayOf } from './calendar.ts'
import { nextRun, parseSchedule, type Schedule } from './schedule.ts'

const schedule = (text: string, zone?: string) => {
  const parsed = parseSchedule(text, zone)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}
const next = (text: string, after: string, zone?: string) => {
  const at = nextRun(schedule(text, zone), parseTime(after))
  return at === undefined ? undefined : formatTime(at)
}

describe('nextRun()', () => {
  it.each([
    ['every minute, after a full one', '* * * * *', '2026-11-15T12:00:00Z', '2026-11-15T12:01:00Z'],
    ['every minute, after a part of one', '* * * * *', '2026-11-15T12:00:59.900Z', '2026-11-15T12:01:00Z'],
    ['a step', '*/15 * * * *', '2026-11-15T12:16:00Z', '2026-11-15T12:30:00Z'],
    ['a step from a number on', '5/20 * * * *', '2026-11-15T12:46:00Z', '2026-11-15T13:05:00Z'],
    ['a range with a step', '30 6-16/4 * * 1-5', '2026-11-13T14:30:00Z', '2026-11-16T06:30:00Z'],
    ['a list', '0,30 8,20 * * *', '2026-11-15T08:30:00Z', '2026-11-15T20:00:00Z'],
    ['names', '0 0 * FEB Mon', '2026-11-15T00:00:00Z', '2027-02-01T00:00:00Z'],
    ['a question mark', '0 0 ? * 3', '2026-11-15T00:00:00Z', '2026-11-18T00:00:00Z'],
    ['a day of the month or a weekday', '0 0 20 * 3', '2026-11-15T00:00:00Z', '2026-11-18T00:00:00Z'],
    ['a stepped star is a choice like any other', '0 0 */2 * 1', '2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z'],
    ['a leap day', '0 0 29 2 *', '2026-11-15T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['the end of a year', '0 0 1 1 *', '2026-11-15T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['a day that does not exist', '0 0 31 2 *', '2026-11-15T00:00:00Z', undefined],
    ['@hourly', '@hourly', '2026-11-15T12:00:00Z', '2026-11-15T13:00:00Z'],
    ['@daily', '@daily', '2026-11-15T12:00:00Z', '2026-11-16T00:00:00Z'],
    ['@midnight', '@midnight', '2026-11-15T12:00:00Z', '2026-11-16T00:00:00Z'],
    ['@weekly', '@weekly', '2026-11-15T12:00:00Z', '2026-11-22T00:00:00Z'],
    ['@monthly', '@monthly', '2026-11-15T12:00:00Z', '2026-12-01T00:00:00Z'],
    ['@yearly', '@yearly', '2026-11-15T12:00:00Z', '2027-01-01T00:00:00Z'],
    ['@annually', '@annually', '2026-11-15T12:00:00Z', '2027-01-01T00:00:00Z'],
    ['@every', '@every 1h30m10s', '2026-11-15T12:00:00.500Z', '2026-11-15T13:30:10Z'],
    ['@every, too short', '@every 10ms', '2026-11-15T12:00:00Z', '2026-11-15T12:00:01Z'],
  ])('%s', (_, text, after, expected) => {
    expect(next(text, after)).toBe(expected)
  })

  it.each([
    ['an ordinary day', '0 9 * * *', 'Europe/Berlin', '2026-07-01T00:00:00Z', '2026-07-01T07:00:00Z'],
    ['the zone is in the schedule', 'TZ=Asia/Tokyo 0 9 * * *', 'Europe/Berlin', '2026-07-01T01:00:00Z', '2026-07-02T00:00:00Z'],
    ['a zone of half an hour', '0 9 * * *', 'Asia/Kolkata', '2026-07-01T00:00:00Z', '2026-07-01T03:30:00Z'],
    ['a zone of three quarters', '0 9 * * *', 'Asia/Kathmandu', '2026-07-01T00:00:00Z', '2026-07-01T03:15:00Z'],
    ['a skipped time waits for the next day', '30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00Z'],
    ['around a skipped hour', '0 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'],
    ['a repeated time is first due in summer time', '30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z'],
    ['and again in winter time', '30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
    ['and then the next day', '30 2 * * *', 'Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z'],
    ['a skipped midnight', '0 0 * * *', 'America/Santiago', '2026-09-05T12:00:00Z', '2026-09-07T03:00:00Z'],
    ['clocks set back over midnight', '30 23 * * *', 'America/Santiago', '2026-04-04T22:00:00Z', '2026-04-05T02:30:00Z'],
    ['and again', '30 23 * * *', 'America/Santiago', '2026-04-05T02:30:00Z', '2026-04-05T03:30:00Z'],
    ['a change of half an hour', '45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z'],
  ])('in a zone: %s', (_, text, zone, after, expected) => {
    expect(next(text, after, zone)).toBe(expected)
  })

  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu']
  const numbers = (least: number, most: number) => fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 4 })
  const field = (least: number, most: number) =>
    fc.oneof(
      fc.constant('*'),
      numbers(least, most).map(String),
      fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`),
    )

  it('finds the same times as a check of every minute', () => {
    fc.assert(
      fc.property(
        fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(0, 6)),
        fc.constantFrom(...zones),
        // Around the days on which clocks change.
        fc.constantFrom('2026-03-28', '2026-10-24', '2026-03-07', '2026-10-31', '2026-09-05', '2026-04-04', '2026-10-03', '2011-12-29'),
        fc.integer({ min: 0, max: 3 * 1440 * 60 }),
        ([minute, hour, day, weekday], zone, date, seconds) => {
          const parsed = schedule(`${minute} ${hour} ${day} * ${weekday}`, zone)
          const afterMs = parseTime(`${date}T00:00:00Z`) + seconds * 1000
          expect(within(nextRun(parsed, afterMs), afterMs)).toBe(within(byLooking(parsed, afterMs), afterMs))
        },
      ),
      { numRuns: 30 },
    )
  })

  const horizonMs = 2 * dayMs
  const within = (atMs: number | undefined, afterMs: number) => (atMs !== undefined && atMs <= afterMs + horizonMs ? atMs : undefined)

  function byLooking(parsed: Schedule, afterMs: number): number | undefined {
    const offsetAt = zoneOffset(parsed.zone)
    for (let atMs = Math.floor(afterMs / 60_000) * 60_000 + 60_000; atMs <= afterMs + horizonMs; atMs += 60_000) {
      const localMs = atMs + offsetAt(atMs)
      const day = Math.floor(localMs / dayMs)
      const minutes = (localMs - day * dayMs) / 60_000
      const onDay = parsed.days.has(dateOf(day).day)
      const onWeekday = parsed.weekdays.has(weekdayOf(day))
      const isDay = parsed.isAnyDay || parsed.isAnyWeekday ? onDay && onWeekday : onDay || onWeekday
      if (isDay && parsed.hours.includes(Math.floor(minutes / 60)) && parsed.minutes.includes(minutes % 60)) return atMs
    }
    return undefined
  }
})

describe('parseSchedule()', () => {
  it('reports invalid schedules', () => {
    expect(parseSchedule('61 * * * *')).toBe('end of range (61) above maximum (59): 61')
    expect(parseSchedule('@never')).toBe('unrecognized descriptor: @never')
  })
})

describe('the calendar', () => {
  it('converts days to dates and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (day) => {
        const { year, month, day: ofMonth } = dateOf(day)
        expect(dayOf(year, month, ofMonth)).toBe(day)
        expect(formatTime(day * dayMs).slice(0, 10)).toBe(formatInZone(day * dayMs, '').slice(0, 10))
      }),
    )
  })

  it('writes times for annotations and for people', () => {
    const at = parseTime('2026-11-15T20:05:00Z')
    expect(formatInZone(at, '')).toBe('2026-11-15T20:05:00Z')
    expect(formatInZone(at, 'Europe/Berlin')).toBe('2026-11-15T21:05:00+01:00')
    expect(formatInZone(at, 'America/St_Johns')).toBe('2026-11-15T16:35:00-03:30')
    expect(formatInZone(at, 'Europe/London')).toBe('2026-11-15T20:05:00Z')
    expect(formatLong(at)).toBe('Sun, 15 Nov 2026 20:05:00 +0000')
  })
})
