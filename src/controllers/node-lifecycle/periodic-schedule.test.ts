import { describe, expect, it } from 'vitest'
import type { Clock } from '../../base/clock.ts'
import { PeriodicSchedule } from './periodic-schedule.ts'

/** A clock that the test moves. */
function open(takesTurns = 0) {
  let nowMs = 0
  const timers = new Set<{ atMs: number; run: () => void }>()
  const clock: Clock = {
    now: () => nowMs,
    after(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  const ran: string[] = []
  const plan = new PeriodicSchedule(clock, 5000, async (due, lateMs) => {
    ran.push(`${nowMs / 1000}: ${due.join(' ')}${lateMs > 0 ? ` (${lateMs} late)` : ''}`)
    for (let turn = 0; turn < takesTurns; turn++) await Promise.resolve()
  })
  const settle = async () => {
    for (let turn = 0; turn < 10 + takesTurns; turn++) await Promise.resolve()
  }
  const passTo = async (seconds: number) => {
    nowMs = seconds * 1000
    for (const timer of [...timers]) if (timer.atMs <= nowMs && timers.delete(timer)) timer.run()
    await settle()
  }
  return { plan, ran, passTo, timers }
}

describe('PeriodicSchedule', () => {
  it('runs at multiples of the period, each name once', async () => {
    const { plan, ran, passTo } = open()
    plan.add('early', 0)
    plan.start()
    plan.add('a', 1000)
    plan.add('b', 5000)
    plan.add('a', 2000)
    plan.add('c', 5001)
    for (let second = 0; second <= 12; second++) await passTo(second)
    expect(ran).toEqual(['0: early', '5: a b', '10: c'])
  })

  it('uses the earliest requested time', async () => {
    const { plan, ran, passTo } = open()
    plan.start()
    plan.add('a', 50_000)
    plan.add('a', 3000)
    plan.add('a', 60_000)
    plan.add('b', undefined)
    for (const second of [5, 50, 60]) await passTo(second)
    expect(ran).toEqual(['5: a'])
  })

  it('runs missed names, and reports the delay', async () => {
    const { plan, ran, passTo } = open()
    plan.start()
    plan.add('a', 5000)
    plan.add('b', 15_000)
    await passTo(3600)
    expect(ran).toEqual(['3600: a b (3595000 late)'])
  })

  it('has one timer, and none while it runs; requests during a run come after it', async () => {
    const { plan, ran, passTo, timers } = open(3)
    plan.start()
    for (const [index, name] of ['a', 'b', 'c'].entries()) plan.add(name, 5000 * (index + 1))
    expect(timers.size).toBe(1)
    const passed = passTo(5)
    plan.add('d', 6000)
    await passed
    await passTo(10)
    expect(ran).toEqual(['5: a', '10: b d'])
  })

  it('does nothing after its end', async () => {
    const { plan, ran, passTo } = open()
    plan.start()
    plan.add('a', 1)
    await plan.stop()
    plan.add('b', 1)
    await passTo(60)
    expect(ran).toEqual([])
  })
})
