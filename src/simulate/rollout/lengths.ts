// Lengths of time and shares, as people write and read them.
import { readDurationMs } from '../../base/duration.ts'

/** `250ms`, `90s`, `1h30m`, `2d`; undefined for anything else. */
export function parseLengthMs(text: string): number | undefined {
  return text.trim() === '0' ? 0 : readDurationMs(text)
}

/** `20s`, `20s±5s`, `20s+-5s`, in the form that pods carry; undefined for anything else. */
export function readSpread(text: string): string | undefined {
  const [length = '', spread, ...more] = text.split(/±|\+-|\+\/-/).map((piece) => piece.trim())
  const ms = parseLengthMs(length)
  const spreadMs = spread === undefined ? 0 : parseLengthMs(spread)
  if (ms === undefined || spreadMs === undefined || more.length > 0 || spreadMs > ms) return undefined
  return spreadMs === 0 ? length : `${length}±${spread}`
}

/** `850ms`, `4.2s`, `1m 05s`, `2h 03m`. */
export function formatLength(ms: number): string {
  if (ms < 1000) return ms === 0 ? '0s' : `${Math.round(ms)}ms`
  if (ms < 59_950) return `${trimZero((ms / 1000).toFixed(1))}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`
}

const pad = (count: number) => String(count).padStart(2, '0')
const trimZero = (text: string) => (text.endsWith('.0') ? text.slice(0, -2) : text)

/** A share of 1 in per cent that should be none: `0.02%`. Never rounded down to 0%. */
export function formatLost(share: number): string {
  const percent = Math.ceil(share * 10_000 - 1e-9) / 100
  return `${percent}%`
}

/** A share of 1 in per cent: `97.5%`. Never rounded up to 100%. */
export function formatShare(share: number): string {
  const percent = Math.floor(share * 1000 + 1e-9) / 10
  return `${trimZero(percent.toFixed(1))}%`
}
