import { describe, expect, it } from 'vitest'
import type { Measures, Outcome, Policy } from '../result.ts'
import { type RankedWorkload, renderRanking } from './ranking.ts'

const style = { width: 80, hasColour: false, isUtf8: true }

/** Peak pods and seconds until complete, by policy. */
function workload(name: string, cap: number, figures: Partial<Record<Policy, readonly [number, number | undefined]>>): RankedWorkload {
  const parts = Object.entries(figures).map(([policy, [peakPods, seconds]]) => ({
    policy: policy as Policy,
    measures: {
      cap,
      peakPods,
      peakOverCap: Math.max(0, peakPods - cap),
      ...(seconds !== undefined && { completeAfterMs: seconds * 1000 }),
    } as Measures,
  }))
  return { name: `Deployment shop/${name}`, parts: parts as unknown as Outcome[] }
}

describe('renderRanking()', () => {
  it('has the furthest over the cap first, then the largest', () => {
    const lines = renderRanking(style, [
      workload('small', 4, { None: [4, 9], TerminationComplete: [4, 20] }),
      workload('large', 50, { None: [50, 9], TerminationComplete: [50, 20] }),
      workload('over', 13, { None: [20, 44], TerminationComplete: [13, 141] }),
    ])
    expect(lines).toEqual([
      '                            peak pods            until complete',
      '                       cap  no policy  Complete       no policy  Complete',
      'Deployment shop/over    13         20        13             44s    2m 21s',
      'Deployment shop/large   50         50        50              9s       20s',
      'Deployment shop/small    4          4         4              9s       20s',
    ])
  })

  it('shows policies with the same figures once, and a rollout that does not complete', () => {
    const lines = renderRanking(style, [
      workload('web', 4, { None: [5, 9], TerminationStarted: [5, 9], TerminationComplete: [4, undefined] }),
      workload('api', 4, { None: [5, 9], TerminationStarted: [5, 9], TerminationComplete: [4, 20] }),
    ])
    expect(lines[1]).toMatch(/^ +cap +no policy +Complete +no policy +Complete$/)
    expect(lines[2]).toMatch(/^Deployment shop\/web +4 +5 +4 +9s +never$/)
  })

  it('keeps the columns of outcomes apart where one is without a workload', () => {
    const lines = renderRanking(style, [
      workload('web', 4, { None: [6, 9], TerminationComplete: [4, 20] }),
      workload('api', 4, { None: [5, 9], TerminationStarted: [5, 11], TerminationComplete: [4, 20] }),
    ])
    expect(lines[1]).toMatch(/^ +cap +no policy +Complete +Started +no policy +Complete +Started$/)
    expect(lines[2]).toMatch(/^…nt shop\/web +4 +6 +4 +- +9s +20s +-$/)
    expect(lines[3]).toMatch(/^…nt shop\/api +4 +5 +4 +5 +9s +20s +11s$/)
  })

  it('shortens long names to the width, and a long list', () => {
    const lines = renderRanking(
      { ...style, width: 60 },
      Array.from({ length: 42 }, (_, index) => workload(`a-deployment-with-a-long-name-${index}`, 4, { None: [5, 9] })),
    )
    expect(lines.every((line) => line.length <= 60)).toBe(true)
    expect(lines[2]).toMatch(/^….*-with-a-long-name-0 /)
    expect(lines.at(-1)).toBe('and 2 more (--json)')
  })
})
