import { describe, expect, it } from 'vitest'
import { isEqualOptional, isEqualStruct } from './equality.ts'

describe('isEqualStruct()', () => {
  const rows: readonly [string, object, object, boolean][] = [
    ['an empty list is no list', { volumes: [] }, {}, true],
    ['an empty map is no map', { nodeSelector: {} }, {}, true],
    ['a zero is no value', { hostNetwork: false, hostname: '' }, {}, true],
    ['null is nothing', { containers: null }, { containers: [] }, true],
    ['a pointer to a zero is a value', { priority: 0 }, {}, false],
    ['a pointer to an empty struct is a value', { affinity: {} }, {}, false],
    ['amounts are compared by value', { overhead: { cpu: '1' } }, { overhead: { cpu: '1000m' } }, true],
    ['the order of a list counts', { containers: [{ name: 'a' }, { name: 'b' }] }, { containers: [{ name: 'b' }, { name: 'a' }] }, false],
    ['a key of one map only counts', { nodeSelector: { a: '' } }, { nodeSelector: { b: '' } }, false],
  ]
  it.each(rows)('%s', (_, a, b, expected) => {
    expect(isEqualStruct('core.PodSpec', a, b)).toBe(expected)
    expect(isEqualStruct('core.PodSpec', b, a)).toBe(expected)
  })
})

describe('isEqualOptional()', () => {
  it('distinguishes a missing struct from an empty one', () => {
    expect(isEqualOptional('meta.LabelSelector', undefined, null)).toBe(true)
    expect(isEqualOptional('meta.LabelSelector', undefined, {})).toBe(false)
    expect(isEqualOptional('meta.LabelSelector', { matchLabels: {} }, {})).toBe(true)
  })
})
