// Waits until nothing moves any more. That is decided by what the program and the cluster do: no request is under way, every byte on the program's connections
// has been read, its threads are asleep, and then neither it nor the virtual time of the cluster changes anything.
import type { AdjustableClock } from '../../base/adjustable-clock.ts'
import { realClock, sleep } from '../../base/clock.ts'
import type { Observer } from './observer.ts'
import { areSocketsDrained, type Program } from './program.ts'

interface SettleOptions {
  readonly observer: Observer
  readonly clock: AdjustableClock
  readonly port: number
  programs(): readonly Program[]
  /** Whether the step is still being carried out. */
  isBusy(): boolean
}

const lookMs = 6
/** So many looks in a row must find the program asleep. */
const looks = 4
/** How long everything must be calm before the cluster's time moves on. */
const calmMs = 25
/** Cluster time in which nothing changes before the cluster counts as settled. */
const idleClusterMs = 60_000
/** Controllers that requeue for ever must not hold a run up. */
const maxClusterMs = 20 * 60_000

export class Settling {
  readonly #options: SettleOptions

  constructor(options: SettleOptions) {
    this.#options = options
  }

  /** Resolves to whether it settled: nothing happened for `windowMs`, within `limitMs` of real time. */
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

  /** Resolves when there was no activity for `ms`; to false where the time is over. */
  async #calm(ms: number, endMs: number): Promise<boolean> {
    const { observer } = this.#options
    const startMs = realClock.now()
    let calmLooks = 0
    for (;;) {
      await sleep(realClock, lookMs)
      const nowMs = realClock.now()
      const restMs = ms - (nowMs - Math.max(startMs, observer.lastActivityMs))
      // Only the last looks count: a thread that wakes up for a moment, as those of a garbage collector do, is no activity.
      calmLooks = restMs <= looks * lookMs && this.#isCalm() ? calmLooks + 1 : 0
      if (calmLooks >= looks && restMs <= 0) return true
      if (nowMs > endMs) return false
    }
  }

  #isCalm(): boolean {
    const { observer, port, programs, isBusy } = this.#options
    if (isBusy() || observer.inFlight > 0) return false
    for (const program of programs()) if (program.activity()?.isAsleep === false) return false
    return areSocketsDrained(port)
  }
}
