import { describe, expect, it } from 'vitest'
import { configMaps, coreEvents } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { Entry } from './entry.ts'
import { ParsedObjects } from './parsed-objects.ts'

const entryOf = (parsed: ParsedObjects, name: string, kind: unknown = configMaps) =>
  new Entry(kind as Kind, parsed, JSON.stringify({ metadata: { name } }), { metadata: { name } })
/** Whether it is still the object that it was made of. */
const isKept = (entry: Entry) => !('kind' in entry.object)

describe('ParsedObjects', () => {
  it('keeps so many, those that were read lately', () => {
    const parsed = new ParsedObjects(4)
    const entries = Array.from({ length: 12 }, (_, index) => entryOf(parsed, `c-${index}`))
    // Reading an object that was evicted evicts another one.
    expect(isKept(entries.at(-1)!)).toBe(true)
    expect(entries.filter(isKept).length).toBeLessThanOrEqual(4)
  })

  it('gives the room of a version that was replaced to another one', () => {
    const parsed = new ParsedObjects(4)
    const [first, second, third] = ['a', 'b', 'c'].map((name) => entryOf(parsed, name))
    for (let version = 0; version < 20; version++) entryOf(parsed, `d-${version}`).replaced()
    expect([first, second, third].map((entry) => isKept(entry!))).toEqual([true, true, true])
  })

  it('gives no room to a version that is read after it was replaced', () => {
    const parsed = new ParsedObjects(2)
    const [first, second] = ['a', 'b'].map((name) => entryOf(parsed, name))
    const text = JSON.stringify({ metadata: { name: 'old' } })
    for (let version = 0; version < 20; version++) {
      const old = new Entry(configMaps, parsed, text)
      old.replaced()
      expect(old.object.metadata?.name).toBe('old')
      expect(first!.withRevision(version).object.kind).toBe('ConfigMap')
    }
    expect([first, second].map((entry) => isKept(entry!))).toEqual([true, true])
  })

  it('keeps no more when rooms are given back that have been taken', () => {
    const parsed = new ParsedObjects(2)
    const entries = ['a', 'b'].map((name) => entryOf(parsed, name))
    for (const entry of entries) {
      entry.replaced()
      entry.replaced()
    }
    const later = Array.from({ length: 8 }, (_, index) => entryOf(parsed, `c-${index}`))
    expect(later.filter(isKept).length).toBeLessThanOrEqual(2)
    parsed.evictAll()
    expect(later.filter(isKept)).toEqual([])
  })

  it('evicts only events for events', () => {
    const parsed = new ParsedObjects(4)
    const kept = entryOf(parsed, 'a')
    for (let index = 0; index < 20; index++) entryOf(parsed, `e-${index}`, coreEvents)
    expect(isKept(kept)).toBe(true)
  })
})
