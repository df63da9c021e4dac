import { describe, expect, it } from 'vitest'
import { AdjustableClock } from './adjustable-clock.ts'
import { type CancelTimer, type Clock, realClock } from './clock.ts'

/** A wall clock that the test moves. Timers without a delay still run in the next turn of the event loop. */
class ManualWall implements Clock {
  #nowMs = 0
  #timers: { atMs: number; run: () => void }[] = []

  now(): number {
    return this.#nowMs
  }

  after(delayMs: number, run: () => void): CancelTimer {
    if (delayMs <= 0) return realClock.after(0, run)
    const timer = { atMs: this.#nowMs + delayMs, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  /** The machine was busy for that time: timers that became due run at the end of it. */
  async jump(ms: number): Promise<void> {
    this.#nowMs += ms
    const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs)
    this.#timers = this.#timers.filter((one) => !due.includes(one))
    for (const { run } of due.sort((a, b) => a.atMs - b.atMs)) run()
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}

const startMs = Date.UTC(2026, 0, 1)
const wait = (clock: AdjustableClock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

describe('AdjustableClock', () => {
  it('runs at the given speed', async () => {
    const wall = new ManualWall()
    const clock = new AdjustableClock({ startMs, speed: 1000, wall })
    let isOver = false
    void wait(clock, 20_000).then(() => {
      isOver = true
    })
    await wall.jump(19)
    expect([clock.now() - startMs, isOver]).toEqual([19_000, false])
    await wall.jump(1)
    expect([clock.now() - startMs, isOver]).toEqual([20_000, true])
    clock.stop()
  })

  it('does not jump over a timer, however late it is', async () => {
    const wall = new ManualWall()
    const clock = new AdjustableClock({ startMs, speed: 5000, isPaused: true, wall })
    const seen: number[] = []
    for (const ms of [3000, 1000, 2000]) clock.after(ms, () => seen.push(clock.now() - startMs))
    clock.resume()
    await wall.jump(20)
    expect(seen).toEqual([1000, 2000, 3000])
    clock.stop()
  })

  it('runs timers without a delay while it is paused', async () => {
    const clock = new AdjustableClock({ startMs, speed: 1, isPaused: true })
    const seen: string[] = []
    clock.after(1, () => seen.push('later'))
    clock.after(0, () => {
      seen.push('now')
      clock.after(0, () => seen.push('then'))
    })
    await clock.whenSettled()
    expect(seen).toEqual(['now', 'then'])
    expect(clock.whenSettled()).toBeUndefined()
    expect(clock.now()).toBe(startMs)
  })

  it('waits no longer than the limit for work that never settles', async () => {
    const wall = new ManualWall()
    const clock = new AdjustableClock({ startMs, speed: 1, isPaused: true, wall })
    const circle = () => void clock.after(0, circle)
    circle()
    const settled = clock.whenSettled(5)
    await wall.jump(5)
    await settled
    expect(clock.whenSettled()).toBeDefined()
    clock.stop()
  })

  it('steps from event to event', async () => {
    const clock = new AdjustableClock({ startMs, speed: 1, isPaused: true })
    const seen: number[] = []
    const beat = () => {
      seen.push(clock.now() - startMs)
      clock.after(10_000, beat)
    }
    clock.after(10_000, beat)
    clock.after(5000, () => seen.push(-1))()
    expect(await clock.stepBy(35_000)).toEqual({ events: 3, isDone: false })
    expect(seen).toEqual([10_000, 20_000, 30_000])
    expect(clock.now()).toBe(startMs + 35_000)
    expect(await clock.stepBy(3_600_000, { isDone: () => seen.length === 5 })).toEqual({ events: 2, isDone: true })
    expect(clock.now()).toBe(startMs + 50_000)
  })

  it('ends a step when isDone returns true', async () => {
    const clock = new AdjustableClock({ startMs, speed: 1, isPaused: true })
    clock.after(1000, () => clock.cutStep())
    clock.after(2000, () => {})
    expect(await clock.stepBy(10_000)).toEqual({ events: 1, isDone: false })
    expect(clock.now()).toBe(startMs + 1000)
  })

  it('waits for the machine before it advances', async () => {
    let writing: Promise<void> | undefined
    const clock = new AdjustableClock({ startMs, speed: 1, isPaused: true, whenIdle: () => writing })
    const seen: string[] = []
    clock.after(1, () => {
      writing = new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))).then(() => {
        seen.push('written')
        writing = undefined
      })
    })
    clock.after(2, () => seen.push('next'))
    await clock.stepBy(10)
    expect(seen).toEqual(['written', 'next'])
  })

  it('pauses and resumes at another speed', async () => {
    const wall = new ManualWall()
    const clock = new AdjustableClock({ startMs, speed: 1, wall })
    let isOver = false
    void wait(clock, 100_000).then(() => {
      isOver = true
    })
    await wall.jump(2)
    clock.pause()
    await wall.jump(1_000_000)
    expect([clock.now() - startMs, isOver]).toEqual([2, false])
    clock.resume(10_000)
    await wall.jump(9)
    expect([clock.now() - startMs, isOver]).toEqual([90_002, false])
    await wall.jump(1)
    expect([clock.now() - startMs, isOver]).toEqual([100_002, true])
    expect(() => void clock.stepBy(1).catch(() => {})).not.toThrow()
    await expect(clock.stepBy(1)).rejects.toThrow('time is running')
    clock.stop()
  })

  it('extends the mark before time reaches it', async () => {
    const marks: number[] = []
    const clock = new AdjustableClock({
      startMs,
      speed: 1,
      isPaused: true,
      extendMark(nowMs) {
        marks.push(nowMs - startMs)
        return nowMs + 10_000
      },
    })
    await clock.stepBy(5000)
    await clock.stepBy(4000)
    expect(marks).toEqual([0])
    await clock.stepBy(60_000)
    expect(marks).toEqual([0, 69_000])
  })
})
