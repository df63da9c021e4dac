import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyJson, isEqualJson } from './json.ts'

describe('isEqualJson()', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['the same number', 1, 1, true],
    ['a number and a string', 1, '1', false],
    ['objects with fields in another order', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ['an absent and an undefined field', {}, { a: undefined }, true],
    ['an absent field and null', {}, { a: null }, false],
    ['a field that every object inherits', { constructor: undefined }, {}, true],
    ['a field named like an inherited one', { constructor: 1 }, {}, false],
    ['lists in another order', [1, 2], [2, 1], false],
    ['a list and its prefix', [1, 2], [1], false],
    ['an empty list and an empty object', [], {}, false],
    ['null and an object', null, {}, false],
  ])('compares %s', (_, a, b, isEqual) => {
    expect(isEqualJson(a, b)).toBe(isEqual)
    expect(isEqualJson(b, a)).toBe(isEqual)
  })

  it('finds a copy equal, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = JSON.parse(JSON.stringify(value), (_, one: unknown) =>
          typeof one === 'object' && one !== null && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).reverse()) : one,
        ) as unknown
        return isEqualJson(value, copy)
      }),
    )
  })
})

describe('copyJson()', () => {
  it('returns an equal value that shares nothing', () => {
    const parts = (value: unknown): object[] =>
      typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(parts)] : []
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = copyJson(value)
        expect(copy).toEqual(value)
        const own = new Set(parts(copy))
        expect(parts(value).filter((part) => own.has(part))).toEqual([])
      }),
    )
  })

  it('keeps a field that is called __proto__', () => {
    expect(JSON.stringify(copyJson(JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}')
  })
})
