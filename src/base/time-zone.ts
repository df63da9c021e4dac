// Time zones of the IANA database: `Europe/Berlin`.
import { cached } from './cached.ts'

/** The offset of the zone from UTC at a moment, in milliseconds. */
export type ZoneOffset = (atMs: number) => number

const utc: ZoneOffset = () => 0

/** Throws a RangeError for a zone that does not exist. An empty name, `UTC` and `Local` mean UTC, as in Go on a server. */
export function zoneOffset(zone: string): ZoneOffset {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return utc
  return readOffset(zone)
}

const readOffset = cached(1000, (zone: string): ZoneOffset => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (atMs) => {
    const wholeMs = Math.floor(atMs / 1000) * 1000
    const shown: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(wholeMs)) if (type !== 'literal') shown[type] = Number(value)
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = shown
    return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000 - wholeMs
  }
})
