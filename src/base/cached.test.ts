import { describe, expect, test } from 'vitest'
import { cached } from './cached.ts'

describe('cached', () => {
  test('computes a result once, also an undefined one', () => {
    const calls: string[] = []
    const lengthOf = cached(10, (text) => {
      calls.push(text)
      return text === '' ? undefined : text.length
    })
    expect([lengthOf('ab'), lengthOf(''), lengthOf('ab'), lengthOf('')]).toEqual([2, undefined, 2, undefined])
    expect(calls).toEqual(['ab', ''])
  })

  test('is emptied when it is full', () => {
    const calls: string[] = []
    const read = cached(2, (text) => calls.push(text))
    for (const text of ['a', 'b', 'c', 'a', 'c']) read(text)
    expect(calls).toEqual(['a', 'b', 'c', 'a'])
  })

  test.each([
    ['is emptied when its keys have more than a million characters', 600_000, ['a', 'b', 'a']],
    ['does not have a key of more than a million characters', 1_000_001, ['a', 'a', 'b', 'a']],
  ])('%s', (_, length, expected) => {
    const calls: string[] = []
    const read = cached(10, (text) => calls.push(text[0]!))
    for (const letter of ['a', 'a', 'b', 'a']) read(letter.repeat(length))
    expect(calls).toEqual(expected)
  })

  test('does not cache an exception', () => {
    let failures = 1
    const read = cached(10, (text) => {
      if (failures-- > 0) throw new Error('invalid')
      return text
    })
    expect(() => read('a')).toThrow('invalid')
    expect(read('a')).toBe('a')
  })
})
