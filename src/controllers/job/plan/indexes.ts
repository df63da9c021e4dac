// Sets of completion indexes as sorted intervals: the status of a Job with a million indexes has a few characters.
// Kubernetes: pkg/controller/job.orderedIntervals.*, parseIndexesFromString, firstPendingIndexes, calculateSucceededIndexes
// Kubernetes: pkg/controller/job.calculateFailedIndexes
import type { Interval } from '../../../api/kinds/batch/job/indexes.ts'

/** Sorted, and not adjacent. */
export type Indexes = readonly Interval[]

export const noIndexes: Indexes = []

/** Parses `1,3-5`. Invalid parts and indexes from `completions` on are ignored. */
export function parseIndexes(text: string | undefined, completions: number): Indexes {
  if (text === undefined || text === '') return noIndexes
  const found: { first: number; last: number }[] = []
  for (const part of text.split(',')) {
    const limits = part.split('-')
    const first = readInteger(limits[0])
    const end = limits.length > 1 ? readInteger(limits[1]) : first
    if (first === undefined) continue
    if (first >= completions) break
    if (end === undefined) continue
    const last = Math.min(end, completions - 1)
    const previous = found.at(-1)
    if (previous !== undefined && previous.last === first - 1) previous.last = last
    else found.push({ first, last })
  }
  return found
}

const readInteger = (text: string | undefined) => (text !== undefined && /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined)

/** `1,3-5,7,8`: two adjacent indexes are separated by a comma. */
export function formatIndexes(indexes: Indexes): string {
  return indexes
    .map(({ first, last }) => (first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`))
    .join(',')
}

export function countOf(indexes: Indexes): number {
  let count = 0
  for (const { first, last } of indexes) count += last - first + 1
  return count
}

export function hasIndex(indexes: Indexes, index: number): boolean {
  let low = 0
  let high = indexes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (indexes[middle]!.last >= index) high = middle
    else low = middle + 1
  }
  return low < indexes.length && indexes[low]!.first <= index
}

export function mergeIndexes(a: Indexes, b: Indexes): Indexes {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const merged: { first: number; last: number }[] = []
  let at = 0
  let against = 0
  while (at < a.length || against < b.length) {
    const fromA = against >= b.length || (at < a.length && a[at]!.first < b[against]!.first)
    const next = fromA ? a[at++]! : b[against++]!
    const last = merged.at(-1)
    if (last === undefined || next.first > last.last + 1) merged.push({ ...next })
    else if (last.last < next.last) last.last = next.last
  }
  return merged
}

/** The set with these indexes added. */
export function withIndexes(indexes: Indexes, more: Iterable<number>): Indexes {
  const sorted = [...new Set(more)].sort((a, b) => a - b)
  const added: { first: number; last: number }[] = []
  for (const index of sorted) {
    const last = added.at(-1)
    if (last !== undefined && last.last === index - 1) last.last = index
    else added.push({ first: index, last: index })
  }
  return mergeIndexes(indexes, added)
}

/** The lowest `count` indexes below `completions` that are not in `taken`. */
export function firstFreeIndexes(taken: Indexes, count: number, completions: number): number[] {
  const free: number[] = []
  let candidate = 0
  for (const { first, last } of taken) {
    for (; candidate < first && candidate < completions && free.length < count; candidate++) free.push(candidate)
    candidate = Math.max(candidate, last + 1)
  }
  for (; candidate < completions && free.length < count; candidate++) free.push(candidate)
  return free
}

/** The size of the intersection. */
export function countCommon(a: Indexes, b: Indexes): number {
  let common = 0
  let at = 0
  let against = 0
  while (at < a.length && against < b.length) {
    const one = a[at]!
    const other = b[against]!
    common += Math.max(0, Math.min(one.last, other.last) - Math.max(one.first, other.first) + 1)
    if (one.last <= other.last) at++
    if (other.last <= one.last) against++
  }
  return common
}
