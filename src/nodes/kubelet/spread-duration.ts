// Durations with a spread, as annotations have them: `20s±5s` (or `20s+-5s`).
// Ours: the format of durations in our annotations.
import { cached } from '../../base/cached.ts'
import { readSecondsOrDurationMs } from '../../base/duration.ts'
import type { Random } from '../../base/random.ts'

export interface SpreadDuration {
  readonly ms: number
  /** The duration is uniformly distributed between `ms - spreadMs` and `ms + spreadMs`. */
  readonly spreadMs: number
}

/** Undefined for any other format. Cached: most pods share a few values. */
export const parseSpread = cached(1000, (text: string): SpreadDuration | undefined => {
  const [length = '', spread, ...more] = text.split(/±|\+-|\+\/-/)
  const ms = readSecondsOrDurationMs(length)
  const spreadMs = spread === undefined ? 0 : readSecondsOrDurationMs(spread)
  if (ms === undefined || spreadMs === undefined || more.length > 0) return undefined
  return { ms, spreadMs }
})

/** A random duration within the spread, in whole milliseconds. */
export function pickMs({ ms, spreadMs }: SpreadDuration, random: Random): number {
  if (spreadMs === 0) return Math.round(ms)
  return Math.max(0, Math.round(ms + (random.next() * 2 - 1) * spreadMs))
}
