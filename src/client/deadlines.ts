// The deadlines of requests that all have the same timeout: one timer, for the oldest.
import type { CancelTimer, Clock } from '../base/clock.ts'

interface Timed {
  timeOut(timeoutMs: number): void
}

export class Deadlines {
  readonly #clock: Clock
  readonly #timeoutMs: number
  /** The oldest first, with the time of its deadline. */
  readonly #pending = new Map<Timed, number>()
  #cancelTimer: CancelTimer | undefined

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
  }

  add(timed: Timed): void {
    this.#pending.set(timed, this.#clock.now() + this.#timeoutMs)
    this.#cancelTimer ??= this.#clock.after(this.#timeoutMs, () => this.#check())
  }

  remove(timed: Timed): void {
    this.#pending.delete(timed)
    if (this.#pending.size > 0) return
    // A timer would keep the process alive.
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  #check(): void {
    this.#cancelTimer = undefined
    for (const [timed, atMs] of this.#pending) {
      const leftMs = atMs - this.#clock.now()
      if (leftMs > 0) {
        this.#cancelTimer ??= this.#clock.after(leftMs, () => this.#check())
        return
      }
      this.#pending.delete(timed)
      timed.timeOut(this.#timeoutMs)
    }
  }
}
