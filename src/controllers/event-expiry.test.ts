import { describe, expect, it } from 'vitest'
import { DueKeys, eventTimeMs } from './event-expiry.ts'

const minute = 60_000

describe('DueKeys', () => {
  it('gives each key once, when its minute is over, in the order in which they are due', () => {
    const due = new DueKeys()
    due.add('b', 3 * minute)
    due.add('c', 4 * minute)
    due.add('a', 2 * minute - 1)
    expect([...due.take(2 * minute - 1)]).toEqual([])
    expect([...due.take(3 * minute)]).toEqual(['a', 'b'])
    expect([...due.take(9 * minute)]).toEqual(['c'])
    expect([...due.take(9 * minute)]).toEqual([])
  })

  it('gives thousands of one minute in the order in which they came', () => {
    const due = new DueKeys()
    const keys = Array.from({ length: 1000 }, (_, at) => `default/event-${at}`)
    for (const key of keys) due.add(key, minute)
    expect([...due.take(minute)]).toEqual(keys)
  })
})

describe('eventTimeMs()', () => {
  const now = Date.parse('2026-01-01T12:00:00Z')

  it.each([
    ['the last of a series', { series: { lastObservedTime: '2026-01-01T11:59:00Z' }, lastTimestamp: '2026-01-01T11:00:01Z' }, -60_000],
    ['the last time', { lastTimestamp: '2026-01-01T11:58:00Z', metadata: { creationTimestamp: '2026-01-01T11:30:00Z' } }, -120_000],
    [
      'its creation where it claims the far past',
      { lastTimestamp: '2001-01-01T00:00:00Z', metadata: { creationTimestamp: '2026-01-01T11:59:59Z' } },
      -1000,
    ],
    [
      'its creation where it claims the future',
      { lastTimestamp: '2031-01-01T00:00:00Z', metadata: { creationTimestamp: '2026-01-01T11:59:59Z' } },
      -1000,
    ],
    ['now where it says nothing', {}, 0],
  ])('is %s', (_, event, expected) => {
    expect(eventTimeMs(event as never, now) - now).toBe(expected)
  })
})
