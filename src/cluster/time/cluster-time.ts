// The clock of a cluster with a data directory: the wall clock, or an adjustable one. Time never goes back, not even from one
// run to the next: a stored time is never in the future.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdjustableClock } from '../../base/adjustable-clock.ts'
import { type Clock, formatMicroTime, parseTime, realClock } from '../../base/clock.ts'
import { writePrivately } from '../credentials/credentials.ts'

export interface TimeOptions {
  /** How many times faster than the wall clock. Default 1. */
  readonly speed?: number | undefined
  readonly isPaused?: boolean | undefined
  /** The time at which a new cluster starts. A later run continues where the previous one ended, if that is later. */
  readonly startMs?: number | undefined
}

interface ClusterTime {
  readonly clock: Clock
  /** The same clock, where it can be paused and stepped. */
  readonly adjustable: AdjustableClock | undefined
  /** The cluster time of this start. */
  readonly startMs: number
  stop(): void
}

export interface ClusterTimeOptions extends TimeOptions {
  readonly dataDir: string
  /** Nothing is stored from one run to the next. */
  readonly inMemory: boolean
  /** Whether nothing is stored yet. */
  readonly isNew: boolean
  whenIdle(): Promise<unknown> | undefined
}

/**
 * The mark in the file is a time that the clock has not reached yet: it is written this much ahead, in real time. A run after a
 * crash continues after the mark.
 */
const aheadMs = 2000
export const markFile = 'clock'

export function openClusterTime(options: ClusterTimeOptions): ClusterTime {
  const { dataDir, inMemory, isNew, speed, isPaused, whenIdle } = options
  const path = join(dataDir, markFile)
  const wallMs = realClock.now()
  const keptMs = inMemory || isNew ? undefined : readMark(path)
  const isWall = speed === undefined && isPaused !== true && options.startMs === undefined
  if (isWall && (keptMs === undefined || keptMs <= wallMs)) return { clock: realClock, adjustable: undefined, startMs: wallMs, stop() {} }
  // Without a mark, the stored objects were written by the wall clock.
  const earliestMs = keptMs ?? (isNew ? Number.NEGATIVE_INFINITY : wallMs)
  const startMs = Math.max(options.startMs ?? wallMs, earliestMs)
  const pace = speed ?? 1
  const keep = (ms: number) => writePrivately(path, `${formatMicroTime(ms)}\n`)
  const clock = new AdjustableClock({
    startMs,
    speed: pace,
    ...(isPaused !== undefined && { isPaused }),
    whenIdle,
    ...(!inMemory && {
      extendMark(nowMs: number) {
        const markMs = Math.ceil(nowMs + aheadMs * pace)
        keep(markMs)
        return markMs
      },
    }),
  })
  return {
    clock,
    adjustable: clock,
    startMs,
    stop() {
      clock.stop()
      if (!inMemory) keep(clock.now() + 1)
    },
  }
}

function readMark(path: string): number | undefined {
  if (!existsSync(path)) return undefined
  const ms = parseTime(readFileSync(path, 'utf8').trim())
  if (Number.isNaN(ms))
    throw new Error(
      `Cannot read ${JSON.stringify(path)}: it does not contain a time such as 2026-01-01T00:00:00.000000Z. Delete it to continue with the wall clock.`,
    )
  return ms
}
