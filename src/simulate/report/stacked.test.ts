import { describe, expect, it } from 'vitest'
import { edgesOf, indexAt, peakIndex, stackOf } from './stacked.ts'

const series = {
  times: [0, 10, 20],
  layers: [
    { revision: 1, state: 'terminating', values: [0, 2, 0] },
    { revision: 2, state: 'ready', values: [0, 1, 3] },
    { revision: 1, state: 'ready', values: [3, 1, 0] },
  ],
  desired: [3, 3, 3],
  cap: [4, 4, 4],
  available: [3, 2, 3],
  nodes: [1, 1, 1],
} as const

describe('stackOf()', () => {
  const stack = stackOf(series)
  it('puts serving pods below terminating ones, and old revisions below new ones', () =>
    expect(stack.layers.map(({ key }) => key)).toEqual(['1-ready', '2-ready', '1-terminating']))
  it('adds all pods up', () => expect(stack.total).toEqual([3, 4, 3]))
  it('gives a hidden layer no height', () => {
    const edges = edgesOf(stack, ({ key }) => key !== '2-ready')
    expect(edges.map((edge) => [...edge])).toEqual([
      [3, 1, 0],
      [3, 1, 0],
      [3, 3, 0],
    ])
  })
  it('allows the pods that a smaller cap leaves behind, until they are gone', () => {
    const pods = [5, 5, 4, 5, 3, 4]
    const layers = [{ revision: 1, state: 'ready' as const, values: pods }]
    const same = { times: [0, 1, 2, 3, 4, 5], desired: pods, available: pods, nodes: pods }
    expect(stackOf({ ...same, layers, cap: [6, 3, 3, 3, 3, 3] }).allowed).toEqual([6, 5, 4, 4, 3, 3])
  })
  it('finds the first peak', () => expect(peakIndex(stack.total)).toBe(1))
})

describe('indexAt()', () => {
  for (const [atMs, index] of [
    [-5, 0],
    [0, 0],
    [9, 0],
    [10, 1],
    [19.9, 1],
    [20, 2],
    [99, 2],
  ] as const)
    it(`at ${atMs} holds what came at ${series.times[index]}`, () => expect(indexAt(series.times, atMs)).toBe(index))
})

it('counts pods that wait for the pacer as height, not as pods', () => {
  const layers = [
    { revision: 1, state: 'ready' as const, values: [3, 3] },
    { revision: 2, state: 'waiting' as const, values: [0, 2] },
  ]
  const { total, height } = stackOf({ times: [0, 1], layers, desired: [3, 3], cap: [3, 3], available: [3, 3], nodes: [1, 1] })
  expect([total, height]).toEqual([
    [3, 3],
    [3, 5],
  ])
})
