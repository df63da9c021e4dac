// Time that runs faster or slower than the wall clock, stands still, or jumps from event to event.
//
// Guarantees: it never goes back. It never jumps over a timer: a timer runs at exactly its time, and when the machine cannot
// keep up with the speed, time runs slower. While stepping, an event runs after all work that the previous one caused has
// settled.
import { type CancelTimer, type Clock, realClock, sleep } from './clock.ts'
import { DueTimes } from './due-times.ts'

interface AdjustableClockOptions {
  readonly startMs: number
  /** How much faster than the wall clock. */
  readonly speed: number
  readonly isPaused?: boolean
  readonly wall?: Clock
  /** Resolves when no operation waits for the machine, such as a disk write. Undefined: none does now. */
  whenIdle?(): Promise<unknown> | undefined
  /** Called at the start, and before time reaches the mark that it last returned. */
  extendMark?(nowMs: number): number
}

interface StepOptions {
  /** Called at the start and after every event; the step ends when it returns true. */
  isDone?(): boolean | Promise<boolean>
}

interface Step {
  readonly events: number
  /** Whether `isDone` ended the step. */
  readonly isDone: boolean
}

/** In real time. A longer delay of the process, such as a sleeping laptop, is not made up for. */
const maxLagMs = 1000

export class AdjustableClock implements Clock {
  readonly #wall: Clock
  readonly #whenIdle: () => Promise<unknown> | undefined
  readonly #extendMark: (nowMs: number) => number
  readonly #timers = new DueTimes<() => void>()
  #nowMs: number
  #markMs: number
  #speed: number
  #isPaused: boolean
  /** This clock showed `baseMs` when the wall clock showed `wallBaseMs`. */
  #wallBaseMs: number
  #baseMs: number
  #armedForMs = Number.POSITIVE_INFINITY
  #disarm: CancelTimer = () => {}
  /** Timers are being run one by one, and time moves with them. */
  #isMoving = false
  #step: { readonly untilMs: number; events: number; isCut: boolean } | undefined
  #onSettled: (() => void)[] = []
  #isStopped = false

  constructor(options: AdjustableClockOptions) {
    const { startMs, speed, isPaused = false, wall = realClock } = options
    this.#wall = wall
    this.#whenIdle = options.whenIdle ?? (() => undefined)
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

  /** The step in progress. */
  get step(): { readonly untilMs: number; readonly events: number } | undefined {
    return this.#step
  }

  now(): number {
    if (!this.#isPaused && !this.#isMoving) this.#pass(Math.min(this.#targetMs(), this.#timers.first?.atMs ?? Number.POSITIVE_INFINITY))
    return this.#nowMs
  }

  after(delayMs: number, run: () => void): CancelTimer {
    if (delayMs <= 0 && !this.#isPaused) return this.#wall.after(0, run)
    const timer = this.#timers.add(run, Math.ceil(this.now() + Math.max(0, delayMs)))
    this.#arm()
    return () => {
      timer.item = undefined
    }
  }

  pause(): void {
    if (this.#isPaused) return
    this.now()
    this.#isPaused = true
    this.#cancelTimer()
    this.#arm()
  }

  resume(speed = this.#speed): void {
    if (this.#step !== undefined) throw new Error('Cannot resume time: a step is in progress')
    this.now()
    this.#isPaused = false
    this.#speed = speed
    this.#rebase()
    this.#cancelTimer()
    this.#arm()
  }

  /** Advances time by `ms`, as fast as the machine can. Only while paused. */
  async stepBy(ms: number, { isDone }: StepOptions = {}): Promise<Step> {
    if (!this.#isPaused) throw new Error('Cannot step: time is running')
    if (this.#step !== undefined) throw new Error('Cannot step: a step is in progress')
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

  /** Ends the step in progress after the next event. */
  cutStep(): void {
    if (this.#step !== undefined) this.#step.isCut = true
  }

  /**
   * Resolves when all work that is due now has settled, or after `maxWaitMs` of real time. Undefined: it has settled, or time
   * is running.
   */
  whenSettled(maxWaitMs = 10_000): Promise<void> | undefined {
    if (!this.#isPaused || this.#step !== undefined) return undefined
    const settled = this.#settled()
    if (settled === undefined) return undefined
    return new Promise((resolve) => {
      const cancel = this.#wall.after(maxWaitMs, resolve)
      void settled.then(() => {
        cancel()
        resolve()
      })
    })
  }

  /** No timer runs any more. */
  stop(): void {
    this.#isStopped = true
    this.#cancelTimer()
    this.#timers.clear()
  }

  #targetMs(): number {
    const wallMs = this.#wall.now()
    // The wall clock was set back.
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
    const { first } = this.#timers
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

  #cancelTimer(): void {
    this.#disarm()
    this.#armedForMs = Number.POSITIVE_INFINITY
    if (!this.#isMoving) this.#notifySettled()
  }

  #settled(): Promise<void> | undefined {
    const isSettled = !this.#isMoving && this.#armedForMs === Number.POSITIVE_INFINITY
    return isSettled || this.#isStopped ? undefined : new Promise((resolve) => this.#onSettled.push(resolve))
  }

  #notifySettled(): void {
    const waiting = this.#onSettled
    this.#onSettled = []
    for (const resolve of waiting) resolve()
  }

  /** Runs all timers that are due. */
  async #run(): Promise<void> {
    this.#isMoving = true
    try {
      while (!this.#isStopped && (this.#isPaused ? await this.#takeNext(this.#nowMs) : await this.#takeDue()));
    } finally {
      this.#isMoving = false
      this.#notifySettled()
      this.#arm()
    }
  }

  /** While time runs: runs the next timer, if it is due. */
  async #takeDue(): Promise<boolean> {
    const targetMs = this.#targetMs()
    const timer = this.#timers.takeDue(targetMs)
    if (timer === undefined) return false
    this.#pass(timer.atMs)
    if (targetMs - timer.atMs > maxLagMs * this.#speed) this.#rebase()
    timer.item()
    // Work that it caused runs before time moves on.
    if (this.#timers.first?.atMs !== timer.atMs) {
      await sleep(this.#wall, 0)
      await this.#whenIdle()
    }
    return true
  }

  /** While paused: runs the next timer until `limitMs`, and all work that it causes. */
  async #takeNext(limitMs: number): Promise<boolean> {
    const timer = this.#timers.takeDue(limitMs)
    if (timer === undefined) return false
    this.#pass(timer.atMs)
    timer.item()
    for (let idle: Promise<unknown> | undefined; ; ) {
      await sleep(this.#wall, 0)
      idle = this.#whenIdle()
      if (idle === undefined) return true
      await idle
    }
  }
}
