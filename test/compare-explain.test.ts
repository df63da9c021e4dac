// How the fields that two API servers explain are compared.
import { describe, expect, it } from 'vitest'

interface Explained {
  readonly structure: string
  readonly text: string
}
const { explainedFields, compareFields } = (await import(new URL('../scripts/compare-explain.mjs', import.meta.url).href)) as {
  explainedFields(documents: readonly unknown[]): ReadonlyMap<string, Explained>
  compareFields(real: ReadonlyMap<string, Explained>, ours: ReadonlyMap<string, Explained>): Readonly<Record<string, readonly string[]>>
}

const explained = (type: string, properties: Readonly<Record<string, object>>, description = 'A bird.') =>
  explainedFields([{ components: { schemas: { [type]: { type: 'object', description, properties, required: ['wings'] } } } }])

it('finds the structure and the text of each field', () =>
  expect([
    ...explained('Bird', {
      wings: { type: 'integer', format: 'int32', default: 2, description: 'Two.' },
      nest: { allOf: [{ $ref: '#/components/schemas/Nest' }], 'x-kubernetes-map-type': 'atomic' },
      songs: { type: 'array', items: { type: 'string' } },
      eggs: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Egg' } },
    }),
  ]).toEqual([
    ['Bird', { structure: 'object', text: 'A bird.' }],
    ['Bird wings', { structure: 'integer(int32) required default=2', text: 'Two.' }],
    ['Bird nest', { structure: 'Nest x-kubernetes-map-type="atomic"', text: '' }],
    ['Bird songs', { structure: '[]string', text: '' }],
    ['Bird eggs', { structure: 'map[string]Egg', text: '' }],
  ]))

describe('compareFields()', () => {
  const field = (description?: string, more = {}) => ({ type: 'string', ...(description !== undefined && { description }), ...more })
  const real = explained('Bird', {
    a: field('Same.'),
    b: field('Two\n\nparts.'),
    c: field('This.'),
    d: field('Some.'),
    e: field(),
    f: field('Same.', { enum: ['A', 'B'] }),
    g: field('Gone.'),
  })
  const ours = explained('Bird', {
    a: field('Same.'),
    b: field('Two  parts.'),
    c: field('That.'),
    d: field(),
    e: field('Extra.'),
    f: field('Same.', { enum: ['A'] }),
    h: field('New.'),
  })
  it('sorts fields by how they compare', () =>
    expect(compareFields(real, ours)).toEqual({
      equal: ['Bird', 'Bird a', 'Bird f'],
      'other white space': ['Bird b'],
      'other text': ['Bird c'],
      'no text': ['Bird d'],
      'text of ours': ['Bird e'],
      'other structure': ['Bird f'],
      missing: ['Bird g'],
      'of ours': ['Bird h'],
    }))
  it('leaves out types that one of them does not have', () =>
    expect(Object.values(compareFields(real, explained('Fish', { fins: field('Two.') }))).flat()).toEqual([]))
})
