// Schedules names for the next multiple of a period, each at most once per period, with a single timer.
// Ours: one timer for what Kubernetes polls in loops.

import type { CancelTimer, Clock } from '../../base/clock.ts'
import { getOrAdd } from '../../base/maps.ts'

/** `lateMs` is the delay after the planned time, as after a sleep of the machine. */
type RunTick = (due: readonly string[], lateMs: number) => Promise<void>

export class PeriodicSchedule {
  readonly #clock: Clock
  readonly #periodMs: number
  readonly #run: RunTick
  /** By period number. */
  readonly #due = new Map<number, Set<string>>()
  readonly #tickOf = new Map<string, number>()
  readonly #early: string[] = []
  #startedMs: number | undefined
  #timer: { readonly tick: number; readonly cancel: CancelTimer } | undefined
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(clock: Clock, periodMs: number, run: RunTick) {
    this.#clock = clock
    this.#periodMs = periodMs
    this.#run = run
  }

  /** The first period begins now. */
  start(): void {
    this.#startedMs = this.#clock.now()
    for (const name of this.#early.splice(0)) this.add(name, this.#startedMs)
  }

  /** Schedules the name for the first period from that time on, unless it is scheduled earlier. Undefined: does nothing. */
  add(name: string, atMs: number | undefined): void {
    if (this.#isStopped || atMs === undefined) return
    if (this.#startedMs === undefined) {
      this.#early.push(name)
      return
    }
    const tick = Math.max(0, Math.ceil((atMs - this.#startedMs) / this.#periodMs))
    const known = this.#tickOf.get(name)
    if (known !== undefined) {
      if (known <= tick) return
      this.#due.get(known)?.delete(name)
    }
    this.#tickOf.set(name, tick)
    getOrAdd(this.#due, tick, () => new Set()).add(name)
    this.#arm(tick)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    await this.#running
  }

  #arm(tick: number): void {
    if (this.#isStopped || this.#running !== undefined || (this.#timer !== undefined && this.#timer.tick <= tick)) return
    this.#timer?.cancel()
    const atMs = this.#startedMs! + tick * this.#periodMs
    const cancel = this.#clock.after(Math.max(0, atMs - this.#clock.now()), () => {
      this.#timer = undefined
      this.#running = this.#runDue(this.#clock.now() - atMs).finally(() => {
        this.#running = undefined
        this.#armNext()
      })
    })
    this.#timer = { tick, cancel }
  }

  #armNext(): void {
    if (this.#due.size > 0) this.#arm(Math.min(...this.#due.keys()))
  }

  async #runDue(lateMs: number): Promise<void> {
    const now = Math.floor((this.#clock.now() - this.#startedMs!) / this.#periodMs)
    const due: string[] = []
    for (const [tick, names] of [...this.#due].sort(([a], [b]) => a - b)) {
      if (tick > now) break
      this.#due.delete(tick)
      for (const name of names) {
        this.#tickOf.delete(name)
        due.push(name)
      }
    }
    if (due.length > 0) await this.#run(due, lateMs)
  }
}
