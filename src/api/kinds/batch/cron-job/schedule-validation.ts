// Cron schedules and time zones, read as Kubernetes reads them: five fields, or a word such as @daily.
// Kubernetes: github.com/robfig/cron/v3.Parser.Parse, getRange, parseDescriptor
import { cached } from '../../../../base/cached.ts'
import { goQuote } from '../../../machinery/go-text.ts'

interface Bounds {
  readonly min: number
  readonly max: number
  /** The first name means `min`. */
  readonly names?: readonly string[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]
const words = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'])

/** Kubernetes' error message for a schedule, or undefined when it is valid. */
export function scheduleProblem(schedule: string): string | undefined {
  let text = schedule
  const prefix = /^(?:CRON_)?TZ=/.exec(text)
  if (prefix !== null) {
    const blank = text.indexOf(' ')
    if (blank < 0) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]'
    const zone = text.slice(prefix[0].length, blank)
    const problem = zone === '' ? undefined : timeZoneProblem(zone)
    if (problem !== undefined) return `provided bad location ${zone}: ${problem}`
    text = text.slice(blank).trim()
  }
  if (text.startsWith('@')) return wordProblem(text)
  const parts = text.split(/\s+/).filter((part) => part !== '')
  if (parts.length !== 5) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`
  for (const [index, part] of parts.entries())
    for (const range of part.split(',')) {
      const problem = range === '' ? undefined : rangeProblem(range, fields[index]!)
      if (problem !== undefined) return problem
    }
  return undefined
}

function wordProblem(text: string): string | undefined {
  if (words.has(text)) return undefined
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`
  const problem = durationProblem(text.slice('@every '.length))
  return problem === undefined ? undefined : `failed to parse duration ${text}: ${problem}`
}

function durationProblem(text: string): string | undefined {
  const quoted = goQuote(text)
  let rest = /^[+-]/.test(text) ? text.slice(1) : text
  if (rest === '0') return undefined
  if (rest === '') return `time: invalid duration ${quoted}`
  while (rest !== '') {
    const number = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)/.exec(rest)
    if (number === null) return `time: invalid duration ${quoted}`
    rest = rest.slice(number[0].length)
    const unit = /^[^0-9.]*/.exec(rest)?.[0] ?? ''
    if (unit === '') return `time: missing unit in duration ${quoted}`
    if (!['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'].includes(unit)) return `time: unknown unit ${goQuote(unit)} in duration ${quoted}`
    rest = rest.slice(unit.length)
  }
  return undefined
}

function rangeProblem(text: string, bounds: Bounds): string | undefined {
  const { min, max } = bounds
  const [range = '', ...steps] = text.split('/')
  const limits = range.split('-')
  let first = min
  let last = max
  if (limits[0] !== '*' && limits[0] !== '?') {
    const start = readNumber(limits[0] ?? '', bounds)
    if (typeof start === 'string') return start
    if (limits.length > 2) return `too many hyphens: ${text}`
    const end = limits.length === 1 ? start : readNumber(limits[1] ?? '', bounds)
    if (typeof end === 'string') return end
    first = start
    last = end
  }
  let step = 1
  if (steps.length > 1) return `too many slashes: ${text}`
  if (steps.length === 1) {
    const number = readNumber(steps[0] ?? '')
    if (typeof number === 'string') return number
    step = number
    // `5/10` means from 5 on.
    if (limits.length === 1) last = max
  }
  if (first < min) return `beginning of range (${first}) below minimum (${min}): ${text}`
  if (last > max) return `end of range (${last}) above maximum (${max}): ${text}`
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${text}`
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined
}

/** The number, or an error message. */
function readNumber(text: string, bounds?: Bounds): number | string {
  const named = bounds?.names?.indexOf(text.toLowerCase()) ?? -1
  if (bounds !== undefined && named >= 0) return bounds.min + named
  const cannot = (why: string) => `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${why}`
  if (!/^[+-]?[0-9]+$/.test(text)) return cannot('invalid syntax')
  const big = BigInt(text.replace(/^\+/, ''))
  if (big > 9223372036854775807n || big < -9223372036854775808n) return cannot('value out of range')
  return big < 0n ? `negative number (${big}) not allowed: ${text}` : Number(big)
}

/** The error message for the name of a time zone, which is not empty, or undefined when it is valid. */
export function timeZoneProblem(zone: string): string | undefined {
  if (zone === 'UTC' || zone === 'Local') return undefined
  if (zone.includes('..') || zone.startsWith('/') || zone.startsWith('\\')) return 'time: invalid location name'
  return isTimeZone(zone) ? undefined : `unknown time zone ${zone}`
}

const isTimeZone = cached(1000, (zone: string): boolean => {
  // Offsets such as +01:00 are time zones to JavaScript, but not to Go.
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
    // JavaScript ignores the case of names, Go does not; an alias is resolved to another name and cannot be compared.
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase()
  } catch {
    return false
  }
})
