import { describe, expect, it } from 'vitest'
import { exceededCap } from './exceeded-cap.ts'
import type { Outcome } from './result.ts'

const outcome = (measures: object, cap: readonly number[], pods: readonly number[]) =>
  ({ measures, series: { cap, layers: [{ revision: 1, state: 'ready', values: pods }] } }) as unknown as Pick<
    Outcome,
    'measures' | 'series'
  >

describe('exceededCap()', () => {
  it.each([
    ['the only one', { cap: 13, peakOverCap: 7 }, [13, 13], [13, 20], 13],
    ['the one before a scale-up', { cap: 25, peakOverCap: 7 }, [13, 25], [20, 25], 13],
    ['the one after it', { cap: 25, peakOverCap: 3 }, [13, 25], [14, 28], 25],
    ['the highest where none was exceeded', { cap: 25, peakOverCap: 0 }, [13, 25], [13, 20], 25],
    ['the highest of several workloads', { cap: 25, peakOverCap: 4 }, [25], [22], 25],
    ['none where an autoscaler moves it', { cap: 25, peakOverCap: 7, rescales: 1 }, [13, 25], [20, 25], undefined],
  ] as const)('is %s', (_, measures, caps, pods, expected) => {
    expect(exceededCap(outcome(measures, caps, pods))).toBe(expected)
  })
})
