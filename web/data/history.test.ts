import { describe, expect, it } from 'vitest'
import { History } from './history.ts'

const counts = (ready: number) => ({ layers: new Map([['1-ready', ready]]), desired: 2, cap: 3, available: ready, nodes: 1 })

describe('History', () => {
  it('has a point where something changed, and repeats the last values at the end', () => {
    const history = new History()
    history.add(1000, counts(1))
    history.add(2000, counts(1))
    history.add(3000, counts(2))
    expect(history.view(5000)).toEqual({
      startMs: 1000,
      times: [0, 2000, 4000],
      layers: [{ revision: 1, state: 'ready', values: [1, 2, 2] }],
      desired: [2, 2, 2],
      cap: [3, 3, 3],
      available: [1, 2, 2],
      nodes: [1, 1, 1],
    })
  })

  it('takes the last of several changes in one moment', () => {
    const history = new History()
    history.add(1000, counts(1))
    history.add(1000, counts(2))
    expect(history.view(1000)).toMatchObject({ times: [0], available: [2] })
  })

  it('stays small, and keeps the peak', () => {
    const history = new History(100)
    for (let index = 0; index < 10_000; index++) history.add(index, counts(index === 137 ? 999 : index % 7))
    expect(history.view(10_000).times.length).toBeLessThanOrEqual(101)
    expect(history.peak).toBe(999)
  })
})
