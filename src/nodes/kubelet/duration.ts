// Durations in annotations: the format of Go (`1m30s`, `250ms`), optionally with a spread: `20s±5s` (or `20s+-5s`).
// Ours: the format of durations in our annotations.
import { cached } from '../../base/cached.ts'
import { readDurationMs } from '../../base/duration.ts'
import type { Random } from '../../base/random.ts'

export interface Duration {
  readonly ms: number
  /** The duration is uniformly distributed between `ms - spreadMs` and `ms + spreadMs`. */
  readonly spreadMs: number
}

/** Milliseconds of `1h2m3.5s`; a bare number is in seconds. Undefined for any other format. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  return /^[0-9]+(\.[0-9]+)?$/.test(trimmed) ? Number(trimmed) * 1000 : readDurationMs(trimmed)
}

/** Undefined for any other format. Cached: most pods share a few values. */
export const parseSpread = cached(1000, (text: string): Duration | undefined => {
  const [length = '', spread, ...more] = text.split(/±|\+-|\+\/-/)
  const ms = parseDuration(length)
  const spreadMs = spread === undefined ? 0 : parseDuration(spread)
  if (ms === undefined || spreadMs === undefined || more.length > 0) return undefined
  return { ms, spreadMs }
})

/** A random duration within the spread, in whole milliseconds. */
export function pickMs({ ms, spreadMs }: Duration, random: Random): number {
  if (spreadMs === 0) return Math.round(ms)
  return Math.max(0, Math.round(ms + (random.next() * 2 - 1) * spreadMs))
}

/** The format of Go: `10s`, `1m20s`, `5m0s`, `250ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return ms === 0 ? '0s' : `${Math.round(ms)}ms`
  const seconds = Math.round(ms) / 1000
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = Number((seconds % 60).toFixed(3))
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${rest}s`
}
