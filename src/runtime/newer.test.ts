import { describe, expect, it } from 'vitest'
import { newerOf } from './newer.ts'

const state = (resourceVersion: string, uid = 'u') => ({ metadata: { name: 'a', uid, resourceVersion } })

describe('newerOf()', () => {
  it.each([
    ['nothing was written', '9', undefined, 'cached'],
    ['what was written is newer', '9', state('10'), 'written'],
    ['the copy is newer', '11', state('9'), 'cached'],
    ['both are the same', '9', state('9'), 'cached'],
    ['longer than any number', '90071992547409930', state('90071992547409931'), 'written'],
    ['another object of that name', '9', state('10', 'other'), 'cached'],
    ['versions that are no numbers', 'b', state('c'), 'cached'],
  ])('%s', (_, version, written, expected) => {
    const cached = state(version)
    expect(newerOf(cached, written)).toBe(expected === 'written' ? written : cached)
  })
})
