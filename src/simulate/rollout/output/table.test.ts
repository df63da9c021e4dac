import { describe, expect, it } from 'vitest'
import { sampleResult } from '../../report/testing/sample-result.ts'
import { policies } from '../result.ts'
import { renderTable } from './table.ts'

const style = { width: 80, hasColour: false, isUtf8: true }
const widthOf = (lines: readonly string[]) => Math.max(...lines.map(({ length }) => length))
const { outcomes } = sampleResult()

describe('renderTable()', () => {
  it('has the whole names of the policies where they fit', () => {
    const lines = renderTable(style, { outcomes, runs: 1 })
    expect(lines[1]).toMatch(/no policy +Started +Complete +\+terminatingAsActive$/)
    expect(widthOf(lines)).toBeLessThanOrEqual(80)
  })

  it.each([
    [9, ['worst']],
    [10, ['90% of runs within', 'worst']],
    [100, ['90% of runs within', '99% of runs within', 'worst']],
  ])('has the percentiles of %i runs that are not the worst of them', (runs, expected) => {
    const lines = renderTable(style, { outcomes: sampleResult({ runs }).outcomes, runs })
    const first = lines.findIndex((line) => line.startsWith('until complete'))
    expect(lines.slice(first + 1, first + 1 + expected.length).map((line) => line.trim().split(/ {2,}/)[0])).toEqual(expected)
  })

  it.each([
    [80, policies],
    [60, policies.slice(0, 4)],
  ])('fits %i columns with the policies %j', (width, shown) => {
    const lines = renderTable({ ...style, width }, { outcomes: shown.map((policy) => ({ ...outcomes[0]!, policy })), runs: 1 })
    expect(lines[0]).toMatch(/^ +no policy +Started +Complete +\+asActive/)
    expect(lines[1]).toMatch(/^peak pods +\d+ +\d+ +\d+ +\d+/)
    expect(widthOf(lines)).toBeLessThanOrEqual(width)
  })
})
