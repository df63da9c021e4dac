import { describe, expect, it } from 'vitest'
import type { ControllerRevision, StatefulSet } from '../../../api/types.ts'
import { canonicalJson } from './canonical-json.ts'
import { type Revision, revisionData, revisionText, sortRevisions, templateOf } from './revision.ts'
import { revisionHash, revisionName } from './revision-hash.ts'

describe('canonicalJson()', () => {
  const rows: { name: string; value: unknown; text: string }[] = [
    {
      name: 'puts keys in order, at every depth',
      value: { b: { d: 1, c: 2 }, a: [{ z: 1, y: 2 }] },
      text: '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}',
    },
    { name: 'leaves out what is undefined', value: { a: undefined, b: null }, text: '{"b":null}' },
    { name: 'escapes what matters in HTML, as Go does', value: { '<': 'a>b&c' }, text: String.raw`{"\u003c":"a\u003eb\u0026c"}` },
    { name: 'takes a key that is called __proto__', value: JSON.parse('{"__proto__":1}'), text: '{"__proto__":1}' },
    { name: 'writes numbers and truth values as they are', value: [1, 1.5, true, ''], text: '[1,1.5,true,""]' },
  ]
  for (const { name, value, text } of rows) it(name, () => expect(canonicalJson(value)).toBe(text))
})

describe('revisionHash()', () => {
  // FNV-1 of "" is 2166136261, of "a" 84696446, of "foobar" 837857890.
  const rows = [
    { name: 'of nothing', text: '', hash: '65bb57b6b5' },
    { name: 'of a letter', text: 'a', hash: 'd8bfb88b' },
    { name: 'of a word', text: 'foobar', hash: 'd7cd9cdf4' },
  ]
  for (const { name, text, hash } of rows) it(`is FNV-1 in safe letters: ${name}`, () => expect(revisionHash(text)).toBe(hash))

  it('is another one after a collision', () => {
    expect(revisionHash('a', 0)).toBe(revisionHash('a0'))
    expect(revisionHash('a', 1)).not.toBe(revisionHash('a', 0))
  })
})

describe('revisionName()', () => {
  it('leaves room for the hash', () => {
    expect(revisionName('a', 'x')).toBe('a-x')
    expect(revisionName('a'.repeat(250), 'x'.repeat(10))).toHaveLength(223 + 11)
  })
})

const revision = (name: string, number: number, creationTimestamp = '2026-11-01T12:00:00Z', data?: object): Revision =>
  ({ metadata: { name, uid: name, resourceVersion: '1', creationTimestamp }, revision: number, data }) as Revision

describe('sortRevisions()', () => {
  it('orders by number, then by age, then by name', () => {
    const later = '2026-11-01T12:00:01Z'
    const sorted = sortRevisions([revision('e', 3), revision('d', 2, later), revision('c', 2), revision('b', 2), revision('a', 10)])
    expect(sorted.map(({ metadata }) => metadata.name)).toEqual(['b', 'c', 'd', 'e', 'a'])
  })
})

describe('templateOf()', () => {
  it('restores the template', () => {
    const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c' }] } }
    const data = JSON.parse(revisionText({ spec: { template } } as unknown as StatefulSet))
    expect(data.spec.template.$patch).toBe('replace')
    expect(templateOf({ revision: 1, data } as ControllerRevision)).toEqual(template)
  })

  it('finds none in data of another form', () => {
    expect(templateOf({ revision: 1, data: { spec: 1 } } as ControllerRevision)).toBeUndefined()
    expect(templateOf({ revision: 1, data: null })).toBeUndefined()
  })
})

describe('revisionData()', () => {
  it('has its keys in order, so that it reads the same wherever it is written', () => {
    const template = { spec: { volumes: [], containers: [{ name: 'c', image: 'i' }] }, metadata: { labels: { b: '1', a: '2' } } }
    expect(JSON.stringify(revisionData({ spec: { template } } as unknown as StatefulSet))).toBe(
      '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"2","b":"1"}},"spec":{"containers":[{"image":"i","name":"c"}],"volumes":[]}}}}',
    )
  })
})
