// Lengths of time and shares, as people write and read them.

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const shape = /^(?:[0-9]+(?:\.[0-9]+)?(?:ms|[smhd]))+$/

/** `250ms`, `90s`, `1h30m`, `2d`; undefined for anything else. */
export function parseLengthMs(text: string): number | undefined {
  if (text.trim() === '0') return 0
  if (!shape.test(text.trim())) return undefined
  let sum = 0
  for (const [, count, unit] of text.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|[smhd])/g)) sum += Number(count) * unitsMs[unit!]!
  return sum
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
