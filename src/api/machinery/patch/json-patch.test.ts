import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStatusError, type StatusError } from '../status-error.ts'
import { applyJsonPatch, unknownFieldsOfJsonPatch } from './json-patch.ts'

const document = { data: { a: '1', 'x/y~z': 'odd' }, list: ['p', 'q', 'r'], none: null }

function refusal(run: () => unknown): StatusError {
  try {
    run()
  } catch (error) {
    if (isStatusError(error)) return error
    throw error
  }
  throw new Error('Expected a refusal')
}

describe('applyJsonPatch()', () => {
  const rows: [name: string, operations: unknown, expected: unknown][] = [
    ['adds a member', [{ op: 'add', path: '/data/b', value: '2' }], { ...document, data: { ...document.data, b: '2' } }],
    ['adds over a member', [{ op: 'add', path: '/data', value: 1 }], { ...document, data: 1 }],
    ['adds into a list', [{ op: 'add', path: '/list/1', value: 'n' }], { ...document, list: ['p', 'n', 'q', 'r'] }],
    ['adds at the end', [{ op: 'add', path: '/list/-', value: 'n' }], { ...document, list: ['p', 'q', 'r', 'n'] }],
    ['adds at the index after the last', [{ op: 'add', path: '/list/3', value: 'n' }], { ...document, list: ['p', 'q', 'r', 'n'] }],
    ['counts a negative index from the end', [{ op: 'remove', path: '/list/-1' }], { ...document, list: ['p', 'q'] }],
    ['removes an element', [{ op: 'remove', path: '/list/0' }], { ...document, list: ['q', 'r'] }],
    ['replaces an element', [{ op: 'replace', path: '/list/0', value: 7 }], { ...document, list: [7, 'q', 'r'] }],
    ['replaces a missing member', [{ op: 'replace', path: '/data/b', value: 7 }], { ...document, data: { ...document.data, b: 7 } }],
    ['reads escaped names', [{ op: 'remove', path: '/data/x~1y~0z' }], { ...document, data: { a: '1' } }],
    [
      'moves a member',
      [{ op: 'move', from: '/data/a', path: '/b' }],
      { data: { 'x/y~z': 'odd' }, list: document.list, none: null, b: '1' },
    ],
    ['copies a member', [{ op: 'copy', from: '/list/0', path: '/data/a' }], { ...document, data: { ...document.data, a: 'p' } }],
    ['copies a missing member as null', [{ op: 'copy', from: '/no', path: '/yes' }], { ...document, yes: null }],
    ['takes a missing value for null', [{ op: 'add', path: '/data' }], { ...document, data: null }],
    ['passes a test', [{ op: 'test', path: '/data', value: { 'x/y~z': 'odd', a: '1' } }], document],
    ['passes a test of a missing member against null', [{ op: 'test', path: '/no', value: null }], document],
    ['passes a test of the whole', [{ op: 'test', path: '', value: document }], document],
    ['replaces the whole', [{ op: 'replace', path: '', value: { a: 1 } }], { a: 1 }],
    ['ignores what stands before the first slash', [{ op: 'remove', path: 'x/data' }], { list: document.list, none: null }],
    ['does nothing for no operations', [], document],
    ['does nothing for null', null, document],
  ]
  it.each(rows)('%s', (_, operations, expected) => {
    const before = JSON.stringify(document)
    expect(applyJsonPatch(document, operations)).toEqual(expected)
    expect(JSON.stringify(document)).toBe(before)
  })

  const failing: [name: string, operations: unknown][] = [
    ['a failed test', [{ op: 'test', path: '/data/a', value: 'x' }]],
    ['a test of a missing member', [{ op: 'test', path: '/no', value: 'x' }]],
    ['a removal of a missing member', [{ op: 'remove', path: '/data/none' }]],
    ['a missing parent', [{ op: 'add', path: '/no/where', value: 1 }]],
    ['a parent that is null', [{ op: 'add', path: '/none/where', value: 1 }]],
    ['a parent that is a string', [{ op: 'add', path: '/data/a/b', value: 1 }]],
    ['an index out of range', [{ op: 'add', path: '/list/9', value: 1 }]],
    ['a negative index out of range', [{ op: 'remove', path: '/list/-4' }]],
    ['an index that is no number', [{ op: 'replace', path: '/list/one', value: 1 }]],
    ['a move of a missing member', [{ op: 'move', from: '/no', path: '/a' }]],
    ['a move into itself', [{ op: 'move', from: '/data', path: '/data/b' }]],
    ['an unknown operation', [{ op: 'tset', path: '/data' }]],
    ['no operation', [{ path: '/data' }]],
    ['a null operation', [null]],
    ['no path', [{ op: 'add', value: 1 }]],
    ['an empty path', [{ op: 'add', path: '', value: {} }]],
    ['replacing the whole by a scalar', [{ op: 'replace', path: '', value: 1 }]],
  ]
  it.each(failing)('refuses %s without saying why', (_, operations) => {
    expect(refusal(() => applyJsonPatch(document, operations)).status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server rejected our request due to an error in our request',
      reason: 'Invalid',
      details: {},
      code: 422,
    })
  })

  const malformed: [name: string, patch: unknown, message: string][] = [
    ['an object', {}, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    ['a list of strings', ['x'], 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    [
      'a number as path',
      [{ op: 'add', path: 1 }],
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    ],
  ]
  it.each(malformed)('calls %s malformed', (_, patch, message) => {
    expect(refusal(() => applyJsonPatch(document, patch)).status).toMatchObject({ code: 400, reason: 'BadRequest', message })
  })

  it('says less of a malformed patch when fields are not validated', () => {
    expect(refusal(() => applyJsonPatch(document, {}, 'Ignore')).message).toBe(
      'json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    )
  })

  it('takes 10,000 operations and no more', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'add', path: '/list/-', value: 1 }))
    expect((applyJsonPatch(document, operations.slice(1)) as typeof document).list).toHaveLength(10_003)
    expect(refusal(() => applyJsonPatch(document, operations)).status).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    })
  })

  it('stops copies that grow without bound', () => {
    const doubling = Array.from({ length: 60 }, (_, at) => ({ op: 'copy', from: '/data', path: `/data/c${at}` }))
    expect(refusal(() => applyJsonPatch(document, doubling)).code).toBe(422)
  })

  it('keeps a copy apart from what it was copied from', () => {
    const operations = [
      { op: 'add', path: '/data/b', value: 'b' },
      { op: 'copy', from: '/data', path: '/twin' },
      { op: 'remove', path: '/data/b' },
      { op: 'remove', path: '/twin/a' },
    ]
    expect(applyJsonPatch(document, operations)).toEqual({
      ...document,
      twin: { 'x/y~z': 'odd', b: 'b' },
    })
  })

  it('shares what it leaves alone', () => {
    const result = applyJsonPatch(document, [{ op: 'add', path: '/list/-', value: 1 }]) as typeof document
    expect(result.data).toBe(document.data)
  })

  it('treats __proto__ as a name like any other', () => {
    const operations = [
      { op: 'add', path: '/__proto__', value: { polluted: true } },
      { op: 'add', path: '/__proto__/more', value: 1 },
      { op: 'test', path: '/constructor', value: null },
    ]
    const result = applyJsonPatch({}, operations) as object
    expect(Object.keys(result)).toEqual(['__proto__'])
    expect('polluted' in result).toBe(false)
    expect('polluted' in {}).toBe(false)
  })

  it('undoes an addition by a removal', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (object, key, value) => {
        fc.pre(!Object.hasOwn(object, key))
        const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
        const undone = applyJsonPatch(object, [
          { op: 'add', path, value },
          { op: 'test', path, value },
          { op: 'remove', path },
        ])
        expect(JSON.stringify(undone)).toBe(JSON.stringify({ ...object }))
      }),
      { numRuns: 50 },
    )
  })
})

describe('unknownFieldsOfJsonPatch()', () => {
  it('names each with its place', () => {
    expect(
      unknownFieldsOfJsonPatch([
        { op: 'test', path: '/a' },
        { op: 'add', path: '/a', vlaue: 1 },
      ]),
    ).toEqual(['json patch unknown field "[1].vlaue"'])
  })
})
