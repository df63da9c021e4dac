import { describe, expect, it } from 'vitest'
import { realClock } from '../base/clock.ts'
import { startWorkers } from './workers.ts'

describe('startWorkers()', () => {
  it('yields to the event loop between long reconciles that never wait', async () => {
    let nowMs = 0
    let turns = 0
    let reconciled = 0
    const turnsAtEnd = await new Promise<number>((resolve) => {
      const workers = startWorkers({
        name: 'test',
        clock: { now: () => nowMs, after: (_delayMs, run) => realClock.after(0, run) },
        async reconcile() {
          nowMs += 6
          if (++reconciled === 30) resolve(turns)
          return undefined
        },
      })
      const turn = () => {
        turns++
        if (reconciled < 30) realClock.after(0, turn)
      }
      turn()
      for (let key = 0; key < 30; key++) workers.queue.add(String(key))
    })
    // Two keys of 6 ms in each batch of 10 ms.
    expect(turnsAtEnd).toBeGreaterThanOrEqual(14)
  })
})
