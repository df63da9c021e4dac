import { expect, it } from 'vitest'
import { customType } from './custom-type.ts'

const schema = { type: 'object', properties: { parts: { type: 'object', additionalProperties: { type: 'object' } } } } as const
const unknownIn = (name: string, count: number) => {
  const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 1]))
  return customType(() => schema, false).decode({ parts: { [name]: fields } }, {})
}

it('lists unknown fields in order, 100 at most', () => {
  expect(unknownIn('k', 2)).toMatchObject({
    object: { parts: { k: {} } },
    unknownFields: ['unknown field "parts.k.a0"', 'unknown field "parts.k.a1"'],
  })
  expect(unknownIn('k', 150).unknownFields).toHaveLength(100)
})

it('removes further fields without a message where their names are very long', () => {
  const { object, unknownFields } = unknownIn('k'.repeat(1_000_000), 150)
  expect(unknownFields).toHaveLength(49)
  expect(Object.values((object as { parts: object }).parts)).toEqual([{}])
})
