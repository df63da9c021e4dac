import { describe, expect, it } from 'vitest'
import type { RankedCombination } from '../compare-settings.ts'
import type { Measures } from '../result.ts'
import { renderAdvice, renderSettings, renderUnmet } from './settings-table.ts'

const style = { width: 80, hasColour: false, isUtf8: true }
const one = (value: string, seconds: number | undefined, failures: readonly string[] = [], failedRuns?: number): RankedCombination => ({
  combination: { policy: 'None', values: [{ setting: 'maxSurge', value }] },
  measures: {
    peakPods: 4,
    ...(seconds !== undefined && { completeAfterMs: seconds * 1000 }),
    lowestAvailability: 1,
    peakNodes: 2,
    nodeMinutes: 3,
  } as Measures,
  failures,
  ...(failedRuns !== undefined && { failedRuns }),
  missed: 0,
})

describe('renderSettings()', () => {
  it('says which combinations fail, and of several runs in how many', () => {
    const ranked = [
      one('2', 20, [], 0),
      one('1', 30, ['completes: no (1 of 10 runs, such as seed 4)'], 1),
      one('0', undefined, ['completes: no'], 9),
    ]
    expect(renderSettings({ ...style, width: 100 }, 'web', ranked, { runs: 10, seed: 1 }).slice(2)).toEqual([
      'maxSurge  policy     peak pods  complete  available  nodes  node-minutes',
      '2         no policy          4       20s       100%      2             3',
      '1         no policy          4       30s       100%      2             3  fails in 1 of 10 runs',
      '0         no policy          4     never       100%      2             3  fails in 9 of 10 runs',
      'The table has the medians of all runs; the node-minutes are those of seed 1.',
    ])
    expect(renderSettings({ ...style, width: 100 }, 'web', [one('1', 30, ['completes: no'])], { runs: 1, seed: 1 }).at(-1)).toMatch(
      / 3 {2}not as expected$/,
    )
  })
})

describe('renderSettings() where there is little room', () => {
  const ranked = [one('2', 20, [], 0), one('1', 30, ['completes: no'], 1)]

  it('has titles of two lines, and neither the policy that all have nor long notes', () => {
    expect(renderSettings(style, 'web, no policy', ranked, { runs: 10, seed: 1 }).slice(2)).toEqual([
      'max    peak                                node-',
      'Surge  pods  complete  available  nodes  minutes',
      '2         4       20s       100%      2        3',
      '1         4       30s       100%      2        3  1 of 10 fail',
      'The table has the medians of all runs; the node-minutes are those of seed 1.',
    ])
  })

  it('has no node-minutes where there is less', () => {
    const wide = ranked.map((each) => ({ ...each, combination: { ...each.combination, policy: 'TerminationComplete' as const } }))
    const mixed = [wide[0]!, ranked[1]!]
    const lines = renderSettings({ ...style, width: 76 }, 'web', mixed, { runs: 10, seed: 1 }).slice(2)
    expect(lines[1]).toBe('Surge  policy               pods  complete  available  nodes')
    expect(lines.at(-1)).toBe('The table has the medians of all runs.')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(76)
  })
})

describe('renderUnmet()', () => {
  it('names each expectation that is not met once, with what the first combination is like', () => {
    const ranked = [
      one('2', 20),
      one('1', 30, ['peakPods <= 3: it is 4']),
      one('0', 9, ['ends: 1 pod is still terminating', 'peakPods <= 3: it is 9']),
    ]
    expect(renderUnmet(style, ranked, ['completes', 'ends', 'peakPods <= 3'])).toEqual([
      '',
      'Not as expected:',
      '- peakPods <= 3: not met by 2 combinations. The first of them: it is 4',
      '- ends: not met by 1 combination: 1 pod is still terminating',
    ])
    expect(renderUnmet(style, [one('2', 20)], [])).toEqual([])
  })
})

describe('renderAdvice()', () => {
  it('says in how many runs the closest fails', () => {
    const lines = renderAdvice(style, [one('1', 30, ['completes: no'], 1)], [], 10)
    expect(lines.join(' ')).toContain('The closest: maxSurge 1, no policy (fails in 1 of 10 runs).')
  })
})
