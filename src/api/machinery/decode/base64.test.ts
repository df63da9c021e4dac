import { describe, expect, it } from 'vitest'
import { canonicalBase64 } from './base64.ts'

describe('canonicalBase64()', () => {
  it.each([
    ['', ''],
    ['YWJj', 'YWJj'],
    ['YWI=', 'YWI='],
    ['YWJ=', 'YWI='],
    ['YR==', 'YQ=='],
    ['YW\r\nI=', 'YWI='],
    ['YWI', 0],
    ['YWJjYQ', 4],
    ['Y===', 1],
    ['=', 0],
    ['YQ=', 3],
    ['YQ=a', 2],
    ['YQ==YQ==', 4],
    ['YW-j', 2],
  ])('of %j is %j', (text, expected) => {
    expect(canonicalBase64(text)).toBe(expected)
  })
})
