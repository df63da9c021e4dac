import { describe, expect, it } from 'vitest'
import { EventTimes, eventTimeMs, type TimedEvent } from './event-expiry.ts'

const minute = 60_000

describe('EventTimes', () => {
  const fill = (times: EventTimes, namespace: string, count: number) => {
    for (let at = 0; at < count; at++) times.set(namespace, `event-${at}`, at * minute)
  }
  const names = (taken: readonly TimedEvent[]) => taken.map(({ namespace, name }) => `${namespace}/${name}`).sort()

  it('gives up each event once, when its time is over', () => {
    const times = new EventTimes()
    fill(times, 'a', 3)
    times.set('a', 'event-0', 5 * minute)
    times.delete('a', 'event-1')
    expect(names(times.take(2 * minute, 100))).toEqual(['a/event-2'])
    expect(names(times.take(2 * minute, 100))).toEqual([])
    expect(names(times.take(5 * minute, 100))).toEqual(['a/event-0'])
    expect(times.size).toBe(0)
  })

  it('gives up the oldest when there are too many, and none of a namespace with less than its share', () => {
    const times = new EventTimes()
    fill(times, 'few', 2)
    fill(times, 'many', 10)
    fill(times, 'more', 20)
    const taken = times.take(-1, 16)
    expect(times.size).toBe(16)
    expect(names(taken.filter(({ namespace }) => namespace === 'many'))).toEqual(['many/event-0', 'many/event-1', 'many/event-2'])
    expect(taken.filter(({ namespace }) => namespace === 'more').map(({ timeMs }) => timeMs / minute)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ])
    expect(taken.filter(({ namespace }) => namespace === 'few')).toEqual([])
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
    ['now if it has no time', {}, 0],
  ])('is %s', (_, event, expected) => {
    expect(eventTimeMs(event as never, now) - now).toBe(expected)
  })
})
