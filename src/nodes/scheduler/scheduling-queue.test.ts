import { describe, expect, it } from 'vitest'
import type { Clock } from '../../base/clock.ts'
import { readNeeds } from './pod-needs.ts'
import { SchedulingQueue } from './scheduling-queue.ts'
import { samplePod } from './testing/sample-objects.ts'

function openQueue() {
  let nowMs = 0
  const timers: { atMs: number; run: () => void }[] = []
  const clock: Clock = {
    now: () => nowMs,
    after(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0)
    },
  }
  const pass = (ms: number) => {
    nowMs += ms
    for (const timer of timers.filter(({ atMs }) => atMs <= nowMs)) {
      timers.splice(timers.indexOf(timer), 1)
      timer.run()
    }
  }
  const queue = new SchedulingQueue(clock, () => {})
  const add = (name: string, priority = 0, creationTimestamp = '2026-11-01T12:00:00Z') => {
    const pod = samplePod(name, { priority })
    return queue.add(readNeeds({ ...pod, metadata: { ...pod.metadata, creationTimestamp } }))
  }
  const take = () => queue.take()?.needs.uid
  return { queue, add, take, pass }
}

describe('SchedulingQueue', () => {
  it('takes the highest priority first, then the oldest, then the first added', () => {
    const { add, take } = openQueue()
    add('d')
    add('e')
    add('c', 0, '2026-11-01T11:00:00Z')
    add('b', 5)
    add('a', 9, '2026-11-01T13:00:00Z')
    expect([take(), take(), take(), take(), take(), take()]).toEqual(['a', 'b', 'c', 'd', 'e', undefined])
  })

  it('skips a removed pod', () => {
    const { queue, add, take } = openQueue()
    add('a', 9)
    add('b')
    queue.remove('a')
    expect([queue.size, take(), take()]).toEqual([1, 'b', undefined])
  })

  it('keeps an unschedulable pod until a change, and for its back-off', () => {
    const { queue, add, take, pass } = openQueue()
    const pod = add('a')
    take()
    queue.fail(pod, new Set())
    pass(100_000)
    expect(take()).toBeUndefined()
    queue.activate(pod)
    expect(take()).toBe('a')
    queue.fail(pod, new Set())
    queue.activate(pod)
    pass(1999)
    expect(take()).toBeUndefined()
    pass(1)
    expect(take()).toBe('a')
  })

  it('tries a pod again after five minutes without a change', () => {
    const { queue, add, take, pass } = openQueue()
    const pod = add('a')
    take()
    queue.fail(pod, new Set())
    pass(299_999)
    expect(take()).toBeUndefined()
    pass(1)
    expect(take()).toBe('a')
  })

  it('counts no attempt for a postponed pod', () => {
    const { queue, add, take } = openQueue()
    const pod = add('a')
    take()
    queue.postpone(pod, new Set())
    queue.activate(pod)
    expect(take()).toBe('a')
  })
})
