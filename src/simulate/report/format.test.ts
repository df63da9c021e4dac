import { describe, expect, it } from 'vitest'
import { formatDuration, formatNumber, formatShare, formatTick } from './format.ts'

describe('formatDuration()', () => {
  const rows: readonly [number, string][] = [
    [0, '0s'],
    [850, '850ms'],
    [4200, '4.2s'],
    [59_960, '1m 00s'],
    [65_000, '1m 05s'],
    [3_599_700, '1h 00m'],
    [7_380_000, '2h 03m'],
    [273_600_000, '3d 4h'],
  ]
  for (const [ms, text] of rows) it(text, () => expect(formatDuration(ms)).toBe(text))
})

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

describe('formatShare()', () => {
  it('never writes all for almost all', () => expect(formatShare(0.9996)).toBe('99.9 %'))
  it('writes all for all', () => expect(formatShare(1)).toBe('100 %'))
  it('does not lose a tenth to floating point', () => expect(formatShare(0.29)).toBe('29 %'))
})
