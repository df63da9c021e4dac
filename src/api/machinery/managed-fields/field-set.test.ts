import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  difference,
  emptySet,
  type FieldSet,
  hasPath,
  intersection,
  isEmptySet,
  isSameSet,
  leaves,
  pathsOf,
  recursiveDifference,
  union,
} from './field-set.ts'
import { decodeFieldSet } from './managers.ts'
import { compareElements, formatPath, keyElement, valueElement } from './path-element.ts'

/** `a.b` for the field b of a; a set from its paths. */
function setFrom(...paths: string[]): FieldSet {
  return paths
    .map((path) => path.split('.').reduceRight<FieldSet>((below, name) => ({ [`f:${name}`]: below }), {}))
    .reduce((all, one) => union(all, one), emptySet)
}
const names = (set: FieldSet) => pathsOf(set).map((path) => formatPath(path).slice(1))

type Row = [name: string, one: FieldSet, other: FieldSet, expected: FieldSet]

describe('union()', () => {
  const rows: Row[] = [
    ['joins members in order', setFrom('c', 'a'), setFrom('b'), { 'f:a': {}, 'f:b': {}, 'f:c': {} }],
    ['puts a field beside what is below it', setFrom('a.b'), setFrom('a'), { 'f:a': { '.': {}, 'f:b': {} } }],
    ['puts what is below a field beside it', setFrom('a'), setFrom('a.b'), { 'f:a': { '.': {}, 'f:b': {} } }],
    ['takes the other for nothing', emptySet, setFrom('a'), { 'f:a': {} }],
  ]
  it.each(rows)('%s', (_, one, other, expected) => {
    expect(JSON.stringify(union(one, other))).toBe(JSON.stringify(expected))
  })

  it('is the first set itself when it has all of the second', () => {
    const set = setFrom('a', 'a.b', 'c.d')
    expect(union(set, setFrom('a.b', 'c.d'))).toBe(set)
  })
})

describe('intersection()', () => {
  const rows: Row[] = [
    ['keeps what both have', setFrom('a', 'b', 'c.d'), setFrom('b', 'c.d', 'e'), setFrom('b', 'c.d')],
    ['does not take a field for what is below it', setFrom('a'), setFrom('a.b'), emptySet],
    ['keeps the field or what is below it', setFrom('a', 'a.b'), setFrom('a'), setFrom('a')],
    ['keeps only what is below', setFrom('a', 'a.b'), setFrom('a.b'), setFrom('a.b')],
  ]
  it.each(rows)('%s', (_, one, other, expected) => {
    expect(intersection(one, other)).toEqual(expected)
  })
})

describe('difference()', () => {
  const rows: Row[] = [
    ['takes members away', setFrom('a', 'b', 'c.d'), setFrom('b', 'c.d'), setFrom('a')],
    ['leaves what is below a field', setFrom('a', 'a.b'), setFrom('a'), setFrom('a.b')],
    ['leaves a field whose inside goes', setFrom('a', 'a.b'), setFrom('a.b'), setFrom('a')],
    ['leaves a field alone when only its inside is meant', setFrom('a'), setFrom('a.b'), setFrom('a')],
  ]
  it.each(rows)('%s', (_, one, other, expected) => {
    expect(difference(one, other)).toEqual(expected)
  })

  it('is the first set itself when nothing is removed', () => {
    const set = setFrom('a', 'a.b', 'c.d')
    expect(difference(set, setFrom('x', 'c', 'a.c'))).toBe(set)
  })
})

describe('recursiveDifference()', () => {
  const rows: Row[] = [
    ['takes a field away with what is below it', setFrom('a', 'a.b.c', 'd'), setFrom('a'), setFrom('d')],
    ['reaches into fields', setFrom('a', 'a.b.c', 'a.d'), setFrom('a.b'), setFrom('a', 'a.d')],
    ['leaves a field whose inside goes', setFrom('a', 'a.b'), setFrom('a.b'), setFrom('a')],
    ['leaves nothing of a field that was only passed through', setFrom('a.b'), setFrom('a.b'), emptySet],
  ]
  it.each(rows)('%s', (_, one, other, expected) => {
    expect(recursiveDifference(one, other)).toEqual(expected)
  })
})

describe('leaves()', () => {
  it('drops fields that have something below them', () => {
    expect(leaves(setFrom('a', 'a.b', 'c'))).toEqual(setFrom('a.b', 'c'))
  })
})

describe('pathsOf()', () => {
  it('gives the fields of a level before what is below them', () => {
    expect(names(setFrom('a', 'a.b', 'b', 'c.a'))).toEqual(['a', 'b', 'a.b', 'c.a'])
  })
})

describe('compareElements()', () => {
  it('orders as Kubernetes does', () => {
    const ordered = [
      '.',
      'f:a',
      'f:b',
      keyElement([
        ['containerPort', 80],
        ['protocol', 'TCP'],
      ]),
      keyElement([
        ['containerPort', 80],
        ['protocol', 'UDP'],
      ]),
      keyElement([
        ['containerPort', 8080],
        ['protocol', 'TCP'],
      ]),
      keyElement([['name', 'a']]),
      keyElement([['name', 'a!']]),
      valueElement(5),
      valueElement(10),
      valueElement('a'),
      valueElement(true),
      'i:2',
      'i:10',
    ]
    expect([...ordered].reverse().sort(compareElements)).toEqual(ordered)
  })
})

describe('keyElement()', () => {
  const rows: [name: string, fields: [string, unknown][], expected: string][] = [
    [
      'sorts the names',
      [
        ['protocol', 'TCP'],
        ['containerPort', 80],
      ],
      'k:{"containerPort":80,"protocol":"TCP"}',
    ],
    ['escapes as Go does', [['name', '<"&>']], 'k:{"name":"\\u003c\\"\\u0026\\u003e"}'],
  ]
  it.each(rows)('%s', (_, fields, expected) => {
    expect(keyElement(fields)).toBe(expected)
  })
})

describe('decodeFieldSet()', () => {
  const rows: [name: string, fieldsV1: unknown, expected: FieldSet][] = [
    ['nothing', undefined, {}],
    ['fields out of order', { 'f:b': {}, 'f:a': { 'f:c': {}, '.': {} } }, { 'f:a': { '.': {}, 'f:c': {} }, 'f:b': {} }],
    ['a field that is nothing but itself', { 'f:a': { '.': {} } }, { 'f:a': {} }],
    ['keys in another spelling', { 'k:{ "b": 1, "a": "x" }': {} }, { 'k:{"a":"x","b":1}': {} }],
    ['kinds that it does not know', { 'x:a': {}, 'f:a': {} }, { 'f:a': {} }],
    ['the whole object, which has no owner', { '.': {}, 'f:a': {} }, { 'f:a': {} }],
    ['a field named __proto__', JSON.parse('{"f:__proto__": {}}'), { 'f:__proto__': {} }],
  ]
  it.each(rows)('reads %s', (_, fieldsV1, expected) => {
    expect(JSON.stringify(decodeFieldSet(fieldsV1))).toBe(JSON.stringify(expected))
  })

  const wrong: [name: string, fieldsV1: unknown][] = [
    ['a string', 'x'],
    ['a field without a colon', { name: {} }],
    ['a key that is no JSON', { 'k:{': {} }],
    ['a key that is no object', { 'k:1': {} }],
    ['a place that is no number', { 'i:x': {} }],
    ['a value in place of a node', { 'f:a': 1 }],
  ]
  it.each(wrong)('refuses %s', (_, fieldsV1) => {
    expect(() => decodeFieldSet(fieldsV1)).toThrow()
  })
})

describe('the algebra of sets', () => {
  const element = fc.oneof(
    fc.constantFrom('f:a', 'f:b', 'f:c'),
    fc.constantFrom('a', 'b').map((name) => keyElement([['name', name]])),
    fc.integer({ min: 0, max: 20 }).map(valueElement),
  )
  const set = fc
    .array(fc.array(element, { minLength: 1, maxLength: 3 }), { maxLength: 8 })
    .map((paths) =>
      paths
        .map((path) => path.reduceRight<FieldSet>((below, one) => ({ [one]: below }), {}))
        .reduce((all, one) => union(all, one), emptySet),
    )
  const members = (one: FieldSet) => new Set(pathsOf(one).map((path) => path.join('/')))

  it('agrees with plain sets of paths', () => {
    fc.assert(
      fc.property(set, set, (one, other) => {
        const [mine, theirs] = [members(one), members(other)]
        expect(members(union(one, other))).toEqual(new Set([...mine, ...theirs]))
        expect(members(intersection(one, other))).toEqual(new Set([...mine].filter((path) => theirs.has(path))))
        expect(members(difference(one, other))).toEqual(new Set([...mine].filter((path) => !theirs.has(path))))
        const isBelow = (path: string) => [...theirs].some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
        expect(members(recursiveDifference(one, other))).toEqual(new Set([...mine].filter((path) => !isBelow(path))))
      }),
    )
  })

  it('keeps every result in the one form, in order', () => {
    fc.assert(
      fc.property(set, set, (one, other) => {
        for (const result of [union(one, other), intersection(one, other), difference(one, other), recursiveDifference(one, other)])
          expect(JSON.stringify(decodeFieldSet(JSON.parse(JSON.stringify(result))))).toBe(JSON.stringify(result))
      }),
    )
  })

  it('has the paths that it lists, and no others', () => {
    fc.assert(
      fc.property(set, fc.array(element, { minLength: 1, maxLength: 3 }), (one, path) => {
        expect(hasPath(one, path)).toBe(members(one).has(path.join('/')))
        expect(isEmptySet(one)).toBe(pathsOf(one).length === 0)
        expect(isSameSet(one, union(one, one))).toBe(true)
      }),
    )
  })
})
