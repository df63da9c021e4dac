// Converts between milliseconds since 1970 and local dates and times.
import { zoneOffset } from '../../../base/time-zone.ts'

export const dayMs = 86_400_000

interface CivilDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** Days since 1970-01-01. The year is counted from March, so that the leap day is the last day of the year. */
export function dayOf(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

export function dateOf(daysSince1970: number): CivilDate {
  const days = daysSince1970 + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  }
}

/** 0 is Sunday. */
export const weekdayOf = (daysSince1970: number) => (((daysSince1970 + 4) % 7) + 7) % 7

const two = (number: number) => String(number).padStart(2, '0')

function clockOf(atMs: number, offsetMs: number) {
  const localMs = Math.floor((atMs + offsetMs) / 1000) * 1000
  const days = Math.floor(localMs / dayMs)
  const seconds = (localMs - days * dayMs) / 1000
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return { ...dateOf(days), weekday: weekdayOf(days), time }
}

/** RFC 3339 in the zone: `2026-11-01T12:00:00+01:00`, with Z for UTC. */
export function formatInZone(atMs: number, zone: string): string {
  const offsetMs = zoneOffset(zone)(atMs)
  const { year, month, day, time } = clockOf(atMs, offsetMs)
  const minutes = Math.floor(Math.abs(offsetMs) / 60_000)
  const shown = offsetMs === 0 ? 'Z' : `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${time}${shown}`
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** RFC 1123: `Sun, 15 Nov 2026 20:00:00 +0000`. */
export function formatLong(atMs: number): string {
  const { year, month, day, weekday, time } = clockOf(atMs, 0)
  return `${weekdays[weekday]}, ${two(day)} ${months[month - 1]} ${year} ${time} +0000`
}
