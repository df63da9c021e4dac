import { describe, expect, it } from 'vitest'
import { readDurationMs } from './duration.ts'

describe('readDurationMs()', () => {
  it.each([
    ['250ms', 250],
    [' 1h30m ', 5_400_000],
    ['1.5s', 1500],
    ['2d', 172_800_000],
    ['', undefined],
    ['5', undefined],
    ['5s 5s', undefined],
    ['1.s', 1000],
    ['.5s', 500],
    ['.s', undefined],
    ['5µs', 0.005],
    ['-5s', undefined],
    ['5x', undefined],
  ])('reads %j', (text, expected) => {
    expect(readDurationMs(text)).toBe(expected)
  })

  it('refuses a long one at once', { timeout: 2000 }, () => {
    expect(readDurationMs(`${'1'.repeat(200_000)}x`)).toBeUndefined()
  })
})
