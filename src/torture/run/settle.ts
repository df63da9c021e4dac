// Waits until nothing moves any more. That is decided by what the program and the cluster do: no request is under way, every byte on the program's connections
// has been read, its threads are asleep, no timer wakes one soon, and then neither the program nor the virtual time of the cluster changes anything.
import type { AdjustableClock } from '../../base/adjustable-clock.ts'
import { realClock, sleep } from '../../base/clock.ts'
import type { Observer } from './observer.ts'
import { areSocketsDrained, type Program } from './program.ts'

interface SettleOptions {
  readonly observer: Observer
  readonly clock: AdjustableClock
  readonly port: number
  /** Whether the timers of the program say when it goes on: then the time until then need not pass. */
  readonly trustsTimers: boolean
  programs(): readonly Program[]
  /** Whether the step is still being carried out. */
  isBusy(): boolean
}

const intervalMs = 5
/** So many times in a row no thread has run. */
const stillTimes = 3
/** So many times in a row the threads are asleep, though they may have run in between: those of a garbage collector wake up for a moment. */
const asleepTimes = 4
/** How long everything must be calm before the cluster's time moves on. */
const calmMs = 25
/** Cluster time in which nothing changes before the cluster counts as settled. */
const idleClusterMs = 60_000
/** Controllers that requeue for ever must not hold a run up. */
const maxClusterMs = 20 * 60_000

export class Settling {
  readonly #options: SettleOptions
  /** When a timer wakes the program, in milliseconds, when it last settled. Undefined: unknown. */
  dueMs: number | undefined
  /** How often the program went on though no timer was due. */
  unforeseenWakeups = 0

  constructor(options: SettleOptions) {
    this.#options = options
  }

  /** Resolves to whether it settled: nothing happened for `windowMs`, or no timer would end before, within `limitMs` of real time. */
  async settle(windowMs: number, limitMs: number): Promise<boolean> {
    const { observer, clock } = this.#options
    const endMs = realClock.now() + limitMs
    let clusterMs = 0
    let isIdle = false
    while (realClock.now() < endMs) {
      const wantedMs = isIdle ? windowMs : Math.min(calmMs, windowMs)
      const changes = observer.changes.length
      if (!(await this.#calm(wantedMs, endMs))) return false
      if (isIdle && observer.changes.length === changes) return true
      isIdle = false
      if (clusterMs >= maxClusterMs) return true
      const before = observer.changes.length
      const startMs = clock.now()
      await clock.stepBy(idleClusterMs, { isDone: () => observer.changes.length > before || observer.inFlight > 0 })
      clusterMs += clock.now() - startMs
      isIdle = observer.changes.length === before && observer.inFlight === 0
    }
    return false
  }

  /** Resolves when there was no activity for `ms`, or there can be none; to false where the time is over. */
  async #calm(ms: number, endMs: number): Promise<boolean> {
    const { observer, trustsTimers, port } = this.#options
    const startMs = realClock.now()
    let still = 0
    let asleep = 0
    /** The last activity before no timer was due. */
    let expectedLastMs: number | undefined
    for (;;) {
      await sleep(realClock, intervalMs)
      const nowMs = realClock.now()
      if (nowMs > endMs) return false
      const sinceMs = Math.max(startMs, observer.lastActivityMs)
      if (expectedLastMs !== undefined && sinceMs > expectedLastMs) {
        this.unforeseenWakeups++
        expectedLastMs = undefined
      }
      const restMs = ms - (nowMs - sinceMs)
      const { isAsleep, hasRun, dueMs } = this.#observe()
      asleep = isAsleep ? asleep + 1 : 0
      still = isAsleep && !hasRun ? still + 1 : 0
      const isOver = asleep >= asleepTimes && restMs <= 0
      const isForeseen = still >= stillTimes && dueMs !== undefined && dueMs > restMs
      if (!(isOver || isForeseen) || !areSocketsDrained(port)) continue
      this.dueMs = dueMs
      if (isOver || trustsTimers) return true
      expectedLastMs = sinceMs
    }
  }

  #observe(): { readonly isAsleep: boolean; readonly hasRun: boolean; readonly dueMs: number | undefined } {
    const { observer, programs, isBusy } = this.#options
    let isAsleep = !isBusy() && observer.inFlight === 0
    let hasRun = false
    let dueMs: number | undefined = Number.POSITIVE_INFINITY
    // While a request is under way the threads need not be read.
    if (!isAsleep) return { isAsleep, hasRun: true, dueMs: undefined }
    for (const program of programs()) {
      const activity = program.activity()
      isAsleep &&= activity?.isAsleep !== false
      hasRun ||= activity?.hasRun === true
      dueMs = dueMs === undefined || activity?.dueMs === undefined ? undefined : Math.min(dueMs, activity.dueMs)
    }
    return { isAsleep, hasRun, dueMs }
  }
}
