import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countScale, timeScale } from './scale.ts'

describe('countScale()', () => {
  const rows: readonly [number, number[]][] = [
    [0, [0, 1]],
    [1, [0, 1]],
    [13, [0, 5, 10, 15]],
    [20, [0, 5, 10, 15, 20]],
    [88, [0, 25, 50, 75, 100]],
    [12_501, [0, 5000, 10_000, 15_000]],
  ]
  for (const [most, ticks] of rows)
    it(`reaches ${most} in round steps`, () => expect(countScale(most)).toEqual({ max: ticks.at(-1), ticks }))

  it('has room for every value, and wastes less than a step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (most) => {
        const { max, ticks } = countScale(most)
        expect(max).toBeGreaterThanOrEqual(most)
        expect(max - most).toBeLessThan(ticks[1]!)
        expect(ticks.length).toBeLessThanOrEqual(6)
        expect(ticks.every(Number.isInteger)).toBe(true)
      }),
    )
  })
})

describe('timeScale()', () => {
  const rows: readonly [string, number, number, number[]][] = [
    ['seconds', 40_000, 5, [0, 10_000, 20_000, 30_000, 40_000]],
    ['half minutes', 130_000, 5, [0, 30_000, 60_000, 90_000, 120_000]],
    ['days', 4 * 86_400_000, 4, [0, 1, 2, 3, 4].map((day) => day * 86_400_000)],
    ['more than a day', 100 * 86_400_000, 4, [0, 25, 50, 75, 100].map((day) => day * 86_400_000)],
    ['an empty run', 0, 5, [0, 1]],
  ]
  for (const [name, endMs, count, ticks] of rows) it(name, () => expect(timeScale(endMs, count).ticks).toEqual(ticks))

  it('ends where the run ends', () => expect(timeScale(123_456, 6).max).toBe(123_456))
})
