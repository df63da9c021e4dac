import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ValuePacker } from './packed-value.ts'

const long = 'what all of them have in common '.repeat(5)
const serialized = (name: string, more: object = {}) =>
  JSON.stringify({ metadata: { name, labels: { app: name } }, long, count: 1, ...more })

/** Packs the values in order and returns their packed lengths. Fails when a value is not restored. */
function lengthsOf(values: readonly string[]): number[] {
  const packing = new ValuePacker()
  return values.map((text) => {
    const packed = packing.pack('group', text)
    if (packed === undefined) return text.length
    expect(packed.pattern.fill(packed.values)).toBe(text)
    return packed.values.length
  })
}

describe('ValuePacker', () => {
  it('keeps only the parts that differ from earlier values, each once', () => {
    expect(lengthsOf(['ann', 'bob', 'carl'].map((name) => serialized(name)))).toEqual([serialized('ann').length, 6, 7])
  })

  it('widens a pattern when more parts differ', () => {
    const values = [
      serialized('ann'),
      serialized('bob'),
      serialized('carl', { count: 2 }),
      serialized('dora', { count: 3 }),
      serialized('eve'),
    ]
    expect(
      lengthsOf(values)
        .slice(2)
        .every((length) => length < 30),
    ).toBe(true)
  })

  it('keeps a pattern for each of two shapes that alternate', () => {
    const values = Array.from({ length: 20 }, (_, at) =>
      at % 2 ? serialized(`pod-${at}`) : JSON.stringify({ reason: `why ${at}`, other: long }),
    )
    expect(
      lengthsOf(values)
        .slice(4)
        .every((length) => length < 20),
    ).toBe(true)
  })

  it('does not pack values with little in common, and stops searching', () => {
    const values = Array.from({ length: 1000 }, (_, at) => `{"${at}":"${String(at).repeat(50)}"}`)
    expect(lengthsOf(values)).toEqual(values.map(({ length }) => length))
  })

  it('does not pack values that are very long or differ in very many places', () => {
    const many = (letter: string) => JSON.stringify([long.repeat(50), ...Array.from({ length: 300 }, (_, at) => `${letter}${at}`)])
    const values = [many('a'), many('b'), JSON.stringify(['a', 'x'.repeat(70_000)]), JSON.stringify(['b', 'x'.repeat(70_000)])]
    expect(lengthsOf(values)).toEqual(values.map(({ length }) => length))
  })

  it('says whether a value may contain a string', () => {
    const packing = new ValuePacker()
    packing.pack('group', serialized('ann'))
    const { pattern, values } = packing.pack('group', serialized('bob'))!
    expect(['bob', 'common', 'ann', 'carl'].map((part) => pattern.mayContain(values, part))).toEqual([true, true, false, false])
  })

  it('stores a part that equals an earlier one as a reference', () => {
    const count = 100
    const values = ['a', 'b', 'c'].map((letter) =>
      JSON.stringify([
        long.repeat(10),
        ...Array.from({ length: count }, (_, at) => `${letter}${at}`),
        ...Array.from({ length: count }, (_, at) => `${letter}${at}`),
      ]),
    )
    const packing = new ValuePacker()
    packing.pack('group', values[0]!)
    for (const text of values.slice(1)) {
      const { pattern, values } = packing.pack('group', text)!
      expect(pattern.match(text)).toBe(values)
      expect(pattern.fill(values)).toBe(text)
      expect(values.length).toBeLessThan(count * 2 * 5)
    }
  })

  it('restores every value', () => {
    const piece = fc.oneof(fc.constantFrom('"', '\\"', '\x01', '\x01 ', '', long, 'é', '😀', '":1,"'), fc.string({ maxLength: 4 }))
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const object = fc
      .record({ a: fc.string(), b: fc.string(), c: fc.nat(), d: fc.constantFrom('x', 'y') })
      .map((value) => serialized(value.a, value))
    fc.assert(
      fc.property(fc.array(fc.oneof(text, object), { maxLength: 30 }), (values) => void lengthsOf(values)),
      { numRuns: 300 },
    )
  })
})
