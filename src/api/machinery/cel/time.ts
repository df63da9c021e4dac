// Times and durations of CEL.
// Kubernetes: github.com/google/cel-go/common/types.Timestamp.*, Duration.*, timeZone
import { zoneOffset } from '../../../base/time-zone.ts'
import { EvaluationError } from './evaluation-error.ts'

/** Nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

export class Duration {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

const second = 1_000_000_000n
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  '\u00b5s': 1000n,
  '\u03bcs': 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
}
const maxDuration = 2n ** 63n - 1n
const minTimestamp = -62135596800n * second
const maxTimestamp = 253402300799n * second + 999_999_999n

/** The time to read digits grows with the square of their number. */
const maxDurationLength = 1000

/** `1h30m`, `-1.5s`, as Go's time.ParseDuration reads it. */
export function parseDuration(text: string): Duration | undefined {
  if (text.length > maxDurationLength) return undefined
  const match = /^([+-]?)((?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+|0)$/.exec(text)
  if (match === null) return undefined
  let total = 0n
  for (const [, whole = '', fraction = '', unit] of match[2]!.matchAll(/([0-9]*)(?:\.([0-9]*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/g)) {
    const scale = units[unit!]!
    total += BigInt(whole || '0') * scale
    if (fraction !== '') total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length)
  }
  if (total > maxDuration) return undefined
  return new Duration(match[1] === '-' ? -total : total)
}

/** RFC 3339. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:[.,](\d+))?([Zz]|[+-]\d{2}:\d{2})$/.exec(text)
  if (match === null) return undefined
  const [, day, time, fraction = '', zone] = match
  const millis = Date.parse(`${day}T${time}${zone!.toUpperCase()}`)
  // Date.parse moves 30 February to March.
  if (Number.isNaN(millis) || new Date(Date.parse(`${day}T00:00:00Z`)).toISOString().slice(0, 10) !== day) return undefined
  return checkedTimestamp(BigInt(millis) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0')))
}

export function checkedTimestamp(nanos: bigint): Timestamp {
  if (nanos < minTimestamp || nanos > maxTimestamp) throw new EvaluationError('timestamp overflow')
  return new Timestamp(nanos)
}

export function checkedDuration(nanos: bigint): Duration {
  if (nanos > maxDuration || nanos < -maxDuration - 1n) throw new EvaluationError('duration overflow')
  return new Duration(nanos)
}

function fractionOf(nanos: bigint): string {
  return nanos === 0n ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`
}

export function showTimestamp({ nanos }: Timestamp): string {
  const seconds = floorDivide(nanos, second)
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fractionOf(nanos - seconds * second)}Z`
}

/** In seconds, as CEL's string() has it: `5400s`, `1.5s`. */
export function showDuration({ nanos }: Duration): string {
  const absolute = nanos < 0n ? -nanos : nanos
  return `${nanos < 0n ? '-' : ''}${absolute / second}${fractionOf(absolute % second)}s`
}

export const floorDivide = (one: bigint, other: bigint): bigint => {
  const quotient = one / other
  return one % other !== 0n && one < 0n !== other < 0n ? quotient - 1n : quotient
}

const dateParts = {
  year: (date: Date) => date.getUTCFullYear(),
  month: (date: Date) => date.getUTCMonth(),
  dayOfYear: (date: Date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000),
  dayOfMonth: (date: Date) => date.getUTCDate() - 1,
  date: (date: Date) => date.getUTCDate(),
  dayOfWeek: (date: Date) => date.getUTCDay(),
  hours: (date: Date) => date.getUTCHours(),
  minutes: (date: Date) => date.getUTCMinutes(),
  seconds: (date: Date) => date.getUTCSeconds(),
  milliseconds: (date: Date) => date.getUTCMilliseconds(),
}

export type DatePart = keyof typeof dateParts

export function datePart(time: Timestamp, part: DatePart, zone: string): bigint {
  return BigInt(dateParts[part](new Date(Number(floorDivide(time.nanos, 1_000_000n)) + offsetOf(time, zone))))
}

/** Milliseconds that the zone is ahead of UTC: `+02:00`, `Europe/Berlin`. */
function offsetOf(time: Timestamp, zone: string): number {
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone)
  if (fixed !== null) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000
  try {
    return zoneOffset(zone)(Number(floorDivide(time.nanos, 1_000_000n)))
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`)
  }
}
