import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countCommon,
  countOf,
  firstFreeIndexes,
  formatIndexes,
  hasIndex,
  mergeIndexes,
  noIndexes,
  parseIndexes,
  withIndexes,
} from './indexes.ts'

const most = 40
const sets = fc.uniqueArray(fc.integer({ min: 0, max: most - 1 })).map((list) => list.sort((a, b) => a - b))
const of = (list: readonly number[]) => withIndexes(noIndexes, list)

describe('sets of indexes', () => {
  it.each([
    ['nothing', [], ''],
    ['one', [3], '3'],
    ['two neighbours', [3, 4], '3,4'],
    ['three in a row', [3, 4, 5], '3-5'],
    ['some of each', [0, 2, 3, 5, 6, 7, 9], '0,2,3,5-7,9'],
  ])('are formatted: %s', (_, list, text) => {
    expect(formatIndexes(of(list))).toBe(text)
  })

  it.each([
    ['formatted indexes', '0,2,3,5-7,9', 40, '0,2,3,5-7,9'],
    ['only those below the completions', '0,2-9,11', 6, '0,2-5'],
    ['neighbours as one', '1,2,3', 40, '1-3'],
    ['only valid parts', '1,x,3-y,5', 40, '1,5'],
    ['nothing', '', 40, ''],
  ])('are parsed: %s', (_, text, completions, expected) => {
    expect(formatIndexes(parseIndexes(text, completions))).toBe(expected)
  })

  it('behave like sets', () => {
    fc.assert(
      fc.property(sets, sets, fc.integer({ min: 0, max: most }), (left, right, count) => {
        const [a, b] = [of(left), of(right)]
        expect(parseIndexes(formatIndexes(a), most)).toEqual(a)
        expect(countOf(a)).toBe(left.length)
        const union = [...new Set([...left, ...right])]
        expect(mergeIndexes(a, b)).toEqual(of(union))
        expect(withIndexes(a, right)).toEqual(of(union))
        expect(countCommon(a, b)).toBe(left.filter((index) => right.includes(index)).length)
        for (let index = 0; index < most; index++) expect(hasIndex(a, index)).toBe(left.includes(index))
        const free = Array.from({ length: most }, (_, index) => index).filter((index) => !left.includes(index))
        expect(firstFreeIndexes(a, count, most)).toEqual(free.slice(0, count))
      }),
    )
  })
})
