import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packLine, packResult, unpackLine, unpackOutcomes } from './packed.ts'
import { sampleResult } from './testing/sample-result.ts'

describe('packLine()', () => {
  it('writes changes only', () => expect(packLine([0, 0, 3, 3, 5, 0])).toEqual([2, 3, 2, 2, 1, -5]))

  it('is undone by unpackLine()', () => {
    const values = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 })
    fc.assert(
      fc.property(values, (line) => {
        expect(unpackLine(packLine(line), line.length)).toEqual(line)
      }),
    )
  })
})

describe('packResult()', () => {
  it('is undone by unpackOutcomes()', () => {
    const result = sampleResult({ runs: 3 })
    const packed = packResult(result)
    expect(unpackOutcomes(JSON.parse(JSON.stringify(packed)))).toEqual(result.outcomes)
  })

  it('leaves the sources out: they stand in the page as text', () => expect(packResult(sampleResult())).not.toHaveProperty('sources'))
})
