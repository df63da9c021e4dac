import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../base/clock.ts'
import { TimerQueue } from './timer-queue.ts'

function handClock() {
  let nowMs = 0
  let timers: { readonly atMs: number; readonly run: () => void }[] = []
  const clock: Clock = {
    now: () => nowMs,
    after(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
  }
  const pass = (ms: number) => {
    const endMs = nowMs + ms
    for (;;) {
      const next = timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) break
      timers = timers.filter((one) => one !== next)
      nowMs = next.atMs
      next.run()
    }
    nowMs = endMs
  }
  return { clock, pass, timers: () => timers.length }
}

describe('TimerQueue', () => {
  it('calls back in order of time, then of setting, with one timer', () => {
    const { clock, pass, timers } = handClock()
    const woken: string[] = []
    const heap = new TimerQueue<string>(clock, (item) => woken.push(`${item}@${clock.now()}`))
    heap.set('a', 20)
    heap.set('b', 10)
    heap.set('c', 20)
    expect(timers()).toBe(1)
    pass(15)
    expect(woken).toEqual(['b@10'])
    pass(15)
    expect(woken).toEqual(['b@10', 'a@20', 'c@20'])
  })

  it('fires at the nearest multiple of a tick, in the order of the due times, which it reports', () => {
    const { clock, pass } = handClock()
    const woken: string[] = []
    const heap = new TimerQueue<string>(clock, (item, dueMs) => woken.push(`${item}@${clock.now()} for ${dueMs}`), 100)
    heap.set('late', 149)
    heap.set('early', 51)
    heap.set('next', 150)
    heap.set('now', 30)
    pass(200)
    expect(woken).toEqual(['now@0 for 30', 'early@100 for 51', 'late@100 for 149', 'next@200 for 150'])
  })

  it('keeps the last due time of an item', () => {
    const { clock, pass } = handClock()
    const woken: string[] = []
    const heap = new TimerQueue<string>(clock, (item) => woken.push(`${item}@${clock.now()}`))
    heap.set('sooner', 50)
    heap.set('sooner', 5)
    heap.set('later', 5)
    heap.set('later', 50)
    heap.set('never', 7)
    heap.delete('never')
    pass(100)
    expect(woken).toEqual(['sooner@5', 'later@50'])
    heap.set('again', 200)
    heap.stop()
    pass(500)
    expect(woken).toHaveLength(2)
  })

  it('calls back once for each item, in order, for any sequence of calls', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 100 })), { maxLength: 60 }), (asked) => {
        const { clock, pass } = handClock()
        const woken: [number, number][] = []
        const heap = new TimerQueue<number>(clock, (item) => woken.push([item, clock.now()]))
        for (const [item, atMs] of asked) heap.set(item, atMs)
        pass(1000)
        expect(new Map(woken)).toEqual(new Map(asked))
        expect(woken.map(([, atMs]) => atMs)).toEqual([...woken.map(([, atMs]) => atMs)].sort((a, b) => a - b))
      }),
      { numRuns: 50 },
    )
  })
})
