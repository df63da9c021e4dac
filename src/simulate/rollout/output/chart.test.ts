import { describe, expect, it } from 'vitest'
import type { Outcome, Series } from '../result.ts'
import { renderChart } from './chart.ts'
import { renderCharts } from './summary.ts'

const style = { width: 80, hasColour: false, isUtf8: true }
/** 50 pods, of which 2 are left, and then none. */
const series: Series = {
  times: [0, 10_000, 20_000, 30_000],
  layers: [{ revision: 1, state: 'ready', values: [50, 2, 0, 0] }],
  desired: [50, 2, 0, 0],
  cap: [50, 2, 0, 0],
  available: [50, 2, 0, 0],
  nodes: [1, 1, 1, 1],
}

describe('renderChart()', () => {
  it('shows few pods beside many, and no pods as none', () => {
    const lines = renderChart(style, series, { width: 15, rows: 5, most: 50, untilMs: 30_000 })
    expect(lines).toEqual(['50 █████', '   █████', '   █████', '   █████', '   █████████', '   0        30s'])
  })
})

describe('renderCharts()', () => {
  it('names a policy that adds to another one by what it adds, wherever that stands', () => {
    const outcomes = (['None', 'TerminationComplete', 'TerminationComplete+terminatingAsActive'] as const).map((policy) => ({
      policy,
      series,
    }))
    expect(renderCharts(style, outcomes as unknown as Outcome[])[0]).toBe('no policy, TerminationComplete, +terminatingAsActive')
  })
})
