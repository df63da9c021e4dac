import { describe, expect, it } from 'vitest'
import { DueTimes } from './due-times.ts'

const takeAll = (times: DueTimes<string>) => {
  const taken: string[] = []
  for (let due = times.takeDue(Number.POSITIVE_INFINITY); due !== undefined; due = times.takeDue(Number.POSITIVE_INFINITY))
    taken.push(due.item)
  return taken
}

describe('DueTimes', () => {
  it('orders by time, then by rank, then by the order of addition', () => {
    const times = new DueTimes<string>()
    times.add('late', 20)
    times.add('second', 10, 1)
    times.add('third', 10, 1)
    times.add('first', 10, 0)
    expect(takeAll(times)).toEqual(['first', 'second', 'third', 'late'])
  })

  it('returns an item only when it is due', () => {
    const times = new DueTimes<string>()
    times.add('a', 10)
    expect(times.takeDue(9)).toBeUndefined()
    expect(times.first?.atMs).toBe(10)
    expect(times.takeDue(10)).toMatchObject({ item: 'a', atMs: 10 })
    expect(times.first).toBeUndefined()
  })

  it('skips cancelled entries', () => {
    const times = new DueTimes<string>()
    const cancelled = times.add('a', 10)
    times.add('b', 20)
    cancelled.item = undefined
    expect(times.first?.item).toBe('b')
    expect(takeAll(times)).toEqual(['b'])
  })

  it('is empty after it was cleared', () => {
    const times = new DueTimes<string>()
    times.add('a', 10)
    times.clear()
    expect(takeAll(times)).toEqual([])
  })
})
