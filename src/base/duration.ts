// Durations as users write them, as Go prints them, and as people read them in tables. CEL's are exact (api/machinery/cel/time.ts).

/** Milliseconds, or a string in Go's format: `250ms`, `90s`, `1h30m`, `2d`. */
export type Duration = number | string

const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
const piece = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|[u\u00b5\u03bc]s|ms|s|m|h|d)/y

export function parseDurationMs(duration: Duration): number {
  if (typeof duration === 'number') return duration
  const ms = readDurationMs(duration)
  if (ms === undefined) throw new Error(`Cannot read duration "${duration}": write it like 250ms, 90s, 1h30m or 2d`)
  return ms
}

/** The sum of numbers with units, as in Go, or in days. Undefined for any other text. */
export function readDurationMs(text: string): number | undefined {
  const trimmed = text.trim()
  let ms = 0
  piece.lastIndex = 0
  do {
    const match = piece.exec(trimmed)
    if (match === null) return undefined
    ms += Number(match[1]) * unitsMs[match[2]!]!
  } while (piece.lastIndex < trimmed.length)
  return ms
}

/** The same; a bare number is in seconds. */
export function readSecondsOrDurationMs(text: string): number | undefined {
  const trimmed = text.trim()
  return /^[0-9]+(\.[0-9]+)?$/.test(trimmed) ? Number(trimmed) * 1000 : readDurationMs(trimmed)
}

/** The format of Go: `10s`, `1m20s`, `5m0s`, `250ms`. */
export function formatGoDuration(ms: number): string {
  if (ms < 1000) return ms === 0 ? '0s' : `${Math.round(ms)}ms`
  const seconds = Math.round(ms) / 1000
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = Number((seconds % 60).toFixed(3))
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${rest}s`
}

// Times as people read them in a table: two units at the most, fewer as they grow.

/** `12s`, `3m4s`, `25m`, `5h7m`, `3d4h`, `2y10d`. A little in the future counts as now. */
export function formatHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 192) return two(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  if (hours < 24 * 365 * 8) return two(years, 'y', days % 365, 'd')
  return `${years}y`
}

const two = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`

/** How long ago the time was. */
export function formatAge(time: string | undefined | null, nowMs: number): string {
  return time === undefined || time === null ? '<unknown>' : formatHumanDuration(nowMs - Date.parse(time))
}
