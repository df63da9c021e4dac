import { describe, expect, it } from 'vitest'
import { Expectations } from './expectations.ts'

const clockAt = (time: { now: number }) => ({ now: () => time.now, after: () => () => {} })

describe('Expectations', () => {
  it('are satisfied before anything was asked for', () => {
    expect(new Expectations(clockAt({ now: 0 })).isSatisfied('a')).toBe(true)
  })

  it('wait for every creation', () => {
    const expectations = new Expectations(clockAt({ now: 0 }))
    expectations.expectCreations('a', 2)
    expectations.creationObserved('a')
    expect(expectations.isSatisfied('a')).toBe(false)
    expect(expectations.isSatisfied('b')).toBe(true)
    expectations.creationObserved('a')
    expect(expectations.isSatisfied('a')).toBe(true)
  })

  it('wait for each deletion once, however often it is seen', () => {
    const expectations = new Expectations(clockAt({ now: 0 }))
    expectations.expectDeletions('a', ['x', 'y'])
    expectations.deletionObserved('a', 'x')
    expectations.deletionObserved('a', 'x')
    expect(expectations.isSatisfied('a')).toBe(false)
    expectations.deletionObserved('a', 'y')
    expect(expectations.isSatisfied('a')).toBe(true)
  })

  it('do not count what was not asked for', () => {
    const expectations = new Expectations(clockAt({ now: 0 }))
    expectations.creationObserved('a')
    expectations.expectCreations('a', 1)
    expect(expectations.isSatisfied('a')).toBe(false)
  })

  it('are given up after five minutes', () => {
    const time = { now: 0 }
    const expectations = new Expectations(clockAt(time))
    expectations.expectCreations('a', 1)
    time.now = 300_000
    expect(expectations.isSatisfied('a')).toBe(false)
    time.now = 300_001
    expect(expectations.isSatisfied('a')).toBe(true)
  })
})
