// The time of a cluster that is kept in a directory: that of the wall, or one of its own. It never goes back, also not
// from one run to the next: what is stored has always happened already.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AdjustableClock } from '../base/adjustable-clock.ts'
import { type Clock, formatMicroTime, parseTime, realClock } from '../base/clock.ts'
import { writePrivately } from './credentials.ts'

export interface TimeOptions {
  /** How much faster than the wall clock. Absent: with it. */
  readonly speed?: number
  readonly isPaused?: boolean
  /** When the life of the cluster begins. Later runs begin where the one before ended, if that is later. */
  readonly startMs?: number
}

export interface ClusterTime {
  readonly clock: Clock
  /** The same, where it can be paused and stepped. */
  readonly adjustable: AdjustableClock | undefined
  /** Where its life goes on. */
  readonly startMs: number
  stop(): void
}

export interface ClusterTimeOptions extends TimeOptions {
  readonly dataDir: string
  /** Nothing is kept from one run to the next. */
  readonly inMemory: boolean
  /** Whether nothing is stored yet. */
  readonly isNew: boolean
  whenIdle(): Promise<unknown> | undefined
}

/** The file says how far time may have come. It is written so much ahead, in real time: a run that is killed is continued after it. */
const aheadMs = 2000
const markFile = 'clock'

export function openClusterTime(options: ClusterTimeOptions): ClusterTime {
  const { dataDir, inMemory, isNew, speed, isPaused, whenIdle } = options
  const path = join(dataDir, markFile)
  const wallMs = realClock.now()
  const keptMs = inMemory || isNew ? undefined : readMark(path)
  const isWall = speed === undefined && isPaused !== true && options.startMs === undefined
  if (isWall && (keptMs === undefined || keptMs <= wallMs)) return { clock: realClock, adjustable: undefined, startMs: wallMs, stop() {} }
  // Without a mark, what is stored was stored by the wall clock.
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
  if (Number.isNaN(ms)) throw new Error(`Cannot read ${JSON.stringify(path)}: it must hold a time like 2026-01-01T00:00:00.000000Z`)
  return ms
}
