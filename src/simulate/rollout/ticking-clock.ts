// The clock of simulated nodes: timers fire on a grid. If ten thousand pods become ready within ten seconds, controllers sync
// ten thousand times; with ticks of one second, they sync ten times.
import type { Clock } from '../../base/clock.ts'

export class TickingClock implements Clock {
  readonly #clock: Clock
  tickMs = 1

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  /** Timers never fire early, because their callers compare the time. */
  after(delayMs: number, run: () => void): () => void {
    if (delayMs <= 0) return this.#clock.after(delayMs, run)
    const nowMs = this.#clock.now()
    return this.#clock.after(Math.ceil((nowMs + delayMs) / this.tickMs) * this.tickMs - nowMs, run)
  }
}

const exactPods = 30

/** The tick for this number of pods. It depends on nothing else: the same seed gives the same run, however many runs there are. */
export function tickFor(pods: number): number {
  return pods <= exactPods ? 1 : pods <= 200 ? 100 : pods <= 2000 ? 500 : 1000
}
