import { describe, expect, it } from 'vitest'
import { RevisionConflictError } from '../store.ts'
import { draft } from './draft.ts'
import { eventNames } from './event-names.ts'
import type { TestedEngine } from './tested-engine.ts'

/** Writes: revisions, conflicts, deletions. */
export function describeWrites({ engine, openStore }: TestedEngine): void {
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
      store.watch('', 1, (events) => seen.push(...eventNames(events)))
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
}
