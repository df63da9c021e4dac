import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../base/virtual-clock.ts'
import { createRateLimiter } from './rate-limiter.ts'

describe('createRateLimiter()', () => {
  it('allows a burst, then the given rate, in order', async () => {
    const clock = new VirtualClock({ startMs: 0 })
    const limiter = createRateLimiter({ clock, qps: 10, burst: 3 })
    const sent: [number, number][] = []
    for (let request = 0; request < 6; request++) void limiter.acquire().then(() => sent.push([request, clock.now()]))
    await clock.advance(1000)
    expect(sent).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 100],
      [4, 200],
      [5, 300],
    ])
  })

  it('accumulates no more than a burst while idle', async () => {
    const clock = new VirtualClock({ startMs: 0 })
    const limiter = createRateLimiter({ clock, qps: 10, burst: 2 })
    await clock.advance(60_000)
    const sent: number[] = []
    for (let request = 0; request < 4; request++) void limiter.acquire().then(() => sent.push(clock.now() - 60_000))
    await clock.advance(1000)
    expect(sent).toEqual([0, 0, 100, 200])
  })

  it('rejects limits that would send nothing', () => {
    expect(() => createRateLimiter({ clock: new VirtualClock(), qps: 0, burst: 1 })).toThrow('Cannot limit requests to 0 a second')
  })
})
