import { describe, expect, it } from 'vitest'
import type { Clock } from '../base/clock.ts'
import { WorkQueue } from './work-queue.ts'

/** A clock that the test moves. */
function handClock(): Clock & { advance(ms: number): void } {
  let now = 0
  let sequence = 0
  const timers = new Map<number, { atMs: number; run: () => void }>()
  return {
    now: () => now,
    after(delayMs, run) {
      const id = sequence++
      timers.set(id, { atMs: now + delayMs, run })
      return () => timers.delete(id)
    },
    advance(ms) {
      now += ms
      for (const [id, { atMs, run }] of [...timers]) {
        if (atMs > now) continue
        timers.delete(id)
        run()
      }
    },
  }
}

describe('WorkQueue', () => {
  it('returns a key once, however often it was added', () => {
    const queue = new WorkQueue({ clock: handClock() })
    queue.add('a')
    queue.add('b')
    queue.add('a')
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['a', 'b', undefined])
  })

  it('returns a key once more when it was added while being processed', () => {
    const queue = new WorkQueue({ clock: handClock() })
    queue.add('a')
    queue.take()
    queue.add('a')
    queue.add('a')
    expect(queue.take()).toBeUndefined()
    queue.done('a')
    expect(queue.take()).toBe('a')
    queue.done('a')
    expect(queue.take()).toBeUndefined()
  })

  it('uses the shortest of several delays', () => {
    const clock = handClock()
    const queue = new WorkQueue({ clock })
    queue.addAfter('a', 100)
    queue.addAfter('a', 50)
    queue.addAfter('a', 200)
    clock.advance(49)
    expect(queue.length).toBe(0)
    clock.advance(1)
    expect(queue.take()).toBe('a')
    queue.done('a')
    clock.advance(1000)
    expect(queue.length).toBe(0)
  })

  it('doubles the delay with each failure until the key is forgotten', () => {
    const clock = handClock()
    const queue = new WorkQueue({ clock, firstDelayMs: 5, maxDelayMs: 15 })
    const delays: number[] = []
    for (let i = 0; i < 4; i++) {
      queue.addAfterFailure('a')
      let waited = 0
      while (queue.length === 0) {
        clock.advance(1)
        waited++
      }
      delays.push(waited)
      queue.take()
      queue.done('a')
    }
    expect(delays).toEqual([5, 10, 15, 15])
    queue.forget('a')
    expect(queue.failures('a')).toBe(0)
  })

  it('calls the listener when a key becomes ready', () => {
    const queue = new WorkQueue({ clock: handClock() })
    let readyCount = 0
    queue.onReady = () => readyCount++
    queue.add('a')
    queue.add('a')
    queue.take()
    queue.add('a')
    expect(readyCount).toBe(1)
    queue.done('a')
    expect(readyCount).toBe(2)
  })

  it('adds no key after it was closed, delayed ones included', () => {
    const clock = handClock()
    const queue = new WorkQueue({ clock })
    queue.addAfter('a', 10)
    queue.close()
    queue.add('b')
    clock.advance(100)
    expect(queue.length).toBe(0)
  })

  it('waits for the minimum interval after a key was processed, and keeps keys that are added meanwhile', () => {
    const clock = handClock()
    const queue = new WorkQueue({ clock, minIntervalMs: 100 })
    queue.add('a')
    expect(queue.take()).toBe('a')
    queue.add('a')
    queue.done('a')
    queue.add('a')
    queue.add('b')
    expect([queue.take(), queue.take()]).toEqual(['b', undefined])
    clock.advance(99)
    expect(queue.take()).toBeUndefined()
    clock.advance(1)
    expect([queue.take(), queue.take()]).toEqual(['a', undefined])
    queue.done('a')
    clock.advance(100)
    queue.add('a')
    expect(queue.take()).toBe('a')
  })
})
