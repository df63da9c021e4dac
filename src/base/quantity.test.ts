import { describe, expect, it } from 'vitest'
import { canonicalQuantity, compareQuantities, parseQuantity, readQuantity } from './quantity.ts'

describe('canonicalQuantity()', () => {
  for (const [text, expected] of [
    ['0', '0'],
    ['0Mi', '0'],
    ['0.5', '500m'],
    ['1000m', '1'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['100m', '100m'],
    ['1024', '1024'],
    ['1024Mi', '1Gi'],
    ['1536Mi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['512', '512'],
    ['0.5Ki', '512'],
    ['1e3', '1e3'],
    ['1000e3', '1e6'],
    ['12e6', '12e6'],
    ['1.5G', '1500M'],
    ['+1', '1'],
    ['-1', '-1'],
    ['0.1n', '1n'],
    ['1.', '1'],
    ['.5', '500m'],
    ['1E', '1E'],
    ['1000E', '1000E'],
    ['9999Ei', '9223372036854775807'],
    ['1e999999999', '1e60'],
  ] as const)
    it(`writes ${text} as ${expected}`, () => expect(canonicalQuantity(text)).toBe(expected))

  for (const text of ['', 'x', '1x', '1 ', '1Kii', '1e', '--1', '1.2.3', '.', 'Mi'])
    it(`rejects ${JSON.stringify(text)}`, () =>
      expect(typeof readQuantity(text) === 'string' || canonicalQuantity(text) === '0').toBe(true))
})

describe('compareQuantities()', () => {
  it('compares across formats', () => {
    expect(compareQuantities(parseQuantity('1Gi')!, parseQuantity('1G')!)).toBe(1)
    expect(compareQuantities(parseQuantity('1000m')!, parseQuantity('1')!)).toBe(0)
  })
})
