import fc from 'fast-check'
import { expect } from 'vitest'
import type { Store } from '../store.ts'

// A reference model: it keeps every past state in full. Random actions are applied to the model and to the store.

type Action =
  | { do: 'put' | 'remove'; key: string; isStale: boolean }
  | { do: 'settle' }
  | { do: 'list' | 'watch'; prefix: string; at: number; after: string; limit: number }
  | { do: 'compact'; at: number }

const keys = ['a', 'a/', 'a/1', 'a/2', 'a/b/1', 'a/b/2', 'ab/1', 'b/1', 'b/😀', 'b/\uffee']
const prefixes = ['', 'a/', 'a/b/', 'b/', 'c/']
/** 0 is the oldest revision, 1 the newest. */
const at = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)

export const storeActions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), key: fc.constantFrom(...keys), isStale: rarely() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), key: fc.constantFrom(...keys), isStale: rarely() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('list' as const, 'watch' as const),
        prefix: fc.constantFrom(...prefixes),
        at,
        after: fc.constantFrom('', ...keys),
        limit: fc.integer({ min: 0, max: 5 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), at }) },
  ),
  { minLength: 10, maxLength: 80, size: 'max' },
)

function rarely(): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 9 }).map((n) => n === 0)
}

interface Version {
  readonly revision: number
  readonly createRevision: number
  readonly value: string
}

export async function runAgainstModel(store: Store, actions: readonly Action[]): Promise<void> {
  const first = store.revision
  /** states[i] is the state at revision first + i; changes[i] is the change that led to it. */
  const states: Map<string, Version>[] = [new Map()]
  const changes: string[] = ['']
  const newest = () => first + states.length - 1
  let compacted = first
  const underWay: Promise<void>[] = []
  const watches: { seen: string[]; prefix: string; from: number }[] = []

  const write = (type: 'put' | 'delete', key: string, isStale: boolean) => {
    const state = states.at(-1)!
    const current = state.get(key)
    const expected = isStale ? 10_000 : (current?.revision ?? 0)
    const head = `${key}:`
    const promise = type === 'put' ? store.put(key, expected, { head, tail: '.' }) : store.remove(key, expected, { head, tail: '.' })
    if (isStale || (type === 'delete' && current === undefined)) {
      const seenBy = newest()
      underWay.push(
        promise.then(
          () => expect.unreachable(`${type} of ${key} must be refused`),
          (error) => {
            expect(error).toMatchObject({ name: 'RevisionConflictError', key, expected })
            expect(error.current?.revision).toBe(current?.revision)
            // It lost against the newest change of its key up to then.
            const winner = changes.slice(0, seenBy - first + 1).findLastIndex((change) => change.split(' ')[1] === key)
            if (winner > 0) expect(store.revision).toBeGreaterThanOrEqual(first + winner)
          },
        ),
      )
      return
    }
    const revision = newest() + 1
    const version = { revision, createRevision: current?.createRevision ?? revision, value: `${head}${revision}.` }
    const next = new Map(state)
    if (type === 'put') next.set(key, version)
    else next.delete(key)
    states.push(next)
    changes.push(`${type} ${key} ${version.value} ${current?.value}`)
    underWay.push(promise.then((record) => expect(record).toEqual({ key, ...version, memo: undefined })))
  }

  const settle = async () => {
    await Promise.all(underWay.splice(0))
    expect(store.revision).toBe(newest())
    for (const { seen, prefix, from } of watches) {
      expect(seen).toEqual(changes.slice(from - first + 1).filter((change) => change.split(' ')[1]!.startsWith(prefix)))
    }
  }

  for (const action of actions) {
    switch (action.do) {
      case 'put':
        write('put', action.key, action.isStale)
        break
      case 'remove':
        write('delete', action.key, action.isStale)
        break
      case 'settle':
        await settle()
        break
      case 'compact':
        compacted = Math.max(compacted, revisionAt(store, action.at))
        store.compact(compacted)
        expect(store.compactRevision).toBe(compacted)
        break
      case 'list': {
        const revision = revisionAt(store, action.at)
        if (revision < compacted) {
          expect(() => store.list(action.prefix, { revision })).toThrow(/are compacted/)
          break
        }
        const range = [...states[revision - first]!]
          .filter(([key]) => key.startsWith(action.prefix) && (action.after === '' || key > action.after))
          .sort(([a], [b]) => (a < b ? -1 : 1))
        const page = action.limit === 0 ? range : range.slice(0, action.limit)
        expect(store.list(action.prefix, { revision, limit: action.limit, after: action.after || undefined })).toEqual({
          records: page.map(([key, version]) => ({ key, ...version, memo: undefined })),
          revision,
          remaining: range.length - page.length,
        })
        break
      }
      case 'watch': {
        const from = revisionAt(store, action.at)
        const seen: string[] = []
        const begin = () =>
          store.watch(action.prefix, from, (events) => {
            for (const { type, record, previous } of events) seen.push(`${type} ${record.key} ${record.value} ${previous?.value}`)
          })
        if (from < compacted) {
          expect(begin).toThrow(/are compacted/)
          break
        }
        begin()
        watches.push({ seen, prefix: action.prefix, from })
        break
      }
    }
  }
  await settle()
  const current = [...states.at(-1)!].sort(([a], [b]) => (a < b ? -1 : 1))
  expect(store.list('').records.map(({ key, value }) => [key, value])).toEqual(current.map(([key, { value }]) => [key, value]))
  for (const prefix of prefixes) expect(store.count(prefix)).toBe(current.filter(([key]) => key.startsWith(prefix)).length)
}

function revisionAt(store: Store, part: number): number {
  return 1 + Math.round(part * (store.revision - 1))
}
