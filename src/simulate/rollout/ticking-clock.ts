// Time as the nodes of a simulation see it: on a grid. Ten thousand pods that become ready within ten seconds are ten
// thousand moments at which every controller looks at all of them; in ticks of a second they are ten.
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

  /** Never too early: whoever waits looks whether it is time. */
  after(delayMs: number, run: () => void): () => void {
    if (delayMs <= 0) return this.#clock.after(delayMs, run)
    const nowMs = this.#clock.now()
    return this.#clock.after(Math.ceil((nowMs + delayMs) / this.tickMs) * this.tickMs - nowMs, run)
  }
}

const exactPods = 30

/** How fine the time of so many pods is. It depends on the pods alone: the same seed gives the same run, however many runs there are. */
export function tickFor(pods: number): number {
  return pods <= exactPods ? 1 : pods <= 200 ? 100 : pods <= 2000 ? 500 : 1000
}
