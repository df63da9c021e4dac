import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEqualJson } from '../../../base/json.ts'
import { isJsonObject, type JsonObject } from '../json-object.ts'
import { applyMergePatch } from './merge-patch.ts'

describe('applyMergePatch()', () => {
  const rows: [name: string, object: JsonObject, patch: unknown, expected: unknown][] = [
    ['sets a member', { a: 'b' }, { a: 'c' }, { a: 'c' }],
    ['adds a member', { a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    ['deletes by null', { a: 'b', c: 1 }, { a: null }, { c: 1 }],
    ['ignores null for a missing member', { a: 'b' }, { c: null }, { a: 'b' }],
    ['replaces lists whole', { a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    ['replaces a scalar by a list', { a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    ['merges objects in depth', { a: { b: 'c', d: 1 } }, { a: { b: 'd', c: null } }, { a: { b: 'd', d: 1 } }],
    ['drops nulls from an object that is new', {}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ['drops nulls within the elements of a new list, not the elements', {}, { a: [{ b: null }, null] }, { a: [{}, null] }],
    ['puts an object over a scalar', { a: 1 }, { a: { b: null, c: 2 } }, { a: { c: 2 } }],
    ['puts an object over null', { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
  ]
  it.each(rows)('%s', (_, object, patch, expected) => {
    const before = JSON.stringify(object)
    expect(applyMergePatch(object, patch)).toEqual(expected)
    expect(JSON.stringify(object)).toBe(before)
  })

  it('refuses what is not an object', () => {
    expect(() => applyMergePatch({}, [1])).toThrow(
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    )
    expect(() => applyMergePatch({}, null)).toThrow('Invalid JSON Patch')
    expect(() => applyMergePatch({}, 'x', 'Ignore')).toThrow('Invalid JSON Patch')
    expect(applyMergePatch({}, [1], 'Ignore')).toEqual([1])
  })

  it('treats __proto__ as a name like any other', () => {
    const result = applyMergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}')) as object
    expect(Object.keys(result)).toEqual(['__proto__'])
    expect('polluted' in result).toBe(false)
  })

  const object = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', '__proto__'),
    fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, 1, 'x'),
        fc.array(fc.constantFrom(1, 2)),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('value')),
      ),
    })).value,
  )
  const hasNull = (value: unknown): boolean => value === null || (isJsonObject(value) && Object.values(value).some(hasNull))

  it('gives the same when it is applied twice', () => {
    fc.assert(
      fc.property(object, object, (original, patch) => {
        const once = applyMergePatch(original, patch) as JsonObject
        expect(isEqualJson(applyMergePatch(once, patch), once)).toBe(true)
      }),
    )
  })

  it('leaves everything as it is for an empty patch, and takes a patch without nulls for what it is', () => {
    fc.assert(
      fc.property(object, (one) => {
        expect(isEqualJson(applyMergePatch(one, {}), one)).toBe(true)
        fc.pre(!hasNull(one))
        expect(isEqualJson(applyMergePatch({}, one), one)).toBe(true)
      }),
    )
  })
})
