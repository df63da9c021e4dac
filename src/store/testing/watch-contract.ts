import { describe, expect, it } from 'vitest'
import { CompactedError, FutureRevisionError, type StoreEvent } from '../store.ts'
import { draft } from './draft.ts'
import { eventNames } from './event-names.ts'
import type { TestedEngine } from './tested-engine.ts'

/** Watches: order, backlog, groups. */
export function describeWatches({ engine, openStore, fill }: TestedEngine): void {
  describe(`${engine}: watch()`, () => {
    it('delivers the backlog before it returns, then new changes', async () => {
      const store = await openStore()
      await fill(store, 'pods/a/1', 'nodes/n', 'pods/b/1')
      const groups: string[][] = []
      const stop = store.watch('pods/', 2, (events) => groups.push(eventNames(events)))
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
      store.watch('', 3, (events) => seen.push(...eventNames(events)))
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
      store.watch('', 1, (events) => seen.push(...eventNames(events)))
      await fill(store, 'b')
      expect(seen).toEqual(['put a@2', 'put b@3'])
      expect(errors).toEqual([new Error('listener'), new Error('listener')])
    })

    it('may be ended and started inside a listener', async () => {
      const store = await openStore()
      const seen: string[] = []
      const stopFirst = store.watch('', 1, (events) => {
        seen.push(`first ${eventNames(events)}`)
        stopFirst()
        stopSecond()
        store.watch('', store.revision, (later) => seen.push(`new ${eventNames(later)}`))
        store.watch('', 1, (later) => seen.push(`from the start ${eventNames(later)}`))
      })
      const stopSecond = store.watch('', 1, (events) => seen.push(`second ${eventNames(events)}`))
      store.watch('', 1, (events) => seen.push(`third ${eventNames(events)}`))
      await fill(store, 'a', 'b')
      expect(seen.slice(0, 3)).toEqual(['first put a@2', 'from the start put a@2', 'third put a@2'])
      expect(seen.slice(3)).toEqual(['third put b@3', 'new put b@3', 'from the start put b@3'])
    })

    it('delivers writes that a listener makes', async () => {
      const store = await openStore()
      const seen: string[] = []
      let answer: Promise<unknown> | undefined
      store.watch('', 1, (events) => {
        seen.push(...eventNames(events))
        answer ??= store.put('answer', 0, draft('answer'))
      })
      await fill(store, 'a')
      await answer
      expect(seen).toEqual(['put a@2', 'put answer@3'])
    })
  })
}
