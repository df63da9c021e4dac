// A clock that advances only when nothing can run. The next timer fires when everything that the
// last one caused has settled.
//
// Settled means that no promise callback is pending. One process with a store in memory does no I/O, so that one turn of the
// event loop, which begins when no promise callback is left, is enough to know.
// Caveat: the clock does not wait for reads of files or sockets.
import { afterPromises, type CancelTimer, type Clock, realClock, sleep } from './clock.ts'
import { DueTimes } from './due-times.ts'
import type { Random } from './random.ts'

interface VirtualClockOptions {
  readonly startMs?: number
  /** Chooses the order of timers that are due at the same time. Absent: first come, first served. */
  readonly ties?: Random
  /**
   * Whether all work is done in promises, without I/O or setImmediate. Then the event loop turns only from time to time, to let
   * other code run: a turn often takes longer than an event.
   */
  readonly isClosed?: boolean
}

export const defaultStartMs = Date.UTC(2026, 0, 1)

/** With `isClosed`: the number of events between two turns of the event loop. */
const maxEventsBetweenTurns = 64

/** More events at the same time are treated as a livelock. */
const maxEventsAtOneTime = 1_000_000

export class VirtualClock implements Clock {
  readonly #timers = new DueTimes<() => void>()
  readonly #ties: Random | undefined
  readonly #isClosed: boolean
  #sinceTurn = 0
  #nowMs: number
  #isMoving = false
  #sameTime = 0
  /** Called after every event, when everything has settled. An error ends the current call, which rejects with it. */
  onEvent: () => void = () => {}

  constructor({ startMs = defaultStartMs, ties, isClosed = false }: VirtualClockOptions = {}) {
    this.#nowMs = startMs
    this.#ties = ties
    this.#isClosed = isClosed
  }

  now(): number {
    return this.#nowMs
  }

  after(delayMs: number, run: () => void): CancelTimer {
    const timer = this.#timers.add(run, this.#nowMs + Math.max(0, delayMs), this.#ties?.next() ?? 0)
    return () => {
      timer.item = undefined
    }
  }

  /** When the next timer is due; undefined if there is none. */
  get nextMs(): number | undefined {
    return this.#timers.first?.atMs
  }

  /** Fires all timers of the next `ms`. */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`Cannot advance time by ${ms} ms: it only goes forward`)
    await this.advanceTo(this.#nowMs + ms)
  }

  async advanceTo(atMs: number): Promise<void> {
    await this.#exclusively(async () => {
      await this.#rest()
      while (await this.#step(atMs));
      this.#nowMs = Math.max(this.#nowMs, atMs)
    })
  }

  /** Fires all timers that are due now. */
  settle(): Promise<void> {
    return this.advanceTo(this.#nowMs)
  }

  /** Advances event by event until `isDone` returns true. Resolves to false at `limitMs`, or if there are no timers left. */
  async runUntil(isDone: () => boolean | Promise<boolean>, limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    return this.#exclusively(async () => {
      await this.#rest()
      while (!(await isDone())) if (!(await this.#step(limitMs))) return false
      return true
    })
  }

  /** Advances until the promise has settled. Rejects at the limit, or if there are no timers left. */
  async runUntilSettled<T>(promise: Promise<T>, maxMs = Number.POSITIVE_INFINITY): Promise<T> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    promise.then(settle, settle)
    if (await this.runUntil(() => isSettled, this.#nowMs + maxMs)) return promise
    throw new Error('Cannot wait any longer: no timer is left before the limit')
  }

  async #exclusively<T>(move: () => Promise<T>): Promise<T> {
    if (this.#isMoving) throw new Error('Cannot move time: it is moving; await one move before the next')
    this.#isMoving = true
    try {
      return await move()
    } finally {
      this.#isMoving = false
    }
  }

  async #step(limitMs: number): Promise<boolean> {
    const timer = this.#timers.takeDue(limitMs)
    if (timer === undefined) return false
    this.#sameTime = timer.atMs > this.#nowMs ? 0 : this.#sameTime + 1
    if (this.#sameTime > maxEventsAtOneTime) throw new Error(`Cannot move on: more than ${maxEventsAtOneTime} events at one time`)
    this.#nowMs = timer.atMs
    timer.item()
    await this.#rest()
    this.onEvent()
    return true
  }

  /** Resolves when no promise callback is pending. */
  #rest(): Promise<void> {
    if (!this.#isClosed || ++this.#sinceTurn >= maxEventsBetweenTurns) {
      this.#sinceTurn = 0
      return sleep(realClock, 0)
    }
    return new Promise((resolve) => afterPromises(resolve))
  }
}
