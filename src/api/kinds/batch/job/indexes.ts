// Lists of completion indexes in their text form: `1,3-5,7`.
// Kubernetes: pkg/apis/batch/validation.validateIndexesFormat, parseIndexInterval, validateFailedIndexesNotOverlapCompleted
import { goQuote } from '../../../machinery/go-text.ts'

export interface Interval {
  readonly first: number
  readonly last: number
}

/** A number of Go's int: digits with an optional sign. */
const readInt = (text: string): number | undefined => {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

const outOfOrder = (previous: number, current: number) => `non-increasing order, previous: ${previous}, current: ${current}`

/** The interval, or Kubernetes' error message. */
function readInterval(text: string, completions: number): Interval | string {
  const limits = text.split('-')
  if (limits.length > 2)
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`
  const numbers: number[] = []
  for (const limit of limits) {
    const number = readInt(limit)
    if (number === undefined) return `cannot convert string to integer for index: ${goQuote(limit)}`
    if (number >= completions) return `too large index: ${goQuote(limit)}`
    numbers.push(number)
  }
  const first = numbers[0] ?? 0
  const last = numbers[1] ?? first
  return numbers.length === 2 && first >= last ? outOfOrder(first, last) : { first, last }
}

/** The number of indexes in the list, or an error message. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0
  let total = 0
  let previous: number | undefined
  for (const part of text.split(',')) {
    const interval = readInterval(part, completions)
    if (typeof interval === 'string') return interval
    if (previous !== undefined && previous >= interval.first) return outOfOrder(previous, interval.first)
    total += interval.last - interval.first + 1
    previous = interval.last
  }
  return total
}

/** The first index that is in both lists, or undefined. Parts that cannot be parsed are skipped. */
export function firstCommonIndex(completed: string, failed: string, completions: number): number | undefined {
  if (completed === '' || failed === '') return undefined
  const read = (text: string) =>
    text
      .split(',')
      .map((part) => readInterval(part, completions))
      .filter((interval) => typeof interval !== 'string')
  const left = read(completed)
  const right = read(failed)
  let at = 0
  let against = 0
  while (at < left.length && against < right.length) {
    const one = left[at]!
    const other = right[against]!
    if (one.first <= other.last && other.first <= one.last) return Math.max(one.first, other.first)
    if (one.first <= other.first) at++
    else against++
  }
  return undefined
}
