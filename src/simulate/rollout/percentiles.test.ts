import { describe, expect, it } from 'vitest'
import { percentilesOf, withMedians } from './percentiles.ts'
import type { Measures, Outcome } from './result.ts'

const run = (measures: Partial<Measures>) => measures as Measures
/** Seconds until complete. Undefined: never. */
const completing = (...seconds: readonly (number | undefined)[]) =>
  seconds.map((one, index) => run({ peakPods: index, ...(one !== undefined && { completeAfterMs: one * 1000 }) }))

describe('percentilesOf()', () => {
  it('counts a time that a run never reaches as longer than any other', () => {
    expect(percentilesOf(completing(30, undefined, 10, 20)).completeAfterMs).toEqual({ min: 10_000, p50: 20_000 })
    expect(percentilesOf(completing(1, 2, 3, 4, 5, 6, 7, 8, 9, undefined)).completeAfterMs).toEqual({ min: 1000, p50: 5000, p90: 9000 })
    expect(percentilesOf(completing(undefined, undefined, 10)).completeAfterMs).toEqual({ min: 10_000 })
  })

  it('has no times that no run reaches, and no other measure that some run is without', () => {
    expect(percentilesOf(completing(undefined, undefined))).toEqual({ peakPods: { min: 0, p50: 0, p90: 1, p99: 1, max: 1 } })
    expect(percentilesOf([run({ lowestAvailability: 1 }), run({})])).toEqual({})
  })
})

describe('withMedians()', () => {
  const median = (runs: readonly Measures[]) => withMedians({ measures: runs[0]!, spread: percentilesOf(runs) } as Outcome).measures

  it('has what half of the runs have, whatever the first is like', () => {
    expect(median(completing(undefined, 10, 20)).completeAfterMs).toBe(20_000)
    expect(median(completing(10, undefined, undefined))).toEqual({ peakPods: 1 })
  })
})
