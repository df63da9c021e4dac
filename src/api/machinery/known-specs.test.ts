import { describe, expect, it } from 'vitest'
import { KnownSpecs } from './known-specs.ts'

const spec = { containers: [{ name: 'c', image: 'nginx' }] }

describe('KnownSpecs', () => {
  /** How often it finds out about the first and then the second. */
  const findsFor = (first: [object, ...unknown[]], second: [object, ...unknown[]], isKept = true) => {
    const known = new KnownSpecs<string>()
    let finds = 0
    for (const [one, ...given] of [first, second])
      known.of(
        one,
        given,
        () => `${++finds}`,
        () => isKept,
      )
    return finds
  }

  it.each<[string, [object, ...unknown[]], [object, ...unknown[]], number]>([
    ['once about a spec', [spec], [spec], 1],
    ['once where all else is equal', [spec, { a: '1' }], [spec, { a: '1' }], 1],
    ['again where something else differs', [spec, { a: '1' }], [spec, { a: '2' }], 2],
    ['again where something else is new', [spec, undefined], [spec, { a: '1' }], 2],
    ['again where something else is absent', [spec, { a: '1', b: '1' }], [spec, { a: '1' }], 2],
    ['again about an equal spec that is another object', [spec], [{ ...spec }], 2],
  ])('finds out %s', (_, first, second, finds) => expect(findsFor(first, second)).toBe(finds))

  it('finds out again what was not kept', () => expect(findsFor([spec], [spec], false)).toBe(2))
})
