import { describe, expect, it } from 'vitest'
import { encodeVersion2, encodeVersion3 } from './gnostic-encoding.ts'

type Value = Buffer | number | bigint

/** The fields of a message with their numbers; a field that has a length as its bytes. */
function fieldsOf(bytes: Buffer): [number, Value][] {
  const fields: [number, Value][] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asIntN(64, value)
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    if (tag % 8 === 1) {
      fields.push([tag >> 3, bytes.readDoubleLE(at)])
      at += 8
    } else {
      const value = varint()
      const isDelimited = tag % 8 === 2
      fields.push([tag >> 3, isDelimited ? bytes.subarray(at, at + Number(value)) : value])
      if (isDelimited) at += Number(value)
    }
  }
  expect(at).toBe(bytes.length)
  return fields
}

const find = (bytes: Buffer, ...path: number[]): Value | undefined =>
  path.reduce<Value | undefined>((inner, number) => inner && fieldsOf(inner as Buffer).find(([one]) => one === number)?.[1], bytes)
const text = (bytes: Buffer, ...path: number[]) => String(find(bytes, ...path))

/** The bytes of a schema in the definitions of version 2. */
const definition = (schema: object) => find(encodeVersion2({ definitions: { Name: schema } }), 9, 1, 2) as Buffer

describe('encodeVersion2()', () => {
  it.each<[string, unknown, number, Value]>([
    ['maximum', 2.5, 7, 2.5],
    ['exclusiveMaximum', true, 8, 1n],
    ['minLength', 3, 12, 3n],
    ['maxItems', 2 ** 40, 14, 2n ** 40n],
    ['minProperties', -1, 18, -1n],
    ['title', 'Title', 3, Buffer.from('Title')],
    ['pattern', '^ä$', 13, Buffer.from('^ä$')],
  ])('writes the keyword %s of a schema', (keyword, value, number, expected) =>
    expect(fieldsOf(definition({ [keyword]: value }))).toEqual([[number, expected]]),
  )

  it('writes extensions, defaults and values of enums as YAML', () => {
    const schema = definition({ default: { a: [1] }, enum: ['a', 2], 'x-kubernetes-list-type': 'map' })
    expect([text(schema, 5, 2), text(schema, 20, 2), text(schema, 31, 1), text(schema, 31, 2, 2)]).toEqual([
      '{"a":[1]}',
      '"a"',
      'x-kubernetes-list-type',
      '"map"',
    ])
    expect(text(definition({ default: 'a\u007f\ufeffb' }), 5, 2)).toBe('"a\\u007f\\ufeffb"')
  })

  it('writes a type and the schema of items as lists, and additional properties as a schema or a boolean', () => {
    const schema = definition({ type: 'array', items: { type: ['a', 'b'] }, additionalProperties: { format: 'f' } })
    expect([text(schema, 22, 1), text(schema, 23, 1, 22, 1), text(schema, 21, 1, 2)]).toEqual(['array', 'a', 'f'])
    expect(find(definition({ additionalProperties: true }), 21, 2)).toBe(1n)
  })

  it('distinguishes parameters by where they are, and references from what they refer to', () => {
    const all = [{ in: 'body' }, { in: 'header' }, { in: 'formData' }, { in: 'query' }, { in: 'path' }, { $ref: 'r' }]
    const path = find(encodeVersion2({ paths: { '/a': { parameters: all } } }), 8, 2, 2) as Buffer
    const parameters = fieldsOf(path).map(([, bytes]) => bytes as Buffer)
    expect(parameters.map((one) => fieldsOf(one)[0]![0])).toEqual([1, 1, 1, 1, 1, 2])
    expect(parameters.slice(1, 5).map((one) => fieldsOf(find(one, 1, 2) as Buffer)[0]![0])).toEqual([1, 2, 3, 4])
    expect([text(parameters[0]!, 1, 1, 3), text(parameters[5]!, 2, 1)]).toEqual(['body', 'r'])
  })

  it.each<[string, object]>([
    ['a keyword that the message does not have', { nullable: true, anyOf: [{}] }],
    ['a value of another type', { pattern: 1, maximum: 'a', required: 'a', minLength: 1.5, items: 1, properties: [] }],
    ['a member with the name of the place for extensions', { '*': 1 }],
    ['what is undefined', { type: undefined, default: undefined }],
  ])('leaves out %s', (_, schema) => expect(fieldsOf(definition({ ...schema, format: 'f' }))).toEqual([[2, Buffer.from('f')]]))
})

describe('encodeVersion3()', () => {
  it('writes references, alternatives and plain defaults', () => {
    const document = encodeVersion3({ components: { schemas: { A: { allOf: [{ $ref: 'r' }], default: 'd', nullable: true } } } })
    const schema = find(document, 5, 1, 1, 2, 1) as Buffer
    expect([text(schema, 26, 2, 1), text(schema, 33, 3), find(schema, 1)]).toEqual(['r', 'd', 1n])
    expect(find(encodeVersion3({ components: { schemas: { A: { default: {}, format: 'f' } } } }), 5, 1, 1, 2, 1, 33)).toBeUndefined()
  })
})
