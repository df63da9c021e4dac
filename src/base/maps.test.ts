import { describe, expect, it } from 'vitest'
import { addCount, getOrAdd, groupBy, SetMap } from './maps.ts'

describe('getOrAdd', () => {
  it('makes a value once', () => {
    const lists = new Map<string, number[]>()
    getOrAdd(lists, 'a', () => []).push(1)
    getOrAdd(lists, 'a', () => []).push(2)
    expect([...lists]).toEqual([['a', [1, 2]]])
  })

  it('takes a weak map', () => {
    const key = {}
    const known = new WeakMap<object, string>()
    expect([getOrAdd(known, key, () => 'first'), getOrAdd(known, key, () => 'second')]).toEqual(['first', 'first'])
  })
})

describe('addCount', () => {
  it('removes a count of zero', () => {
    const counts = new Map<string, number>()
    addCount(counts, 'a', 2)
    addCount(counts, 'b', 1)
    addCount(counts, 'a', -2)
    expect([...counts]).toEqual([['b', 1]])
  })
})

describe('groupBy', () => {
  it('keeps the order of keys and items', () => {
    expect([...groupBy([3, 1, 4, 1, 5], (number) => number % 2 === 0)]).toEqual([
      [false, [3, 1, 1, 5]],
      [true, [4]],
    ])
  })
})

describe('SetMap', () => {
  it('removes a key with its last value', () => {
    const values = new SetMap<string, number>()
    values.add('a', 1)
    values.add('a', 2)
    values.remove('a', 1)
    expect([...(values.get('a') ?? [])]).toEqual([2])
    values.remove('a', 2)
    expect(values.get('a')).toBeUndefined()
    values.remove('b', 1)
  })

  it('takes the values of a key out', () => {
    const values = new SetMap<string, number>()
    values.add('a', 1)
    expect([...values.take('a'), ...values.take('a')]).toEqual([1])
  })
})
