// What a simulation is held to: `peakPods <= 13`, `availability >= 90%`, `completesWithin 10m`.
import { didYouMean } from '../../base/closest-name.ts'
import { formatLength, formatShare, parseLengthMs } from './lengths.ts'
import type { Place, Target } from './plan.ts'
import type { Measures, Policy } from './result.ts'

const comparisons = ['<=', '>=', '==', '!=', '<', '>'] as const
type Comparison = (typeof comparisons)[number]

export interface Expectation {
  /** Absent: every policy. */
  readonly policy?: Policy
  /** Absent: all workloads together. */
  readonly workload?: Target
  /** As it was written. */
  readonly text: string
  readonly measure: MeasureName
  readonly comparison: Comparison
  /** A number (milliseconds, a share of 1), or another measure and what is added to it. */
  readonly than: number | { readonly measure: MeasureName; readonly plus: number }
  readonly place?: Place
}

type Unit = 'count' | 'ms' | 'share' | 'flag'

interface MeasureText {
  readonly unit: Unit
  read(measures: Measures): number | undefined
}

const measureTexts = {
  peakPods: { unit: 'count', read: ({ peakPods }) => peakPods },
  cap: { unit: 'count', read: ({ cap }) => cap },
  peakOverCap: { unit: 'count', read: ({ peakOverCap }) => peakOverCap },
  availableAfter: { unit: 'ms', read: ({ availableAfterMs }) => availableAfterMs },
  oldGoneAfter: { unit: 'ms', read: ({ oldGoneAfterMs }) => oldGoneAfterMs },
  completeAfter: { unit: 'ms', read: ({ completeAfterMs }) => completeAfterMs },
  completes: { unit: 'flag', read: ({ completeAfterMs }) => (completeAfterMs === undefined ? 0 : 1) },
  drainedAfter: { unit: 'ms', read: ({ drainedAfterMs }) => drainedAfterMs },
  availability: { unit: 'share', read: ({ lowestAvailability }) => lowestAvailability },
  podSeconds: { unit: 'count', read: ({ podSeconds }) => podSeconds },
  peakNodes: { unit: 'count', read: ({ peakNodes }) => peakNodes },
  nodeMinutes: { unit: 'count', read: ({ nodeMinutes }) => nodeMinutes },
  cost: { unit: 'count', read: ({ cost }) => cost },
  matchedNoNode: { unit: 'count', read: ({ matchedNoNode }) => matchedNoNode },
  waitedForRoom: { unit: 'count', read: ({ waitedForRoom }) => waitedForRoom },
  deadlinesPassed: { unit: 'count', read: ({ deadlinesPassed }) => deadlinesPassed },
  peakWaiting: { unit: 'count', read: ({ peakWaiting = 0 }) => peakWaiting },
  lostLoad: { unit: 'share', read: ({ lostLoad }) => lostLoad },
  lostRequests: { unit: 'count', read: ({ lostRequests }) => lostRequests },
  smallestSize: { unit: 'count', read: ({ smallestSize }) => smallestSize },
  largestSize: { unit: 'count', read: ({ largestSize }) => largestSize },
  rescales: { unit: 'count', read: ({ rescales }) => rescales },
  oscillations: { unit: 'count', read: ({ oscillations }) => oscillations },
  neededDeadline: { unit: 'ms', read: ({ neededDeadlineMs }) => neededDeadlineMs },
} as const satisfies Record<string, MeasureText>

type MeasureName = keyof typeof measureTexts
const measureNames = Object.keys(measureTexts) as readonly MeasureName[]

const isMeasure = (name: string): name is MeasureName => Object.hasOwn(measureTexts, name)

/** Returns a string where the text is wrong: the message. */
export function parseExpectation(text: string): Expectation | string {
  const within = /^\s*completesWithin\s*:?\s*(\S+)\s*$/.exec(text)
  if (within !== null) return completesWithin(within[1]!)
  const match = /^\s*([A-Za-z]+)\s*(<=|>=|==|!=|<|>|=)\s*(.+?)\s*$/.exec(text)
  if (match === null) return `cannot read expectation "${text}". Write an expression such as "peakPods <= 13"`
  const [, name = '', comparison, value = ''] = match
  if (!isMeasure(name))
    return `unknown measure "${name}".${didYouMean(name, [...measureNames, 'completesWithin'])} The measures are ${measureNames.join(', ')}`
  if (comparison === '=') return `cannot read expectation "${text}". Write == for equal`
  const than = parseValue(value, measureTexts[name].unit)
  if (typeof than === 'string') return `cannot compare ${name} with "${value}". ${than}`
  return { text: text.trim(), measure: name, comparison: comparison as Comparison, than }
}

/** Another form of `completeAfter <= 10m`, reported in its own words. */
export function completesWithin(value: string): Expectation | string {
  const than = parseValue(value, 'ms')
  if (typeof than === 'string') return `cannot read expectation "completesWithin ${value}". ${than}`
  return { text: `completesWithin ${value}`, measure: 'completeAfter', comparison: '<=', than }
}

function parseValue(text: string, unit: Unit): Expectation['than'] | string {
  const sum = /^([A-Za-z]+)(?:\s*([+-])\s*([0-9]+))?$/.exec(text)
  const name = sum?.[1] ?? ''
  if (sum !== null && isMeasure(name)) {
    if (measureTexts[name].unit !== unit) return `${name} has another unit`
    return { measure: name, plus: Number(sum[3] ?? 0) * (sum[2] === '-' ? -1 : 1) }
  }
  if (sum !== null && text !== 'true' && text !== 'false') {
    const meant = didYouMean(name, measureNames)
    if (meant !== '') return `There is no measure "${name}".${meant}`
  }
  if (unit === 'flag') return text === 'true' ? 1 : text === 'false' ? 0 : 'Write true or false'
  if (unit === 'ms') return parseLengthMs(text) ?? 'Write a duration such as 90s or 10m'
  if (unit === 'share') {
    const percent = /^([0-9]+(?:\.[0-9]+)?)\s*%$/.exec(text)
    if (percent !== null) return Number(percent[1]) / 100
    return /^(0(\.[0-9]+)?|1(\.0+)?)$/.test(text) ? Number(text) : 'Write a share such as 90% or 0.9'
  }
  return /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : 'Write a number'
}

const holds: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
}

/** Undefined: the expectation is met. Otherwise the actual value, in words. A measure without a value meets no expectation. */
export function findBreach({ measure, comparison, than }: Expectation, measures: Measures): string | undefined {
  const value = measureTexts[measure].read(measures)
  if (value === undefined) return 'it did not happen within the run'
  const other = typeof than === 'number' ? than : (measureTexts[than.measure].read(measures) ?? Number.NaN) + than.plus
  if (holds[comparison](value, other)) return undefined
  const { unit } = measureTexts[measure]
  const against = typeof than === 'number' ? '' : `, ${than.measure} is ${formatValue(other - than.plus, unit)}`
  return `it is ${formatValue(value, unit)}${against}`
}

/** Whether an expectation is about the completion of all workloads: then it decides, and completion is not expected besides. */
export const asksForCompletion = (expectations: readonly Expectation[]): boolean =>
  expectations.some(({ measure, workload }) => workload === undefined && (measure === 'completes' || measure === 'completeAfter'))

/** By how much an expectation is missed, as a share of what is expected. 0: it is met. */
export function missOf(expectation: Expectation, measures: Measures): number {
  if (findBreach(expectation, measures) === undefined) return 0
  const { measure, than } = expectation
  const value = measureTexts[measure].read(measures)
  const other = typeof than === 'number' ? than : (measureTexts[than.measure].read(measures) ?? Number.NaN) + than.plus
  return value === undefined || Number.isNaN(other) ? Number.POSITIVE_INFINITY : Math.abs(value - other) / Math.max(Math.abs(other), 1)
}

function formatValue(value: number, unit: Unit): string {
  if (unit === 'ms') return formatLength(value)
  if (unit === 'share') return formatShare(value)
  if (unit === 'flag') return value === 1 ? 'true' : 'false'
  return String(Math.round(value * 100) / 100)
}
