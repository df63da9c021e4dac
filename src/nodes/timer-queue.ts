// Due times for many items with one heap and one timer. Items with equal due times come in the order in which they were set.
import type { CancelTimer, Clock } from '../base/clock.ts'
import { Heap } from '../base/heap.ts'

interface Entry<T> {
  readonly atMs: number
  readonly sequence: number
  readonly item: T
}

/** Holds one due time for each item: `set` replaces the earlier one. */
export class TimerQueue<T> {
  readonly #clock: Clock
  readonly #onDue: (item: T) => void
  readonly #heap = new Heap<Entry<T>>(isBefore)
  readonly #due = new Map<T, Entry<T>>()
  #sequence = 0
  #timerAtMs = Number.POSITIVE_INFINITY
  #cancel: CancelTimer = () => {}
  #isStopped = false

  constructor(clock: Clock, onDue: (item: T) => void) {
    this.#clock = clock
    this.#onDue = onDue
  }

  get size(): number {
    return this.#due.size
  }

  set(item: T, atMs: number): void {
    const known = this.#due.get(item)
    if (known?.atMs === atMs) return
    const entry = { atMs, sequence: this.#sequence++, item }
    this.#due.set(item, entry)
    this.#heap.push(entry)
    this.#arm()
  }

  delete(item: T): void {
    this.#due.delete(item)
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
    this.#heap.clear()
    this.#due.clear()
  }

  #arm(): void {
    const first = this.#first()
    if (this.#isStopped || first === undefined || first.atMs >= this.#timerAtMs) return
    this.#cancel()
    this.#timerAtMs = first.atMs
    this.#cancel = this.#clock.after(Math.max(0, first.atMs - this.#clock.now()), () => this.#run())
  }

  #run(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY
    const nowMs = this.#clock.now()
    for (let first = this.#first(); first !== undefined && first.atMs <= nowMs; first = this.#first()) {
      this.#heap.pop()
      this.#due.delete(first.item)
      this.#onDue(first.item)
    }
    this.#arm()
  }

  /** The first entry that was neither deleted nor replaced. */
  #first(): Entry<T> | undefined {
    for (let top = this.#heap.top; top !== undefined; top = this.#heap.top) {
      if (this.#due.get(top.item) === top) return top
      this.#heap.pop()
    }
    return undefined
  }
}

const isBefore = <T>(a: Entry<T>, b: Entry<T>) => a.atMs < b.atMs || (a.atMs === b.atMs && a.sequence < b.sequence)
