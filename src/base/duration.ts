// Durations as users write them.

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
