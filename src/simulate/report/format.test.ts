import { describe, expect, it } from 'vitest'
import { formatNumber, formatTick } from './format.ts'

describe('formatTick()', () => {
  for (const [ms, text] of [
    [0, '0'],
    [500, '500ms'],
    [30_000, '30s'],
    [90_000, '1m30s'],
    [7_200_000, '2h'],
    [86_400_000, '1d'],
  ] as const)
    it(text, () => expect(formatTick(ms)).toBe(text))
})

describe('formatNumber()', () => {
  for (const [value, text] of [
    [7, '7'],
    [3.14, '3.1'],
    [99.96, '100'],
    [1234.5, '1,235'],
    [1_234_567, '1,234,567'],
    [-1200, '-1,200'],
  ] as const)
    it(text, () => expect(formatNumber(value)).toBe(text))
})
