// Time that runs faster or slower than the wall clock, stands still, or jumps from event to event.
//
// Guarantees: it never goes back. It never passes by what is still to happen: who waits for a moment finds that moment, and
// when the machine cannot keep up with the speed, time runs slower instead. In steps, each event comes after everything
// that the one before set off has come to rest.
import { type CancelTimer, type Clock, realClock } from './clock.ts'
import { Heap } from './heap.ts'

export interface AdjustableClockOptions {
  readonly startMs: number
  /** How much faster than the wall clock. */
  readonly speed: number
  readonly isPaused?: boolean
  readonly wall?: Clock
  /** Resolves when what has been begun no longer waits for the machine: a disk. Undefined: nothing does. */
  whenQuiet?(): Promise<unknown> | undefined
  /** Called before time reaches the mark that it returned the last time; the first time at the start. */
  extendMark?(nowMs: number): number
}

interface Timer {
  readonly atMs: number
  readonly sequence: number
  run: (() => void) | undefined
}

export interface StepOptions {
  /** Asked now and after every event; the step ends when it says so. */
  isDone?(): boolean | Promise<boolean>
}

export interface Step {
  readonly events: number
  /** It ended because `isDone` said so. */
  readonly isDone: boolean
}

/** Of real time. Whatever held the process up for longer, a sleeping laptop perhaps, is not caught up with. */
const longestLagMs = 1000

export class AdjustableClock implements Clock {
  readonly #wall: Clock
  readonly #whenQuiet: () => Promise<unknown> | undefined
  readonly #extendMark: (nowMs: number) => number
  readonly #timers = new Heap<Timer>(isBefore)
  #sequence = 0
  #nowMs: number
  #markMs: number
  #speed: number
  #isPaused: boolean
  /** At that time of the wall it was that time here. */
  #wallBaseMs: number
  #baseMs: number
  #armedForMs = Number.POSITIVE_INFINITY
  #disarm: CancelTimer = () => {}
  /** Events are being taken one by one: time moves with them. */
  #isMoving = false
  #step: { readonly untilMs: number; events: number; isCut: boolean } | undefined
  #onSettled: (() => void)[] = []
  #isStopped = false

  constructor(options: AdjustableClockOptions) {
    const { startMs, speed, isPaused = false, wall = realClock } = options
    this.#wall = wall
    this.#whenQuiet = options.whenQuiet ?? (() => undefined)
    this.#extendMark = options.extendMark ?? (() => Number.POSITIVE_INFINITY)
    this.#nowMs = this.#baseMs = startMs
    this.#wallBaseMs = wall.now()
    this.#speed = speed
    this.#isPaused = isPaused
    this.#markMs = this.#extendMark(startMs)
  }

  get speed(): number {
    return this.#speed
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  /** The step that is under way. */
  get step(): { readonly untilMs: number; readonly events: number } | undefined {
    return this.#step
  }

  now(): number {
    if (!this.#isPaused && !this.#isMoving) this.#pass(Math.min(this.#targetMs(), this.#first()?.atMs ?? Number.POSITIVE_INFINITY))
    return this.#nowMs
  }

  after(delayMs: number, run: () => void): CancelTimer {
    if (delayMs <= 0 && !this.#isPaused) return this.#wall.after(0, run)
    const timer: Timer = { atMs: Math.ceil(this.now() + Math.max(0, delayMs)), sequence: this.#sequence++, run }
    this.#timers.push(timer)
    this.#arm()
    return () => {
      timer.run = undefined
    }
  }

  pause(): void {
    if (this.#isPaused) return
    this.now()
    this.#isPaused = true
    this.#setOff()
    this.#arm()
  }

  resume(speed = this.#speed): void {
    if (this.#step !== undefined) throw new Error('Cannot let time run: a step is under way')
    this.now()
    this.#isPaused = false
    this.#speed = speed
    this.#rebase()
    this.#setOff()
    this.#arm()
  }

  /** Lets that much time pass, as quickly as the machine can. Only while time stands still. */
  async stepBy(ms: number, { isDone }: StepOptions = {}): Promise<Step> {
    if (!this.#isPaused) throw new Error('Cannot step: time is running')
    if (this.#step !== undefined) throw new Error('Cannot step: a step is under way')
    const step = { untilMs: this.#nowMs + ms, events: 0, isCut: false }
    this.#step = step
    try {
      await this.#settled()
      this.#isMoving = true
      for (;;) {
        if (step.isCut || this.#isStopped) return { events: step.events, isDone: false }
        if (isDone !== undefined && (await isDone())) return { events: step.events, isDone: true }
        if (!(await this.#takeNext(step.untilMs))) break
        step.events++
      }
      this.#pass(step.untilMs)
      return { events: step.events, isDone: false }
    } finally {
      this.#isMoving = false
      this.#step = undefined
      this.#arm()
    }
  }

  /** Ends the step that is under way after the next event. */
  cutStep(): void {
    if (this.#step !== undefined) this.#step.isCut = true
  }

  /**
   * When all that can happen now has happened. Undefined: it has, or time does not stand still. What goes in circles is
   * waited for no longer than `mostMs` of real time.
   */
  whenSettled(mostMs = 10_000): Promise<void> | undefined {
    if (!this.#isPaused || this.#step !== undefined) return undefined
    const settled = this.#settled()
    if (settled === undefined) return undefined
    return new Promise((resolve) => {
      const cancel = this.#wall.after(mostMs, resolve)
      void settled.then(() => {
        cancel()
        resolve()
      })
    })
  }

  /** No event comes any more. */
  stop(): void {
    this.#isStopped = true
    this.#setOff()
    this.#timers.clear()
  }

  #targetMs(): number {
    const wallMs = this.#wall.now()
    // Somebody has set the wall clock back.
    if (wallMs < this.#wallBaseMs) this.#rebase()
    return Math.floor(this.#baseMs + (wallMs - this.#wallBaseMs) * this.#speed)
  }

  #rebase(): void {
    this.#wallBaseMs = this.#wall.now()
    this.#baseMs = this.#nowMs
  }

  #pass(ms: number): void {
    if (ms <= this.#nowMs) return
    if (ms >= this.#markMs) this.#markMs = this.#extendMark(Math.max(ms, this.#step?.untilMs ?? ms))
    this.#nowMs = ms
  }

  #arm(): void {
    if (this.#isMoving || this.#isStopped) return
    const first = this.#first()
    if (first === undefined || first.atMs >= this.#armedForMs) return
    if (this.#isPaused && first.atMs > this.#nowMs) return
    this.#disarm()
    this.#armedForMs = first.atMs
    const waitMs = this.#isPaused ? 0 : (first.atMs - this.#targetMs()) / this.#speed
    this.#disarm = this.#wall.after(waitMs <= 0 ? 0 : Math.max(1, waitMs), () => {
      this.#armedForMs = Number.POSITIVE_INFINITY
      void this.#run()
    })
  }

  #setOff(): void {
    this.#disarm()
    this.#armedForMs = Number.POSITIVE_INFINITY
    if (!this.#isMoving) this.#tellSettled()
  }

  #settled(): Promise<void> | undefined {
    const isAtRest = !this.#isMoving && this.#armedForMs === Number.POSITIVE_INFINITY
    return isAtRest || this.#isStopped ? undefined : new Promise((resolve) => this.#onSettled.push(resolve))
  }

  #tellSettled(): void {
    const waiting = this.#onSettled
    this.#onSettled = []
    for (const resolve of waiting) resolve()
  }

  /** Everything that is due. */
  async #run(): Promise<void> {
    this.#isMoving = true
    try {
      while (!this.#isStopped && (this.#isPaused ? await this.#takeNext(this.#nowMs) : await this.#takeDue()));
    } finally {
      this.#isMoving = false
      this.#tellSettled()
      this.#arm()
    }
  }

  /** While time runs: the next event, if it is due. */
  async #takeDue(): Promise<boolean> {
    const first = this.#first()
    const targetMs = this.#targetMs()
    if (first === undefined || first.atMs > targetMs) return false
    this.#timers.pop()
    this.#pass(first.atMs)
    if (targetMs - first.atMs > longestLagMs * this.#speed) this.#rebase()
    first.run!()
    // What it sets off has its turn before time moves on.
    if (this.#first()?.atMs !== first.atMs) {
      await this.#turn()
      await this.#whenQuiet()
    }
    return true
  }

  /** While time stands still: the next event until `limitMs`, and all that it sets off. */
  async #takeNext(limitMs: number): Promise<boolean> {
    const first = this.#first()
    if (first === undefined || first.atMs > limitMs) return false
    this.#timers.pop()
    this.#pass(first.atMs)
    first.run!()
    for (let quiet: Promise<unknown> | undefined; ; ) {
      await this.#turn()
      quiet = this.#whenQuiet()
      if (quiet === undefined) return true
      await quiet
    }
  }

  #first(): Timer | undefined {
    for (let top = this.#timers.top; top !== undefined; top = this.#timers.top) {
      if (top.run !== undefined) return top
      this.#timers.pop()
    }
    return undefined
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => void this.#wall.after(0, resolve))
  }
}

const isBefore = (a: Timer, b: Timer) => (a.atMs !== b.atMs ? a.atMs < b.atMs : a.sequence < b.sequence)
