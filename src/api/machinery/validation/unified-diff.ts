// The difference of two texts, line by line, in the form of `diff -u`. The matching is that of Python's difflib, which
// Kubernetes uses for its messages: the same texts give the same lines.
// Kubernetes: k8s.io/apimachinery/pkg/util/diff.Diff
import { getOrAdd } from '../../../base/maps.ts'

interface Match {
  readonly a: number
  readonly b: number
  readonly size: number
}

const contextLines = 3

/** Empty when the texts are equal. */
export function unifiedDiff(from: string, to: string): string {
  const a = from.split('\n')
  const b = to.split('\n')
  let text = ''
  for (const group of groups(matchingBlocks(a, b), a.length, b.length)) text += printGroup(group, a, b)
  return text
}

interface Change {
  readonly isEqual: boolean
  readonly aStart: number
  readonly aEnd: number
  readonly bStart: number
  readonly bEnd: number
}

function printGroup(group: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const first = group[0]!
  const last = group.at(-1)!
  let text = `@@ -${range(first.aStart, last.aEnd)} +${range(first.bStart, last.bEnd)} @@\n`
  for (const { isEqual, aStart, aEnd, bStart, bEnd } of group) {
    for (const line of a.slice(aStart, aEnd)) text += `${isEqual ? ' ' : '-'}${line}\n`
    if (!isEqual) for (const line of b.slice(bStart, bEnd)) text += `+${line}\n`
  }
  return text
}

function range(start: number, end: number): string {
  const length = end - start
  if (length === 1) return `${start + 1}`
  return `${length === 0 ? start : start + 1},${length}`
}

/** Changes with up to three equal lines around them; what is farther apart than twice that is in groups of its own. */
function groups(matches: readonly Match[], aLength: number, bLength: number): Change[][] {
  const changes: Change[] = []
  let a = 0
  let b = 0
  for (const match of [...matches, { a: aLength, b: bLength, size: 0 }]) {
    if (a < match.a || b < match.b) changes.push({ isEqual: false, aStart: a, aEnd: match.a, bStart: b, bEnd: match.b })
    a = match.a + match.size
    b = match.b + match.size
    if (match.size > 0) changes.push({ isEqual: true, aStart: match.a, aEnd: a, bStart: match.b, bEnd: b })
  }
  const result: Change[][] = []
  let group: Change[] = []
  for (const [index, change] of changes.entries()) {
    const length = change.aEnd - change.aStart
    if (!change.isEqual) {
      group.push(change)
      continue
    }
    const isFirst = index === 0
    const isLast = index === changes.length - 1
    if (!isFirst && !isLast && length <= 2 * contextLines) {
      group.push(change)
      continue
    }
    if (!isFirst) {
      group.push({
        ...change,
        aEnd: Math.min(change.aEnd, change.aStart + contextLines),
        bEnd: Math.min(change.bEnd, change.bStart + contextLines),
      })
      result.push(group)
    }
    group = isLast
      ? []
      : [
          {
            ...change,
            aStart: Math.max(change.aStart, change.aEnd - contextLines),
            bStart: Math.max(change.bStart, change.bEnd - contextLines),
          },
        ]
  }
  if (group.some(({ isEqual }) => !isEqual)) result.push(group)
  return result.filter((one) => one.some(({ isEqual }) => !isEqual))
}

function matchingBlocks(a: readonly string[], b: readonly string[]): Match[] {
  const placesInB = new Map<string, number[]>()
  for (const [index, line] of b.entries()) getOrAdd(placesInB, line, () => []).push(index)
  // Lines that occur very often do not help to align the texts.
  if (b.length >= 200) {
    const most = Math.floor(b.length / 100) + 1
    for (const [line, places] of placesInB) if (places.length > most) placesInB.delete(line)
  }
  const found: Match[] = []
  const queue: [number, number, number, number][] = [[0, a.length, 0, b.length]]
  while (queue.length > 0) {
    const [aStart, aEnd, bStart, bEnd] = queue.pop()!
    const match = longestMatch(a, b, placesInB, aStart, aEnd, bStart, bEnd)
    if (match.size === 0) continue
    found.push(match)
    if (aStart < match.a && bStart < match.b) queue.push([aStart, match.a, bStart, match.b])
    if (match.a + match.size < aEnd && match.b + match.size < bEnd) queue.push([match.a + match.size, aEnd, match.b + match.size, bEnd])
  }
  found.sort((one, other) => one.a - other.a)
  const joined: Match[] = []
  for (const match of found) {
    const before = joined.at(-1)
    if (before !== undefined && before.a + before.size === match.a && before.b + before.size === match.b)
      joined[joined.length - 1] = { ...before, size: before.size + match.size }
    else joined.push(match)
  }
  return joined
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  placesInB: ReadonlyMap<string, readonly number[]>,
  aStart: number,
  aEnd: number,
  bStart: number,
  bEnd: number,
): Match {
  let best: Match = { a: aStart, b: bStart, size: 0 }
  let lengths = new Map<number, number>()
  for (let index = aStart; index < aEnd; index++) {
    const next = new Map<number, number>()
    for (const place of placesInB.get(a[index]!) ?? []) {
      if (place < bStart) continue
      if (place >= bEnd) break
      const size = (lengths.get(place - 1) ?? 0) + 1
      next.set(place, size)
      if (size > best.size) best = { a: index - size + 1, b: place - size + 1, size }
    }
    lengths = next
  }
  let { a: aAt, b: bAt, size } = best
  while (aAt > aStart && bAt > bStart && a[aAt - 1] === b[bAt - 1]) {
    aAt--
    bAt--
    size++
  }
  while (aAt + size < aEnd && bAt + size < bEnd && a[aAt + size] === b[bAt + size]) size++
  return { a: aAt, b: bAt, size }
}
