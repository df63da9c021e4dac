import { describe, expect, it } from 'vitest'
import { AdjustableClock } from './adjustable-clock.ts'
import { realClock } from './clock.ts'

const startMs = Date.UTC(2026, 0, 1)
const wait = (clock: AdjustableClock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

describe('AdjustableClock', () => {
  it('runs as much faster as it is told', async () => {
    const clock = new AdjustableClock({ startMs, speed: 1000 })
    const wallMs = realClock.now()
    await wait(clock, 20_000)
    expect(clock.now()).toBeGreaterThanOrEqual(startMs + 20_000)
    expect(realClock.now() - wallMs).toBeLessThan(2000)
    clock.stop()
  })

  it('does not pass by what is still to happen, however late it is', async () => {
    const clock = new AdjustableClock({ startMs, speed: 5000, isPaused: true })
    const seen: number[] = []
    for (const ms of [3000, 1000, 2000]) clock.after(ms, () => seen.push(clock.now() - startMs))
    const ended = wait(clock, 3000)
    clock.resume()
    const untilMs = realClock.now() + 20
    while (realClock.now() < untilMs);
    await ended
    expect(seen).toEqual([1000, 2000, 3000])
    clock.stop()
  })

  it('stands still, and does what can be done without time', async () => {
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

  it('waits for circles no longer than it is told', async () => {
    const clock = new AdjustableClock({ startMs, speed: 1, isPaused: true })
    const circle = () => void clock.after(0, circle)
    circle()
    await clock.whenSettled(5)
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

  it('ends a step when it is told', async () => {
    const clock = new AdjustableClock({ startMs, speed: 1, isPaused: true })
    clock.after(1000, () => clock.cutStep())
    clock.after(2000, () => {})
    expect(await clock.stepBy(10_000)).toEqual({ events: 1, isDone: false })
    expect(clock.now()).toBe(startMs + 1000)
  })

  it('waits for the machine before it moves on', async () => {
    let writing: Promise<void> | undefined
    const clock = new AdjustableClock({ startMs, speed: 1, isPaused: true, whenQuiet: () => writing })
    const seen: string[] = []
    clock.after(1, () => {
      writing = new Promise<void>((resolve) => void realClock.after(5, resolve)).then(() => {
        seen.push('written')
        writing = undefined
      })
    })
    clock.after(2, () => seen.push('next'))
    await clock.stepBy(10)
    expect(seen).toEqual(['written', 'next'])
  })

  it('is paused and runs again, at another speed', async () => {
    const clock = new AdjustableClock({ startMs, speed: 1 })
    let isOver = false
    const ended = wait(clock, 100_000).then(() => {
      isOver = true
    })
    clock.pause()
    const pausedAtMs = clock.now()
    await new Promise<void>((resolve) => void realClock.after(10, resolve))
    expect(clock.now()).toBe(pausedAtMs)
    expect(isOver).toBe(false)
    clock.resume(10_000)
    await ended
    expect(clock.now()).toBeGreaterThanOrEqual(startMs + 100_000)
    expect(() => void clock.stepBy(1).catch(() => {})).not.toThrow()
    await expect(clock.stepBy(1)).rejects.toThrow('time is running')
    clock.stop()
  })

  it('says how far it will go before it goes there', async () => {
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
