import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PartSharing, shareParts } from './share-parts.ts'

const parse = (text: string) => JSON.parse(text)
const copyOf = <T>(value: T): T => parse(JSON.stringify(value))

describe('shareParts()', () => {
  it('returns the base when everything is equal', () => {
    const base = { a: [1, { b: 'two' }], c: null }
    expect(shareParts(copyOf(base), base)).toBe(base)
  })

  it('uses the equal parts of the base and changes neither argument', () => {
    const base = { metadata: { name: 'a', labels: { app: 'web' } }, spec: { containers: [{ name: 'c' }], nodeName: 'x' } }
    const next = { metadata: { name: 'b', labels: { app: 'web' } }, spec: { containers: [{ name: 'c' }], nodeName: 'y' } }
    const before = copyOf(next)
    const shared = shareParts(next, base)
    expect(shared).toEqual(before)
    expect(shared.metadata.labels).toBe(base.metadata.labels)
    expect(shared.spec.containers).toBe(base.spec.containers)
    expect(next).toEqual(before)
    expect(next.spec.containers).not.toBe(base.spec.containers)
  })

  it('shares list elements by index', () => {
    const base = { list: [{ a: 1 }, { b: 2 }] }
    const shared = shareParts({ list: [{ a: 1 }, { b: 3 }, { c: 4 }] }, base)
    expect(shared).toEqual({ list: [{ a: 1 }, { b: 3 }, { c: 4 }] })
    expect(shared.list[0]).toBe(base.list[0])
  })

  it.each([
    ['nothing is equal', { a: { b: 1 } }, { a: { b: 2 } }],
    ['there is no base', { a: 1 }, undefined],
    ['a list replaces an object', { a: [] }, { a: {} }],
    ['null replaces an object', { a: null }, { a: {} }],
    ['an object replaces null', { a: {} }, { a: null }],
    ['a field is missing', { a: { b: 1 } }, { a: { b: 1, c: 2 } }],
    ['one field is undefined and another is missing', { a: { x: undefined } }, { a: { y: 1 } }],
    ['only the prototype has the field', { a: { constructor: {} } }, { a: {} }],
  ])('returns the argument itself when %s', (_, next, base) => {
    expect(shareParts(next, base)).toBe(next)
  })

  it('handles a field named __proto__', () => {
    const next = parse('{"x":{"__proto__":{},"a":{"b":1}},"y":1}')
    const shared = shareParts(next, parse('{"x":{"a":{"b":1}},"y":2}'))
    expect(JSON.stringify(shared)).toBe('{"x":{"__proto__":{},"a":{"b":1}},"y":1}')
    expect(Object.getPrototypeOf(shared.x)).toBe(Object.prototype)
    const equal = parse('{"__proto__":{"a":1}}')
    expect(shareParts(parse('{"__proto__":{"a":1}}'), equal)).toBe(equal)
  })

  it('returns an equal value and changes neither argument, for random values', () => {
    const values = fc.jsonValue({ depthSize: 'small' }).map(copyOf)
    fc.assert(
      fc.property(values, values, (next, base) => {
        const [nextText, baseText] = [JSON.stringify(next), JSON.stringify(base)]
        expect(shareParts(next, base)).toEqual(parse(nextText))
        expect([JSON.stringify(next), JSON.stringify(base)]).toEqual([nextText, baseText])
        expect(shareParts(copyOf(next), next)).toEqual(next)
      }),
    )
  })
})

describe('PartSharing', () => {
  it('shares the parts of the last object of the group', () => {
    const sharing = new PartSharing<{ readonly name: string; readonly labels: object }>()
    const a = sharing.share('x', { name: 'a', labels: { app: 'web' } })
    const b = sharing.share('x', { name: 'b', labels: { app: 'web' } })
    const other = sharing.share('y', { name: 'b', labels: { app: 'web' } })
    expect(b).toEqual({ name: 'b', labels: { app: 'web' } })
    expect(b.labels).toBe(a.labels)
    expect(other.labels).not.toBe(a.labels)
  })

  it('shares with an object whose status is complete, also when newer ones have begun only', () => {
    const sharing = new PartSharing<{ readonly name: string; readonly status: { phase: string; conditions?: object[] } }>()
    const running = { phase: 'Running', conditions: [{ type: 'Ready', lastTransitionTime: '2026-01-01T00:00:00Z' }] }
    const a = sharing.share('x', { name: 'a', status: running })
    sharing.share('x', { name: 'b', status: { phase: 'Pending' } })
    expect(sharing.share('x', { name: 'c', status: copyOf(running) }).status).toBe(a.status)
    const changed = { name: 'b', status: { ...copyOf(running), phase: 'Pending' } }
    expect(sharing.shareStatus('x', changed)).toEqual(changed)
    expect(sharing.shareStatus('x', changed).status.conditions).toBe(a.status.conditions)
  })

  it('forgets the oldest group', () => {
    const sharing = new PartSharing<{ readonly labels: object }>()
    const first = sharing.share('first', { labels: {} })
    for (let i = 0; i < 1024; i++) sharing.share(String(i), { labels: {} })
    expect(sharing.share('first', { labels: {} }).labels).not.toBe(first.labels)
  })
})
