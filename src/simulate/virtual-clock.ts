// Time that moves only when nothing can run. One heap holds all that is to happen; the next event is taken when
// everything that the last one set off has come to rest.
//
// At rest means: no promise is left to settle. In one process, with a store in memory, nothing waits for the machine, so
// that a turn of the event loop (which begins when no promise callback is left) is all it takes to know. Whoever reads a
// file or a socket in virtual time is not waited for.
import { afterPromises, type CancelTimer, type Clock, realClock } from '../base/clock.ts'
import { Heap } from '../base/heap.ts'
import type { Random } from '../base/random.ts'

interface VirtualClockOptions {
  readonly startMs?: number
  /** Draws the order of what is due at the same time. Absent: in the order of asking. */
  readonly ties?: Random
  /**
   * Whether promises are all that takes part, and nobody waits for an immediate or for the machine. Then the event loop
   * turns only now and then, for others: a turn costs more than many an event.
   */
  readonly isClosed?: boolean
}

interface Timer {
  readonly atMs: number
  readonly rank: number
  readonly sequence: number
  run: (() => void) | undefined
}

export const usualStartMs = Date.UTC(2026, 0, 1)

/** Of a closed clock: so many events, and then the event loop has its turn. */
const mostBetweenTurns = 64

/** So many events without time moving on: something goes in circles. */
const mostAtOneTime = 1_000_000

export class VirtualClock implements Clock {
  readonly #heap = new Heap<Timer>(isBefore)
  readonly #ties: Random | undefined
  readonly #isClosed: boolean
  #sinceTurn = 0
  #nowMs: number
  #sequence = 0
  #isMoving = false
  #sameTime = 0
  /** Called after every event, when all is at rest. What it throws ends the move. */
  onEvent: () => void = () => {}

  constructor({ startMs = usualStartMs, ties, isClosed = false }: VirtualClockOptions = {}) {
    this.#nowMs = startMs
    this.#ties = ties
    this.#isClosed = isClosed
  }

  now(): number {
    return this.#nowMs
  }

  after(delayMs: number, run: () => void): CancelTimer {
    const atMs = this.#nowMs + Math.max(0, delayMs)
    const timer: Timer = { atMs, rank: this.#ties?.next() ?? 0, sequence: this.#sequence++, run }
    this.#heap.push(timer)
    return () => {
      timer.run = undefined
    }
  }

  /** When the next event is due, or undefined when nothing is to come. */
  get nextMs(): number | undefined {
    return this.#first()?.atMs
  }

  /** Takes the next event, if there is one until `limitMs`, and waits for what it sets off. */
  async next(limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    return this.#exclusively(async () => {
      await this.#rest()
      return this.#step(limitMs)
    })
  }

  /** All that happens in the next `ms`. */
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

  /** All that happens without time moving on. */
  settle(): Promise<void> {
    return this.advanceTo(this.#nowMs)
  }

  /** Until nothing is to come; what repeats for ever is cut off after `mostMs`. */
  async runUntilIdle(mostMs = Number.POSITIVE_INFINITY): Promise<void> {
    const endMs = this.#nowMs + mostMs
    await this.#exclusively(async () => {
      await this.#rest()
      while (await this.#step(endMs));
    })
  }

  /** Event by event, until `isDone` says so. False: it did not until `limitMs`, or nothing is to come. */
  async runUntil(isDone: () => boolean | Promise<boolean>, limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    return this.#exclusively(async () => {
      await this.#rest()
      while (!(await isDone())) if (!(await this.#step(limitMs))) return false
      return true
    })
  }

  /** Moves time until the promise has settled. Rejects when nothing is to come, or the limit is reached, before that. */
  async runUntilSettled<T>(promise: Promise<T>, mostMs = Number.POSITIVE_INFINITY): Promise<T> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    promise.then(settle, settle)
    if (await this.runUntil(() => isSettled, this.#nowMs + mostMs)) return promise
    throw new Error('Cannot wait any longer: nothing is to come that it waits for')
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
    const timer = this.#first()
    if (timer === undefined || timer.atMs > limitMs) return false
    this.#heap.pop()
    this.#sameTime = timer.atMs > this.#nowMs ? 0 : this.#sameTime + 1
    if (this.#sameTime > mostAtOneTime) throw new Error(`Cannot move on: more than ${mostAtOneTime} events at one time`)
    this.#nowMs = timer.atMs
    timer.run!()
    await this.#rest()
    this.onEvent()
    return true
  }

  /** Until no promise is left to settle. */
  #rest(): Promise<void> {
    if (!this.#isClosed || ++this.#sinceTurn >= mostBetweenTurns) {
      this.#sinceTurn = 0
      return turn()
    }
    return new Promise((resolve) => afterPromises(resolve))
  }

  /** The next timer that was not cancelled. */
  #first(): Timer | undefined {
    for (let top = this.#heap.top; top !== undefined; top = this.#heap.top) {
      if (top.run !== undefined) return top
      this.#heap.pop()
    }
    return undefined
  }
}

const isBefore = (a: Timer, b: Timer) =>
  a.atMs !== b.atMs ? a.atMs < b.atMs : a.rank !== b.rank ? a.rank < b.rank : a.sequence < b.sequence

const turn = () => new Promise<void>((resolve) => realClock.after(0, resolve))
