import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WorkBudget } from '../work-budget.ts'
import { isMatch, matchingLength } from './pattern.ts'

const matches = (text: string, pattern: string) => isMatch(text, pattern, new WorkBudget())

describe('isMatch()', () => {
  it.each<[pattern: string, matching: string[], others: string[]]>([
    ['', [''], ['a']],
    ['*', ['', 'a', 'a/b\nc'], []],
    ['a*b', ['ab', 'axxb', 'abab'], ['a', 'aba']],
    ['*a*b*c', ['abc', 'xaxbxc', 'ccabc'], ['acb', 'ab']],
    ['?', ['a', '*'], ['', 'ab']],
    ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
    ['[!a-c]', ['d', '!'], ['a', '']],
    ['[]x]', [']', 'x'], ['[']],
    ['a[', ['a['], ['a']],
    ['\\*', ['*'], ['a', '\\*']],
    ['a.c', ['a.c'], ['abc']],
  ])('%s', (pattern, matching, others) => {
    expect(matching.filter((text) => !matches(text, pattern))).toEqual([])
    expect(others.filter((text) => matches(text, pattern))).toEqual([])
  })

  it('agrees with a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 })
    const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 })
    fc.assert(
      fc.property(texts, letters, (text, pattern) => {
        const source = pattern.replace(/\*/g, '.*').replace(/\?/g, '.')
        expect(matches(text, pattern)).toBe(new RegExp(`^${source}$`).test(text))
        for (const isAtEnd of [false, true])
          for (const isLongest of [false, true]) {
            const lengths = Array.from({ length: text.length + 1 }, (_, length) => length).filter((length) =>
              matches(isAtEnd ? text.slice(text.length - length) : text.slice(0, length), pattern),
            )
            const wanted = isLongest ? lengths.at(-1) : lengths[0]
            expect(matchingLength(text, pattern, isAtEnd, isLongest, new WorkBudget())).toBe(wanted)
          }
      }),
      { seed: 1 },
    )
  })
})
