import { describe, expect, it } from 'vitest'
import { CompactedError, type Draft } from '../store.ts'
import { draft } from './draft.ts'
import type { TestedEngine } from './tested-engine.ts'

/** The window of history: compaction, held ranges, memos. */
export function describeHistory({ engine, openStore }: TestedEngine): void {
  describe(`${engine}: the window of history`, () => {
    it('is bounded by the number of changes', async () => {
      const store = await openStore({ history: { events: 10 } })
      for (let i = 0; i < 30; i++) await store.put(`k/${i}`, 0, draft('x'))
      expect([store.revision, store.compactRevision]).toEqual([31, 21])
      expect(() => store.watch('', 20, () => {})).toThrow(CompactedError)
      expect(store.list('', { revision: 21 }).records.length).toBe(20)
    })

    it('is bounded by the characters of replaced values', async () => {
      const store = await openStore({ history: { characters: 10_000 } })
      const big: Draft = { head: 'x'.repeat(1000), tail: '' }
      for (let i = 0; i < 30; i++) await store.put(`k/${i}`, 0, big)
      expect(store.compactRevision).toBe(1)
      for (let i = 0; i < 15; i++) await store.put(`k/${i}`, i + 2, big)
      // 9 replaced values fit, the tenth makes 10,010 characters.
      expect([store.revision, store.compactRevision]).toEqual([46, 37])
      await store.remove('k/20', 22, big)
      expect([store.revision, store.compactRevision]).toEqual([47, 39])
    })

    it('keeps a held range readable to its end after it was compacted', async () => {
      const store = await openStore({ history: { events: 5 } })
      for (const name of ['a', 'b', 'c', 'd']) await store.put(`pods/${name}`, 0, draft(name))
      const { revision } = store
      store.hold('pods/', revision)
      store.hold('pods/', revision - 1)
      for (let i = 0; i < 20; i++) await store.put(`pods/new-${i}`, 0, draft('new'))
      await store.put('pods/b', 3, draft('changed'))
      await store.remove('pods/c', 4, draft('c'))
      expect(store.compactRevision).toBeGreaterThan(revision)
      expect(() => store.list('pods/', { revision: revision - 2 })).toThrow(CompactedError)
      expect(() => store.list('', { revision })).toThrow(CompactedError)
      expect(() => store.watch('pods/', revision, () => {})).toThrow(CompactedError)
      store.hold('', revision)
      expect(() => store.list('', { revision })).toThrow(CompactedError)
      const read = (limit: number, at: number) => {
        const names: string[] = []
        for (let after = 'pods/a'; ; ) {
          const { records, remaining } = store.list('pods/', { limit, after, revision: at })
          for (const record of records) names.push(`${record.key} ${JSON.parse(record.value).name}`)
          if (remaining === 0) return names
          after = records.at(-1)!.key
        }
      }
      // Reading the last page does not end the hold: other readers continue, and the page can be read again.
      for (const limit of [1, 2, 0, 1]) {
        expect(read(limit, revision)).toEqual(['pods/b b', 'pods/c c', 'pods/d d'])
        expect(read(limit, revision - 1)).toEqual(['pods/b b', 'pods/c c'])
      }
    })

    it('drops a held range that is no longer read', async () => {
      const store = await openStore({ history: { events: 5 } })
      for (const name of ['a', 'b']) await store.put(`pods/${name}`, 0, draft(name))
      const { revision } = store
      const write = async (count: number) => {
        const writes: Promise<unknown>[] = []
        for (let i = 0; i < count; i++) writes.push(store.put(`other/${store.revision}-${i}`, 0, draft('x')))
        await Promise.all(writes)
      }
      store.hold('pods/', revision)
      await write(6000)
      expect(store.list('pods/', { limit: 1, revision }).remaining).toBe(1)
      expect(store.list('pods/', { limit: 2, revision }).remaining).toBe(0)
      await write(4000)
      expect(store.list('pods/', { limit: 2, revision }).records).toHaveLength(2)
      await write(2000)
      expect(() => store.list('pods/', { limit: 2, revision })).toThrow(CompactedError)
    })

    it('holds a limited number of ranges, the most recent ones', async () => {
      const store = await openStore({ history: { events: 5 } })
      const { revision } = store
      for (let i = 0; i < 10; i++) store.hold(`r${i}/`, revision)
      store.hold('r2/', revision)
      store.hold('r10/', revision)
      for (let i = 0; i < 20; i++) await store.put(`other/${i}`, 0, draft('x'))
      const isHeld = (i: number) => {
        try {
          store.list(`r${i}/`, { revision })
          return true
        } catch {
          return false
        }
      }
      expect(Array.from({ length: 11 }, (_, i) => i).filter(isHeld)).toEqual([2, 4, 5, 6, 7, 8, 9, 10])
    })

    it('does not hold a compacted range', async () => {
      const store = await openStore()
      for (const name of ['a', 'b']) await store.put(`pods/${name}`, 0, draft(name))
      const { revision } = store
      store.hold('pods/', revision)
      await store.put('pods/c', 0, draft('c'))
      store.compact(store.revision)
      expect(() => store.list('pods/', { limit: 1, revision })).toThrow(CompactedError)
    })

    it('clears the memo of a version that was replaced long ago', async () => {
      const store = await openStore()
      const old = await store.put('k', 0, draft('old', 'memo'))
      const current = await store.put('k', 2, draft('new', 'memo'))
      for (let i = 0; i < 1000; i++) void store.put(`other/${i}`, 0, draft('x', 'memo'))
      await store.put('last', 0, draft('last'))
      expect([old.memo, current.memo]).toEqual([undefined, 'memo'])
    })

    it('clears the memo of the last version of a deleted key', async () => {
      const store = await openStore()
      await store.put('k', 0, draft('k'))
      let releases = 0
      store.watch('k', 2, ([event]) => {
        event!.record.memo = { replaced: () => releases++ }
      })
      const last = await store.remove('k', 2, draft('k'))
      expect([releases, last.memo]).toEqual([0, expect.anything()])
      for (let i = 0; i < 1000; i++) void store.put(`other/${i}`, 0, draft('x'))
      await store.put('last', 0, draft('last'))
      expect([releases, last.memo]).toEqual([1, undefined])
    })
  })
}
