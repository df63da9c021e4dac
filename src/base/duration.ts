// Durations as users write them.

/** Milliseconds, or a string in Go's format: `250ms`, `90s`, `1h30m`, `2d`. */
export type Duration = number | string

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export function parseDurationMs(duration: Duration): number {
  if (typeof duration === 'number') return duration
  const ms = readDurationMs(duration)
  if (ms === undefined) throw new Error(`Cannot read duration "${duration}": write it like 250ms, 90s, 1h30m or 2d`)
  return ms
}

/** Undefined for an invalid duration. */
export function readDurationMs(text: string): number | undefined {
  if (!/^(?:[0-9]+(?:\.[0-9]+)?(?:ms|[smhd]))+$/.test(text.trim())) return undefined
  const pieces = [...text.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|[smhd])/g)]
  return pieces.reduce((sum, [, count, unit]) => sum + Number(count) * unitsMs[unit!]!, 0)
}
