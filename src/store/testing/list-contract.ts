import { describe, expect, it } from 'vitest'
import { CompactedError, FutureRevisionError } from '../store.ts'
import { draft } from './draft.ts'
import type { TestedEngine } from './tested-engine.ts'

/** Lists: ranges, pages, past revisions. */
export function describeLists({ engine, openStore, fill }: TestedEngine): void {
  describe(`${engine}: list()`, () => {
    const all = ['nodes/a', 'pods/a/1', 'pods/a/2', 'pods/a/3', 'pods/ab/1', 'pods/b/1', 'services/a/1']

    it.each([
      { name: 'a namespace, not its neighbour', prefix: 'pods/a/', options: {}, keys: all.slice(1, 4), remaining: 0 },
      { name: 'a resource', prefix: 'pods/', options: {}, keys: all.slice(1, 6), remaining: 0 },
      { name: 'everything', prefix: '', options: {}, keys: all, remaining: 0 },
      { name: 'nothing', prefix: 'secrets/', options: {}, keys: [], remaining: 0 },
      { name: 'nothing after the end', prefix: 'z', options: {}, keys: [], remaining: 0 },
      { name: 'a first page', prefix: 'pods/', options: { limit: 2 }, keys: all.slice(1, 3), remaining: 3 },
      { name: 'a page in the middle', prefix: 'pods/', options: { limit: 2, after: 'pods/a/2' }, keys: all.slice(3, 5), remaining: 1 },
      {
        name: 'a page after a deleted key',
        prefix: 'pods/',
        options: { limit: 1, after: 'pods/a/25' },
        keys: ['pods/a/3'],
        remaining: 2,
      },
      { name: 'the last page', prefix: 'pods/', options: { limit: 2, after: 'pods/ab/1' }, keys: ['pods/b/1'], remaining: 0 },
      { name: 'no limit for limit 0', prefix: 'pods/a/', options: { limit: 0 }, keys: all.slice(1, 4), remaining: 0 },
      { name: 'all for an after before the range', prefix: 'pods/a/', options: { after: 'a' }, keys: all.slice(1, 4), remaining: 0 },
      { name: 'nothing for an after behind the range', prefix: 'pods/a/', options: { after: 'services/a/1' }, keys: [], remaining: 0 },
    ])('returns $name', async ({ prefix, options, keys, remaining }) => {
      const store = await openStore()
      await fill(store, ...[...all].reverse())
      const expected = { revision: 8, remaining }
      const result = store.list(prefix, options)
      expect(result.records.map(({ key }) => key)).toEqual(keys)
      expect(result).toMatchObject(expected)
      // The same for a past state.
      await store.put('pods/a/0', 0, draft('later'))
      await store.remove('pods/a/2', store.get('pods/a/2')!.revision, draft('later'))
      await store.put('pods/b/1', store.get('pods/b/1')!.revision, draft('later'))
      const past = store.list(prefix, { ...options, revision: 8 })
      expect(past.records.map(({ key }) => key)).toEqual(keys)
      expect(past).toMatchObject(expected)
      expect(past.records.every(({ value }) => !value.includes('later'))).toBe(true)
    })

    it('counts a range', async () => {
      const store = await openStore()
      await fill(store, ...all)
      expect(['', 'pods/', 'pods/a/', 'z', '0'].map((prefix) => store.count(prefix))).toEqual([7, 5, 3, 0, 0])
    })

    it('reads a past state page by page while the store changes', async () => {
      const store = await openStore()
      await fill(store, ...Array.from({ length: 40 }, (_, i) => `pods/${i}`))
      const { revision } = store
      const expected = store.list('pods/').records
      const pages = []
      for (let after: string | undefined; ; after = pages.at(-1)!.key) {
        const { records, remaining } = store.list('pods/', { revision, after, limit: 7 })
        pages.push(...records)
        expect(remaining).toBe(40 - pages.length)
        if (remaining === 0) break
        for (const { key, revision } of [...store.list('pods/').records].slice(0, 30)) await store.put(key, revision, draft('changed'))
        const { key, revision: current } = store.list('pods/').records.at(-1)!
        await store.remove(key, current, draft('gone'))
        await store.put(`pods/new-${pages.length}`, 0, draft('new'))
      }
      expect(pages).toEqual(expected)
    })

    it('refuses compacted and future states', async () => {
      const store = await openStore()
      await fill(store, 'a', 'b', 'c')
      store.compact(3)
      expect(store.compactRevision).toBe(3)
      expect(store.list('', { revision: 3 }).records.map(({ key }) => key)).toEqual(['a', 'b'])
      expect(() => store.list('', { revision: 2 })).toThrow(CompactedError)
      expect(() => store.list('', { revision: 0 })).toThrow(CompactedError)
      expect(() => store.list('', { revision: 5 })).toThrow(FutureRevisionError)
      expect(() => store.compact(5)).toThrow(FutureRevisionError)
      store.compact(2)
      expect(store.compactRevision).toBe(3)
      store.compact(4)
      expect(() => store.list('', { revision: 3 })).toThrow(CompactedError)
      expect(store.list('').records.length).toBe(3)
    })
  })
}
