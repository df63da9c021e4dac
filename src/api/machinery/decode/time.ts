// RFC 3339 as Go reads it: hours may have one digit, any fraction of a second is accepted and cut off, and
// messages about an invalid time name the element of Go's layout that does not match.
// Kubernetes: k8s.io/apimachinery/pkg/apis/meta/v1.Time.UnmarshalJSON, MicroTime.UnmarshalJSON

const secondsLayout = '2006-01-02T15:04:05Z07:00'
const microLayout = '2006-01-02T15:04:05.000000Z07:00'

const plainTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/

/** The zero time, which Kubernetes writes as null. */
const zeroTime = '0001-01-01T00:00:00Z'

const plainMicroTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const zeroMicroTime = '0001-01-01T00:00:00.000000Z'

/** Times in their canonical form. */
const recent = new Set<string>()
const maxRecent = 256

/** The time in UTC, to the second; null is the zero time; undefined for an invalid time: see `timeProblem`. */
export function canonicalTime(text: string): string | null | undefined {
  // Almost every time was written by this server, and read a moment ago.
  if (recent.has(text)) return text
  if (plainTime.test(text) && isPlainDate(text)) {
    if (text === zeroTime) return null
    if (recent.size >= maxRecent) recent.clear()
    recent.add(text)
    return text
  }
  const read = readTime(text, secondsLayout)
  if (typeof read === 'string') return undefined
  const seconds = `${formatSeconds(read.epochMs)}Z`
  return seconds === zeroTime && read.micros === 0 ? null : seconds
}

/** The same with six digits for the microseconds, which must be there. */
export function canonicalMicroTime(text: string): string | null | undefined {
  if (plainMicroTime.test(text) && isPlainDate(text)) return text === zeroMicroTime ? null : text
  const read = readTime(text, microLayout)
  if (typeof read === 'string') return undefined
  const seconds = formatSeconds(read.epochMs)
  return `${seconds}Z` === zeroTime && read.micros === 0 ? null : `${seconds}.${String(read.micros).padStart(6, '0')}Z`
}

/** Go's message about an invalid time. */
export function timeProblem(text: string, micro: boolean): string {
  const read = readTime(text, micro ? microLayout : secondsLayout)
  return typeof read === 'string' ? read : ''
}

function isPlainDate(text: string): boolean {
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(Number(text.slice(0, 4)), month) &&
    text.slice(11, 13) < '24' &&
    text.slice(14, 16) < '60' &&
    text.slice(17, 19) < '60'
  )
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function formatSeconds(epochMs: number): string {
  const date = new Date(epochMs)
  const year = date.getUTCFullYear()
  const rest = date.toISOString().slice(-20, -5)
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}${rest}`
}

interface ReadTime {
  readonly epochMs: number
  readonly micros: number
}

/** A string is Go's message about a failure. */
function readTime(text: string, layout: string): ReadTime | string {
  let rest = text
  const cannot = (element: string) => `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(element)}`
  const outOfRange = (what: string) => `parsing time ${quote(text)}: ${what} out of range`
  const take = (pattern: RegExp): string | undefined => {
    const match = pattern.exec(rest)?.[0]
    if (match !== undefined) rest = rest.slice(match.length)
    return match
  }
  const numbers: number[] = []
  const elements = [
    ['2006', /^\d{4}/],
    ['-', /^-/],
    ['01', /^\d\d/],
    ['-', /^-/],
    ['02', /^\d\d/],
    ['T', /^T/],
    ['15', /^\d\d?/],
    [':', /^:/],
    ['04', /^\d\d/],
    [':', /^:/],
    ['05', /^\d\d/],
  ] as const
  const limits: Readonly<Record<string, readonly [string, number, number]>> = {
    '01': ['month', 1, 12],
    '15': ['hour', 0, 23],
    '04': ['minute', 0, 59],
    '05': ['second', 0, 59],
  }
  for (const [element, pattern] of elements) {
    const match = take(pattern)
    if (match === undefined) return cannot(element)
    const limit = limits[element]
    if (limit !== undefined && (Number(match) < limit[1] || Number(match) > limit[2])) return outOfRange(limit[0])
    if (element.length > 1) numbers.push(Number(match))
  }
  let micros = 0
  if (layout === microLayout) {
    const fraction = take(/^[.,]\d{6}/)
    if (fraction === undefined) return cannot('.000000')
    micros = Number(fraction.slice(1))
  } else {
    const fraction = take(/^[.,]\d+/)
    if (fraction !== undefined) micros = Number(fraction.slice(1, 7).padEnd(6, '0'))
  }
  let offsetMinutes = 0
  if (take(/^Z/) === undefined) {
    const zone = take(/^[+-]\d\d:\d\d/)
    if (zone === undefined) return cannot('Z07:00')
    const hours = Number(zone.slice(1, 3))
    const minutes = Number(zone.slice(4, 6))
    if (hours > 24) return outOfRange('time zone offset hour')
    if (minutes > 60) return outOfRange('time zone offset minute')
    offsetMinutes = (hours * 60 + minutes) * (zone[0] === '-' ? -1 : 1)
  }
  if (rest !== '') return `parsing time ${quote(text)}: extra text: ${quote(rest)}`
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers
  if (day < 1 || day > daysIn(year, month)) return outOfRange('day')
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute - offsetMinutes, second)
  return { epochMs: date.getTime(), micros }
}

/** As Go quotes in messages about times: characters other than plain ASCII are written byte by byte. */
function quote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`
  let quoted = ''
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte)
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`
    else quoted += character === '"' || character === '\\' ? `\\${character}` : character
  }
  return `"${quoted}"`
}
