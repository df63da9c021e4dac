// Due times for many items with one timer. Items with equal due times come in the order in which they were set.
import type { CancelTimer, Clock } from '../base/clock.ts'
import { type DueEntry, DueTimes } from '../base/due-times.ts'

/**
 * Holds one due time for each item: `set` replaces the earlier one. Timers fire at the multiple of the tick that is nearest to their due time.
 * `onDue` gets the due time.
 */
export class TimerQueue<T> {
  readonly #clock: Clock
  readonly #onDue: (item: T, dueMs: number) => void
  readonly #tickMs: number
  readonly #times = new DueTimes<T>()
  readonly #entries = new Map<T, DueEntry<T>>()
  #timerAtMs = Number.POSITIVE_INFINITY
  #cancel: CancelTimer = () => {}
  #isStopped = false

  constructor(clock: Clock, onDue: (item: T, dueMs: number) => void, tickMs = 1) {
    this.#clock = clock
    this.#onDue = onDue
    this.#tickMs = tickMs
  }

  set(item: T, atMs: number): void {
    // By rank, items of one multiple of the tick come in the order of their due times.
    if (this.#entries.get(item)?.rank === atMs) return
    this.delete(item)
    this.#entries.set(item, this.#times.add(item, this.#onGrid(atMs), atMs))
    this.#arm()
  }

  delete(item: T): void {
    const entry = this.#entries.get(item)
    if (entry === undefined) return
    entry.item = undefined
    this.#entries.delete(item)
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
    this.#times.clear()
    this.#entries.clear()
  }

  #onGrid(atMs: number): number {
    return this.#tickMs === 1 ? atMs : Math.round(atMs / this.#tickMs) * this.#tickMs
  }

  #arm(): void {
    const { first } = this.#times
    if (this.#isStopped || first === undefined || first.atMs >= this.#timerAtMs) return
    this.#cancel()
    this.#timerAtMs = first.atMs
    this.#cancel = this.#clock.after(Math.max(0, first.atMs - this.#clock.now()), () => this.#run())
  }

  #run(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY
    const nowMs = this.#clock.now()
    for (let due = this.#times.takeDue(nowMs); due !== undefined; due = this.#times.takeDue(nowMs)) {
      this.#entries.delete(due.item)
      this.#onDue(due.item, due.rank)
    }
    this.#arm()
  }
}
