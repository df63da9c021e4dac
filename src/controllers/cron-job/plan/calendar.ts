// Converts between milliseconds since 1970 and local dates and times.
// Ours: Go has local times in its standard library.
import { zoneOffset } from '../../../base/time-zone.ts'

export const dayMs = 86_400_000

interface CivilDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** Days since 1970-01-01. */
export const dayOf = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day) / dayMs

export function dateOf(daysSince1970: number): CivilDate {
  const date = new Date(daysSince1970 * dayMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** 0 is Sunday. */
export const weekdayOf = (daysSince1970: number) => (((daysSince1970 + 4) % 7) + 7) % 7

const two = (number: number) => String(number).padStart(2, '0')

/** RFC 3339 in the zone: `2026-11-01T12:00:00+01:00`, with Z for UTC. */
export function formatInZone(atMs: number, zone: string): string {
  const offsetMs = zoneOffset(zone)(atMs)
  const minutes = Math.floor(Math.abs(offsetMs) / 60_000)
  const shown = offsetMs === 0 ? 'Z' : `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  return new Date(atMs + offsetMs).toISOString().slice(0, 19) + shown
}

/** RFC 1123: `Sun, 15 Nov 2026 20:00:00 +0000`. */
export const formatLong = (atMs: number): string => new Date(atMs).toUTCString().replace('GMT', '+0000')
