import { expect, it } from 'vitest'
import { sampleResult } from '../report/testing/sample-result.ts'
import { differencesBetween, renderDifferences } from './compared-measures.ts'

const [sample] = sampleResult().outcomes
const outcome = (label: string, measures: object) => ({ ...sample!, label, measures: { ...sample!.measures, ...measures } })

it('says how far a simulation is from the recording', () => {
  const real = outcome('real.json', { peakPods: 20, completeAfterMs: 100_000, lowestAvailability: 0.8 })
  const simulated = outcome('simulated.json', { peakPods: 19, completeAfterMs: 104_000, lowestAvailability: 0.8 })
  const errors = new Map(differencesBetween(real, simulated).map(({ measure, error }) => [measure, error]))
  expect(errors.get('peakPods')).toBeCloseTo(-0.05)
  expect(errors.get('completeAfterMs')).toBeCloseTo(0.04)
  expect(errors.get('lowestAvailability')).toBe(0)
  const text = renderDifferences([real, simulated]).join('\n')
  expect(text).toMatch(/peak pods +20 +19 +-5\.0%/)
  expect(text).toMatch(/until complete +1m 40s +1m 44s +\+4\.0%/)
  expect(text).toContain('largest difference: 5.0%')
})

it('compares only what both have', () => {
  const { oldGoneAfterMs: _, ...rest } = sample!.measures
  const never = { ...sample!, label: 'b', measures: rest }
  expect(differencesBetween(sample!, never).map(({ measure }) => measure)).not.toContain('oldGoneAfterMs')
})
