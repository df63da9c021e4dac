import { describe, expect, it } from 'vitest'
import type { Measures, Outcome } from '../rollout/result.ts'
import { bestOutcomes, measureRows } from './measure-rows.ts'
import { sampleResult } from './testing/sample-result.ts'

const [sample] = sampleResult().outcomes
const outcomeWith = (measures: Partial<Measures>): Outcome => ({ ...sample!, measures: { ...sample!.measures, ...measures } })
const row = (key: keyof Measures) => measureRows.find((one) => one.key === key)!

describe('bestOutcomes()', () => {
  it('takes the lower one', () => {
    const outcomes = [outcomeWith({ peakPods: 15 }), outcomeWith({ peakPods: 13 })]
    expect([...bestOutcomes(row('peakPods'), outcomes)]).toEqual([outcomes[1]])
  })
  it('takes the higher one where more is better', () => {
    const outcomes = [outcomeWith({ lowestAvailability: 0.8 }), outcomeWith({ lowestAvailability: 0.9 })]
    expect([...bestOutcomes(row('lowestAvailability'), outcomes)]).toEqual([outcomes[1]])
  })
  it('takes none where all are the same', () =>
    expect(bestOutcomes(row('peakPods'), [outcomeWith({ peakPods: 13 }), outcomeWith({ peakPods: 13 })]).size).toBe(0))
  it('takes none where all read the same, also one that does not complete', () => {
    const stuck = { ...outcomeWith({ peakPods: 13 }), stuck: ['Deployment default/web has 0 of 2 replicas available'] }
    expect(bestOutcomes(row('peakPods'), [stuck, outcomeWith({ peakPods: 13 })]).size).toBe(0)
  })
  it('takes both of two that read the same', () => {
    const outcomes = [10_010, 10_020, 90_000].map((completeAfterMs) => outcomeWith({ completeAfterMs }))
    expect([...bestOutcomes(row('completeAfterMs'), outcomes)]).toEqual(outcomes.slice(0, 2))
  })
  it('takes none where a recording stands beside its simulation', () => {
    const outcomes = [15, 13].map((peakPods) => ({ ...outcomeWith({ peakPods }), label: `${peakPods}.json` }))
    expect(bestOutcomes(row('peakPods'), outcomes).size).toBe(0)
  })
  it('does not take one that does not complete', () => {
    const stuck = { ...outcomeWith({ peakPods: 1 }), stuck: ['Deployment default/web has 0 of 2 replicas available'] }
    const outcomes = [stuck, outcomeWith({ peakPods: 13 })]
    expect([...bestOutcomes(row('peakPods'), outcomes)]).toEqual([outcomes[1]])
  })
  it('does not take one that never came', () => {
    const { completeAfterMs: _, ...never } = sample!.measures
    const outcomes = [{ ...sample!, measures: never }, outcomeWith({ completeAfterMs: 5 })]
    expect([...bestOutcomes(row('completeAfterMs'), outcomes)]).toEqual([outcomes[1]])
  })
})

describe('measureRows', () => {
  it('has every measure but the cap, which stands beside the pods', () => {
    const keys = measureRows.map(({ key }) => key)
    const ofLoads = ['lostLoad', 'lostRequests', 'smallestSize', 'largestSize', 'rescales', 'oscillations']
    const more = ['peakWaiting', 'neededDeadlineMs', 'cost', 'drainedAfterMs', ...ofLoads]
    expect(new Set([...keys, 'cap'])).toEqual(new Set([...Object.keys(sample!.measures), ...more]))
  })
})
