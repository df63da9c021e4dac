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

  it('replaces the equal parts by those of the base', () => {
    const base = { metadata: { name: 'a', labels: { app: 'web' } }, spec: { containers: [{ name: 'c' }], nodeName: 'x' } }
    const next = { metadata: { name: 'b', labels: { app: 'web' } }, spec: { containers: [{ name: 'c' }], nodeName: 'y' } }
    const before = copyOf(next)
    const shared = shareParts(next, base)
    expect(shared).toBe(next)
    expect(shared).toEqual(before)
    expect(shared.metadata.labels).toBe(base.metadata.labels)
    expect(shared.spec.containers).toBe(base.spec.containers)
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
    ['only the prototype has the field', { a: { constructor: {} } }, { a: {} }],
  ])('returns the argument itself when %s', (_, next, base) => {
    expect(shareParts(next, base)).toBe(next)
  })

  it('handles a field named __proto__', () => {
    const next = parse('{"x":{"__proto__":{},"a":{"b":1}},"y":1}')
    const shared = shareParts(next, parse('{"x":{"a":{"b":1}},"y":2}'))
    expect(JSON.stringify(shared)).toBe('{"x":{"__proto__":{},"a":{"b":1}},"y":1}')
    expect(Object.getPrototypeOf(shared.x)).toBe(Object.prototype)
  })

  it('returns an equal value and leaves the base as it was, for random values', () => {
    const values = fc.jsonValue({ depthSize: 'small' }).map(copyOf)
    fc.assert(
      fc.property(values, values, (next, base) => {
        const [nextText, baseText] = [JSON.stringify(next), JSON.stringify(base)]
        expect(shareParts(next, base)).toEqual(parse(nextText))
        expect(JSON.stringify(base)).toBe(baseText)
        expect(shareParts(copyOf(next), next)).toEqual(next)
      }),
    )
  })
})

interface Thing {
  readonly name: string
  readonly labels?: object
  readonly status?: { readonly phase: string; readonly conditions?: readonly object[] }
}

describe('PartSharing', () => {
  const labels = { app: 'web' }
  const running = { phase: 'Running', conditions: [{ type: 'Ready', lastTransitionTime: '2026-01-01T00:00:00Z' }] }

  it('shares the parts of the object of the group that was added last', () => {
    const sharing = new PartSharing<Thing>()
    const a = sharing.share('x', 'a', { name: 'a', labels: copyOf(labels) })
    const b = sharing.share('x', 'b', { name: 'b', labels: copyOf(labels) })
    const other = sharing.share('y', 'b', { name: 'b', labels: copyOf(labels) })
    expect(b).toEqual({ name: 'b', labels })
    expect(b.labels).toBe(a.labels)
    expect(other.labels).not.toBe(a.labels)
  })

  it('shares the fullest status, also when newer objects have begun only', () => {
    const sharing = new PartSharing<Thing>()
    const a = sharing.share('x', 'a', { name: 'a', status: running })
    sharing.share('x', 'b', { name: 'b', status: { phase: 'Pending' } })
    expect(sharing.share('x', 'c', { name: 'c', status: copyOf(running) }).status).toBe(a.status)
    const changed = { name: 'b', status: { ...copyOf(running), phase: 'Pending' } }
    expect(sharing.shareStatus('x', 'b', changed)).toEqual(changed)
    expect(sharing.shareStatus('x', 'b', changed).status?.conditions).toBe(running.conditions)
  })

  it('shares the rest of objects with one another when a status has a field more than theirs', () => {
    const sharing = new PartSharing<Thing & { readonly status?: { readonly reason?: string } }>()
    sharing.share('x', 'odd', { name: 'odd', labels: { app: 'other' }, status: { ...running, reason: 'Evicted' } })
    const first = sharing.share('x', 'a', { name: 'a', labels: copyOf(labels), status: copyOf(running) })
    for (const name of ['b', 'c']) {
      const shared = sharing.share('x', name, { name, labels: copyOf(labels), status: copyOf(running) })
      expect([shared.labels, shared.status?.conditions]).toEqual([labels, running.conditions])
      expect(shared.labels).toBe(first.labels)
      expect(shared.status?.conditions).toBe(running.conditions)
    }
  })

  it('forgets an object that is gone', () => {
    const sharing = new PartSharing<Thing>()
    const a = sharing.share('x', 'a', { name: 'a', labels: copyOf(labels), status: copyOf(running) })
    sharing.forget('x', 'another')
    expect(sharing.share('x', 'b', { name: 'b', labels: copyOf(labels) }).labels).toBe(a.labels)
    sharing.forget('x', 'a')
    expect(sharing.share('x', 'c', { name: 'c', labels: copyOf(labels), status: copyOf(running) }).status).not.toBe(a.status)
    sharing.forget('x', 'c')
    expect(sharing.share('x', 'd', { name: 'd', labels: copyOf(labels) }).labels).not.toBe(a.labels)
  })

  it('forgets the oldest group', () => {
    const sharing = new PartSharing<Thing>()
    const first = sharing.share('first', 'a', { name: 'a', labels: copyOf(labels) })
    for (let i = 0; i < 1024; i++) sharing.share(String(i), 'a', { name: 'a' })
    expect(sharing.share('first', 'b', { name: 'b', labels: copyOf(labels) }).labels).not.toBe(first.labels)
  })
})
