import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TextPacking } from './packed-text.ts'

const long = 'what all of them have in common '.repeat(5)
const textOf = (name: string, more: object = {}) => JSON.stringify({ metadata: { name, labels: { app: name } }, long, count: 1, ...more })

/** Packs them in turn, and returns how much is kept of each; what does not come back as it went fails. */
function lengthsOf(texts: readonly string[]): number[] {
  const packing = new TextPacking()
  return texts.map((text) => {
    const packed = packing.pack('group', text)
    if (packed === undefined) return text.length
    expect(packed.pattern.fill(packed.values)).toBe(text)
    return packed.values.length
  })
}

describe('TextPacking', () => {
  it('keeps what sets a text apart from those before it, and that once', () => {
    expect(lengthsOf(['ann', 'bob', 'carl'].map((name) => textOf(name)))).toEqual([textOf('ann').length, 6, 7])
  })

  it('learns that more of them differs', () => {
    const texts = [textOf('ann'), textOf('bob'), textOf('carl', { count: 2 }), textOf('dora', { count: 3 }), textOf('eve')]
    expect(
      lengthsOf(texts)
        .slice(2)
        .every((length) => length < 30),
    ).toBe(true)
  })

  it('tells kinds apart that come in turns', () => {
    const texts = Array.from({ length: 20 }, (_, at) =>
      at % 2 ? textOf(`pod-${at}`) : JSON.stringify({ reason: `why ${at}`, other: long }),
    )
    expect(
      lengthsOf(texts)
        .slice(4)
        .every((length) => length < 20),
    ).toBe(true)
  })

  it('leaves alone what has little in common, and gives up searching', () => {
    const texts = Array.from({ length: 1000 }, (_, at) => `{"${at}":"${String(at).repeat(50)}"}`)
    expect(lengthsOf(texts)).toEqual(texts.map(({ length }) => length))
  })

  it('leaves alone what is very long, or differs in very many places', () => {
    const many = (letter: string) => JSON.stringify([long.repeat(50), ...Array.from({ length: 300 }, (_, at) => `${letter}${at}`)])
    const texts = [many('a'), many('b'), JSON.stringify(['a', 'x'.repeat(70_000)]), JSON.stringify(['b', 'x'.repeat(70_000)])]
    expect(lengthsOf(texts)).toEqual(texts.map(({ length }) => length))
  })

  it('says whether a text may have a part', () => {
    const packing = new TextPacking()
    packing.pack('group', textOf('ann'))
    const { pattern, values } = packing.pack('group', textOf('bob'))!
    expect(['bob', 'common', 'ann', 'carl'].map((part) => pattern.mayHave(values, part))).toEqual([true, true, false, false])
  })

  it('gives back values that are equal to any of those before them', () => {
    const count = 100
    const texts = ['a', 'b', 'c'].map((letter) =>
      JSON.stringify([
        long.repeat(10),
        ...Array.from({ length: count }, (_, at) => `${letter}${at}`),
        ...Array.from({ length: count }, (_, at) => `${letter}${at}`),
      ]),
    )
    const packing = new TextPacking()
    packing.pack('group', texts[0]!)
    for (const text of texts.slice(1)) {
      const { pattern, values } = packing.pack('group', text)!
      expect(pattern.match(text)).toBe(values)
      expect(pattern.fill(values)).toBe(text)
      expect(values.length).toBeLessThan(count * 2 * 5)
    }
  })

  it('gives back every text as it was', () => {
    const piece = fc.oneof(fc.constantFrom('"', '\\"', '\x01', '\x01 ', '', long, 'é', '😀', '":1,"'), fc.string({ maxLength: 4 }))
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const object = fc
      .record({ a: fc.string(), b: fc.string(), c: fc.nat(), d: fc.constantFrom('x', 'y') })
      .map((value) => textOf(value.a, value))
    fc.assert(
      fc.property(fc.array(fc.oneof(text, object), { maxLength: 30 }), (texts) => void lengthsOf(texts)),
      { numRuns: 300 },
    )
  })
})
