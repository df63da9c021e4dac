import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { StoreOptions } from '../revision-store.ts'
import {
  CompactedError,
  type Draft,
  FutureRevisionError,
  RevisionConflictError,
  type Store,
  StoreClosedError,
  type StoreEvent,
} from '../store.ts'
import { runAgainstModel, storeActions } from './store-model.ts'

/** Opens an empty store. */
type OpenStore = (options?: StoreOptions) => Promise<Store>

export function draft(name: string, memo?: unknown): Draft {
  return { head: `{"name":"${name}","revision":"`, tail: '"}', memo }
}

const names = (events: readonly StoreEvent[]) => events.map(({ type, record }) => `${type} ${record.key}@${record.revision}`)

/** The contract of every engine. An engine that waits for a disk takes fewer random runs. */
export function describeStore(engine: string, open: OpenStore, { randomRuns }: { randomRuns: number }): void {
  const opened: Store[] = []
  const openStore: OpenStore = async (options) => {
    const store = await open(options)
    opened.push(store)
    return store
  }
  const fill = async (store: Store, ...keys: string[]) => {
    for (const key of keys) await store.put(key, 0, draft(key))
  }
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  describe(`${engine}: writes`, () => {
    it('start at revision 2 and grow by one', async () => {
      const store = await openStore()
      expect([store.revision, store.compactRevision, store.count('')]).toEqual([1, 1, 0])
      const first = await store.put('pods/a/x', 0, draft('x'))
      const second = await store.put('pods/a/y', 0, draft('y'))
      expect([first.revision, second.revision, store.revision]).toEqual([2, 3, 3])
    })

    it('put the revision between head and tail', async () => {
      const store = await openStore()
      const record = await store.put('pods/a/x', 0, draft('x', 'parsed'))
      expect(record).toEqual({ key: 'pods/a/x', revision: 2, createRevision: 2, value: '{"name":"x","revision":"2"}', memo: 'parsed' })
      expect(store.get('pods/a/x')).toBe(record)
    })

    it('assign its revision to a source before asking for its value', async () => {
      const store = await openStore()
      let at = 0
      const source = {
        assignRevision(revision: number) {
          at = revision
        },
        get value() {
          return `{"revision":"${at}"}`
        },
      }
      const record = await store.put('pods/a/x', 0, { source })
      expect([record.key, record.revision, record.createRevision, record.value, record.memo]).toEqual([
        'pods/a/x',
        2,
        2,
        '{"revision":"2"}',
        source,
      ])
      expect(store.get('pods/a/x')).toBe(record)
    })

    it('keep the create revision over updates, and start a new one after a removal', async () => {
      const store = await openStore()
      await store.put('k', 0, draft('1'))
      const updated = await store.put('k', 2, draft('2'))
      expect([updated.revision, updated.createRevision]).toEqual([3, 2])
      const removed = await store.remove('k', 3, draft('2'))
      expect([removed.revision, removed.createRevision, removed.value]).toEqual([4, 2, '{"name":"2","revision":"4"}'])
      expect(store.get('k')).toBeUndefined()
      const created = await store.put('k', 0, draft('3'))
      expect([created.revision, created.createRevision]).toEqual([5, 5])
    })

    it('are not visible before they are durable', async () => {
      const store = await openStore()
      const written = store.put('k', 0, draft('k'))
      expect([store.get('k'), store.revision, store.count(''), store.list('').records]).toEqual([undefined, 1, 0, []])
      await written
      expect(store.get('k')?.revision).toBe(2)
    })

    it('resolve in order, each after its watchers were notified', async () => {
      const store = await openStore()
      const seen: string[] = []
      store.watch('', 1, (events) => seen.push(...names(events)))
      await Promise.all(
        ['a', 'b', 'c'].map((key) => store.put(key, 0, draft(key)).then(({ revision }) => seen.push(`done ${key}@${revision}`))),
      )
      expect(seen.filter((line) => line.startsWith('put'))).toEqual(['put a@2', 'put b@3', 'put c@4'])
      expect(seen.filter((line) => line.startsWith('done'))).toEqual(['done a@2', 'done b@3', 'done c@4'])
      for (const line of ['a@2', 'b@3', 'c@4']) expect(seen.indexOf(`put ${line}`)).toBeLessThan(seen.indexOf(`done ${line}`))
    })

    it.each([
      { name: 'a create of an existing key', expected: 0 },
      { name: 'an update of an older version', expected: 2 },
      { name: 'an update of a version that never existed', expected: 99 },
    ])('refuse $name', async ({ expected }) => {
      const store = await openStore()
      await store.put('k', 0, draft('1'))
      await store.put('k', 2, draft('2'))
      const error = await store.put('k', expected, draft('3')).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(RevisionConflictError)
      expect(error).toMatchObject({ key: 'k', expected, current: { revision: 3 } })
      await expect(store.remove('k', expected, draft('3'))).rejects.toThrow(RevisionConflictError)
      expect(store.revision).toBe(3)
    })

    it.each([0, 5])('refuse to remove a missing key, expecting %i', async (expected) => {
      const store = await openStore()
      const error = await store.remove('k', expected, draft('k')).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(RevisionConflictError)
      expect(error).toMatchObject({ current: undefined })
      expect(store.revision).toBe(1)
    })

    it('are checked against pending writes, and refused when the winner is visible', async () => {
      const store = await openStore()
      const winner = store.put('k', 0, draft('winner'))
      const built = store.put('k', 2, draft('built on it'))
      const loser = store.put('k', 0, draft('loser')).catch((error: unknown) => ({ error, seen: store.get('k')?.revision }))
      expect(await loser).toMatchObject({ error: { name: 'RevisionConflictError', current: { revision: 3 } }, seen: 3 })
      expect([(await winner).revision, (await built).revision]).toEqual([2, 3])
      const removal = store.remove('k', 3, draft('gone'))
      const late = store.put('k', 3, draft('late')).catch((error: unknown) => ({ error, seen: store.get('k') }))
      const anew = store.put('k', 0, draft('anew'))
      expect(await late).toMatchObject({ error: { name: 'RevisionConflictError', current: undefined } })
      expect([(await removal).revision, (await anew).revision, (await anew).createRevision]).toEqual([4, 5, 5])
    })

    it('let exactly one of many creates win', async () => {
      const store = await openStore()
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => store.put('k', 0, draft(String(i)))))
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', ...Array(19).fill('rejected')])
      expect(store.revision).toBe(2)
    })

    it('keep the order of a burst over several groups', async () => {
      const store = await openStore()
      const groups: number[] = []
      store.watch('', 1, (events) => groups.push(events.length))
      const records = await Promise.all(Array.from({ length: 2000 }, (_, i) => store.put(`k/${i}`, 0, draft(String(i)))))
      expect(records.map(({ revision }) => revision)).toEqual(Array.from({ length: 2000 }, (_, i) => i + 2))
      expect(groups.reduce((a, b) => a + b)).toBe(2000)
      expect(groups.length).toBeGreaterThan(1)
    })

    it.each([
      { name: 'a key of 2,000 bytes', key: 'x'.repeat(2000), value: 'x' },
      { name: 'a key that is too long in UTF-8 only', key: '\u20ac'.repeat(700), value: 'x' },
      { name: 'a lone surrogate in the key', key: 'a\ud800', value: 'x' },
      { name: 'a lone surrogate in the value', key: 'a', value: '\udc00' },
    ])('refuse $name, and accept the next write', async ({ key, value }) => {
      const store = await openStore()
      await expect(store.put(key, 0, draft(value))).rejects.toThrow(/^Cannot write/)
      expect((await store.put('k', 0, draft('k'))).revision).toBe(2)
    })

    it('accept every key and value of well-formed Unicode', async () => {
      const store = await openStore()
      const keys = ['', '/', '__proto__', 'a\u0000b', 'é', '\uffff', '😀', 'x'.repeat(1900)]
      for (const key of keys) await store.put(key, 0, { head: key, tail: '\u0000é😀' })
      expect(store.list('').records.map(({ key }) => key)).toEqual([...keys].sort())
      for (const [i, key] of keys.entries()) expect(store.get(key)?.value).toBe(`${key}${i + 2}\u0000é😀`)
    })
  })

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

  describe(`${engine}: watch()`, () => {
    it('delivers the backlog before it returns, then new changes', async () => {
      const store = await openStore()
      await fill(store, 'pods/a/1', 'nodes/n', 'pods/b/1')
      const groups: string[][] = []
      const stop = store.watch('pods/', 2, (events) => groups.push(names(events)))
      expect(groups).toEqual([['put pods/b/1@4']])
      await store.put('pods/a/1', 2, draft('again'))
      await store.put('nodes/m', 0, draft('m'))
      await store.remove('pods/b/1', 4, draft('gone'))
      expect(groups.slice(1)).toEqual([['put pods/a/1@5'], ['delete pods/b/1@7']])
      stop()
      stop()
      await store.put('pods/c/1', 0, draft('c'))
      expect(groups.length).toBe(3)
    })

    it('delivers the replaced version, and the last state of a removed key', async () => {
      const store = await openStore()
      const events: StoreEvent[] = []
      store.watch('k', 1, (group) => events.push(...group))
      const first = await store.put('k', 0, draft('1'))
      const second = await store.put('k', 2, draft('2'))
      const last = await store.remove('k', 3, draft('last'))
      expect(events.map(({ record }) => record)).toEqual([first, second, last])
      expect(events[0]!.previous).toBeUndefined()
      expect(events[1]!.previous).toBe(first)
      expect(events[2]!.previous).toBe(second)
      expect(last.value).toBe('{"name":"last","revision":"4"}')
    })

    it.each([
      { name: 'everything', prefix: '', seen: ['p', 'pods', 'pods/a', 'pods/a/1', 'pods/a/12', 'pods/ab/1'] },
      { name: 'a resource', prefix: 'pods/', seen: ['pods/a', 'pods/a/1', 'pods/a/12', 'pods/ab/1'] },
      { name: 'a namespace', prefix: 'pods/a/', seen: ['pods/a/1', 'pods/a/12'] },
      { name: 'one key and no longer key with that prefix', prefix: 'pods/a/1', seen: ['pods/a/1'] },
    ])('covers $name, for new and for past changes', async ({ prefix, seen }) => {
      const store = await openStore()
      const live: string[] = []
      store.watch(prefix, 1, (events) => live.push(...events.map(({ record }) => record.key)))
      await fill(store, 'p', 'pods', 'pods/a', 'pods/a/1', 'pods/a/12', 'pods/ab/1')
      const past: string[] = []
      store.watch(prefix, 1, (events) => past.push(...events.map(({ record }) => record.key)))
      expect([live, past]).toEqual([seen, seen])
    })

    it('passes the same array to all watchers of a prefix', async () => {
      const store = await openStore()
      const arrays = new Set<unknown>()
      for (let i = 0; i < 3; i++) store.watch('pods/', 1, (events) => arrays.add(events))
      await store.put('pods/a/1', 0, draft('1'))
      expect(arrays.size).toBe(1)
    })

    it('refuses compacted and future revisions', async () => {
      const store = await openStore()
      await fill(store, 'a', 'b', 'c')
      store.compact(3)
      expect(() => store.watch('', 2, () => {})).toThrow(CompactedError)
      expect(() => store.watch('', 5, () => {})).toThrow(FutureRevisionError)
      const seen: string[] = []
      store.watch('', 3, (events) => seen.push(...names(events)))
      expect(seen).toEqual(['put c@4'])
    })

    it('continues when a listener throws', async () => {
      const errors: unknown[] = []
      const store = await openStore({ onListenerError: (error) => errors.push(error) })
      await fill(store, 'a')
      const seen: string[] = []
      store.watch('', 1, () => {
        throw new Error('listener')
      })
      store.watch('', 1, (events) => seen.push(...names(events)))
      await fill(store, 'b')
      expect(seen).toEqual(['put a@2', 'put b@3'])
      expect(errors).toEqual([new Error('listener'), new Error('listener')])
    })

    it('may be ended and started inside a listener', async () => {
      const store = await openStore()
      const seen: string[] = []
      const stopFirst = store.watch('', 1, (events) => {
        seen.push(`first ${names(events)}`)
        stopFirst()
        stopSecond()
        store.watch('', store.revision, (later) => seen.push(`new ${names(later)}`))
        store.watch('', 1, (later) => seen.push(`from the start ${names(later)}`))
      })
      const stopSecond = store.watch('', 1, (events) => seen.push(`second ${names(events)}`))
      store.watch('', 1, (events) => seen.push(`third ${names(events)}`))
      await fill(store, 'a', 'b')
      expect(seen.slice(0, 3)).toEqual(['first put a@2', 'from the start put a@2', 'third put a@2'])
      expect(seen.slice(3)).toEqual(['third put b@3', 'new put b@3', 'from the start put b@3'])
    })

    it('delivers writes that a listener makes', async () => {
      const store = await openStore()
      const seen: string[] = []
      let answer: Promise<unknown> | undefined
      store.watch('', 1, (events) => {
        seen.push(...names(events))
        answer ??= store.put('answer', 0, draft('answer'))
      })
      await fill(store, 'a')
      await answer
      expect(seen).toEqual(['put a@2', 'put answer@3'])
    })
  })

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

  describe(`${engine}: close()`, () => {
    it('waits for pending writes and refuses later ones', async () => {
      const store = await openStore()
      let stored: unknown
      void store.put('k', 0, draft('k')).then((record) => {
        stored = record
      })
      const closed = store.close()
      await expect(store.put('late', 0, draft('late'))).rejects.toThrow(StoreClosedError)
      await closed
      expect(stored).toMatchObject({ key: 'k', revision: 2 })
      await expect(store.remove('k', 2, draft('k'))).rejects.toThrow('Cannot write "k": the store is closed')
      await store.close()
    })
  })

  describe(`${engine}: health()`, () => {
    it('reports that the store can write', async () => {
      const store = await openStore()
      await fill(store, 'a')
      expect(store.health()).toEqual({ canWrite: true })
    })
  })

  describe(`${engine}: random runs`, () => {
    it('agree with the model', async () => {
      await fc.assert(
        fc.asyncProperty(storeActions, async (actions) => {
          const store = await openStore()
          try {
            await runAgainstModel(store, actions)
          } finally {
            await store.close()
          }
        }),
        { numRuns: randomRuns },
      )
    })
  })
}
