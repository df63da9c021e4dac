import { describe, expect, it } from 'vitest'
import { runSlowStart } from './slow-start.ts'

describe('runSlowStart()', () => {
  /** Records how many were started in each batch. */
  const run = async (count: number, failAt?: number) => {
    const batches: number[] = []
    let started = 0
    const result = await runSlowStart(count, async (index) => {
      if (++started === 1)
        queueMicrotask(() => {
          batches.push(started)
          started = 0
        })
      await Promise.resolve()
      if (index === failAt) throw new Error(`failed at ${index}`)
    })
    return { ...result, batches }
  }

  it.each([
    [0, []],
    [1, [1]],
    [7, [1, 2, 4]],
    [12, [1, 2, 4, 5]],
    [500, [1, 2, 4, 8, 16, 32, 64, 128, 245]],
  ])('runs %d in batches of %j', async (count, batches) => {
    expect(await run(count)).toEqual({ successes: count, batches })
  })

  it('finishes the batch with a failure and starts no other', async () => {
    const { successes, error, batches } = await run(500, 4)
    expect(batches).toEqual([1, 2, 4])
    expect(successes).toBe(6)
    expect(error).toEqual(new Error('failed at 4'))
  })
})
