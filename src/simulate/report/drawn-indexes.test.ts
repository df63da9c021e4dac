import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawnIndexes } from './drawn-indexes.ts'

describe('drawnIndexes()', () => {
  const times = Array.from({ length: 100_000 }, (_, index) => index)
  const flat = times.map(() => 10)

  it('draws few of many points', () => {
    const indexes = drawnIndexes(times, [flat], 100)
    expect(indexes.length).toBeLessThanOrEqual(4 * 1000)
    expect(indexes[0]).toBe(0)
    expect(indexes.at(-1)).toBe(99_999)
  })

  it('draws every point where there is room', () => expect(drawnIndexes([0, 1, 5], [[1, 2, 3]], 0.5)).toEqual([0, 1, 2]))

  it('keeps a peak and a dip of one moment, each of another line', () => {
    const peak = flat.map((value, index) => (index === 51_234 ? 99 : value))
    const dip = flat.map((value, index) => (index === 71_357 ? 0 : value))
    const indexes = drawnIndexes(times, [peak, dip], 1000)
    expect(indexes).toContain(51_234)
    expect(indexes).toContain(71_357)
  })

  it('keeps the extremes of every line in every column', () => {
    const run = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 50 })), {
      minLength: 1,
      maxLength: 200,
    })
    fc.assert(
      fc.property(run, fc.integer({ min: 1, max: 40 }), (steps, columnMs) => {
        let now = 0
        const moments = steps.map(([distance]) => {
          now += distance
          return now
        })
        const lines = [steps.map(([, value]) => value), steps.map(([, , value]) => value)]
        const indexes = drawnIndexes(moments, lines, columnMs)
        expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b))
        for (const line of lines)
          for (const pick of [Math.max, Math.min])
            for (const column of new Set(moments.map((time) => Math.floor(time / columnMs)))) {
              const inColumn = (index: number) => Math.floor(moments[index]! / columnMs) === column
              const all = line.filter((_, index) => inColumn(index))
              const drawn = indexes.filter(inColumn).map((index) => line[index]!)
              expect(pick(...drawn)).toBe(pick(...all))
            }
      }),
      { numRuns: 60 },
    )
  })
})
