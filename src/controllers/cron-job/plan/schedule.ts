// When a cron schedule is due: at every moment whose local time in the zone matches. As in Kubernetes, a local time that is
// skipped when clocks are set forward does not occur that day, and one that occurs twice when they are set back is due twice.
// Cron libraries for JavaScript shift or merge such times.
// Kubernetes: github.com/robfig/cron/v3.SpecSchedule.Next, dayMatches
import { scheduleProblem } from '../../../api/kinds/batch/cron-job/schedule-validation.ts'
import { readDurationMs } from '../../../base/duration.ts'
import { type ZoneOffset, zoneOffset } from '../../../base/time-zone.ts'
import { dateOf, dayMs, dayOf, weekdayOf } from './calendar.ts'

/** A schedule that is valid according to `scheduleProblem`. */
export interface Schedule {
  readonly zone: string
  /** The interval of @every. */
  readonly everyMs?: number
  /** Sorted. */
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** The field is `*` or `?`: then the other one decides. Otherwise a day matches if either field matches. */
  readonly isAnyDay: boolean
  readonly isAnyWeekday: boolean
}

const words: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const minuteMs = 60_000
const hourMs = 3_600_000

/** The schedule, or why it is invalid. A zone in the schedule (`TZ=…`) wins over `timeZone`. */
export function parseSchedule(text: string, timeZone = ''): Schedule | string {
  const problem = scheduleProblem(text)
  if (problem !== undefined) return problem
  const prefix = /^(?:CRON_)?TZ=(\S*) +/.exec(text)
  const zone = prefix === null ? timeZone : prefix[1]!
  const rest = (prefix === null ? text : text.slice(prefix[0].length)).trim()
  const every = rest.startsWith('@every ') ? (readDurationMs(rest.slice('@every '.length).replace(/^\+/, '')) ?? 0) : undefined
  const fields = (every !== undefined ? '* * * * *' : (words[rest] ?? rest)).split(/\s+/).filter((field) => field !== '')
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = fields
  return {
    zone,
    // Rounded down to seconds.
    ...(every !== undefined && { everyMs: Math.max(1000, Math.floor(every / 1000) * 1000) }),
    minutes: [...valuesOf(minutes, 0, 59)].sort((a, b) => a - b),
    hours: [...valuesOf(hours, 0, 23)].sort((a, b) => a - b),
    days: valuesOf(days, 1, 31),
    months: valuesOf(months, 1, 12, monthNames),
    weekdays: valuesOf(weekdays, 0, 6, weekdayNames),
    isAnyDay: isAny(days),
    isAnyWeekday: isAny(weekdays),
  }
}

/** With a step above 1, `*` no longer means any day. */
const isAny = (field: string) =>
  field.split(',').some((range) => {
    const [what = '', step = '1'] = range.split('/')
    return (what.startsWith('*') || what.startsWith('?')) && Number(step) <= 1
  })

function valuesOf(field: string, min: number, max: number, names: readonly string[] = []): Set<number> {
  const numberOf = (text: string) => {
    const named = names.indexOf(text.toLowerCase())
    return named < 0 ? Number(text) : min + named
  }
  const values = new Set<number>()
  for (const range of field.split(',')) {
    if (range === '') continue
    const [limits = '', step] = range.split('/')
    const [first = '', last] = limits.split('-')
    const isOpen = first === '*' || first === '?'
    const from = isOpen ? min : numberOf(first)
    // `5/10` means from 5 on.
    const to = isOpen || (last === undefined && step !== undefined) ? max : numberOf(last ?? first)
    for (let value = from; value <= to; value += step === undefined ? 1 : Number(step)) values.add(value)
  }
  return values
}

/** The first moment after `afterMs` at which the schedule is due; undefined when there is none in five years. */
export function nextRun(schedule: Schedule, afterMs: number): number | undefined {
  const wholeMs = Math.floor(afterMs / 1000) * 1000
  if (schedule.everyMs !== undefined) return wholeMs + schedule.everyMs
  const offsetAt = zoneOffset(schedule.zone)
  const earliestMs = wholeMs + 1000
  const today = Math.floor((earliestMs + offsetAt(earliestMs)) / dayMs)
  const lastYear = dateOf(today).year + 5
  // Clocks that are set back over midnight repeat the previous day.
  for (let day = today - 1; ; day++) {
    const { year, month } = dateOf(day)
    if (year > lastYear) return undefined
    if (!schedule.months.has(month)) {
      day = (month === 12 ? dayOf(year + 1, 1, 1) : dayOf(year, month + 1, 1)) - 1
      continue
    }
    const found = firstOnDay(schedule, day, offsetAt, earliestMs)
    if (found === undefined) continue
    const tomorrow = firstOnDay(schedule, day + 1, offsetAt, earliestMs)
    return tomorrow === undefined ? found : Math.min(found, tomorrow)
  }
}

function isDue({ days, months, weekdays, isAnyDay, isAnyWeekday }: Schedule, day: number): boolean {
  const date = dateOf(day)
  if (!months.has(date.month)) return false
  const onDay = days.has(date.day)
  const onWeekday = weekdays.has(weekdayOf(day))
  return isAnyDay || isAnyWeekday ? onDay && onWeekday : onDay || onWeekday
}

/** Larger than the offset of any zone from UTC. */
const maxOffsetMs = 15 * hourMs

function firstOnDay(schedule: Schedule, day: number, offsetAt: ZoneOffset, earliestMs: number): number | undefined {
  if (!isDue(schedule, day)) return undefined
  const startMs = day * dayMs
  const before = offsetAt(startMs - maxOffsetMs)
  const after = offsetAt(startMs + dayMs + maxOffsetMs)
  if (before === after) {
    for (const atMs of momentsOf(schedule, startMs - before, earliestMs)) return atMs
    return undefined
  }
  // The offset changes on or near that day: a local time may occur never, once or twice.
  const moments = [...momentsOf(schedule, startMs - before, earliestMs), ...momentsOf(schedule, startMs - after, earliestMs)]
  moments.sort((a, b) => a - b)
  return moments.find((atMs) => {
    const shown = atMs + offsetAt(atMs) - startMs
    const minutes = shown / minuteMs
    return shown >= 0 && shown < dayMs && schedule.hours.includes(Math.floor(minutes / 60)) && schedule.minutes.includes(minutes % 60)
  })
}

/** The due times of the day that begins at `midnightMs`, as if its offset did not change. */
function* momentsOf({ hours, minutes }: Schedule, midnightMs: number, earliestMs: number): Iterable<number> {
  for (const hour of hours) {
    const hourAtMs = midnightMs + hour * hourMs
    if (hourAtMs + hourMs <= earliestMs) continue
    for (const minute of minutes) {
      const atMs = hourAtMs + minute * minuteMs
      if (atMs >= earliestMs) yield atMs
    }
  }
}
