import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrderedIndex } from './ordered-index.ts'
import type { StoredRecord } from './store.ts'

const record = (key: string, revision = 2): StoredRecord => ({ key, revision, createRevision: 2, value: '', memo: undefined })

describe('OrderedIndex', () => {
  it('agrees with a sorted array over many chunks, for any order of inserts and deletes', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(2999)), fc.nat(2000), (numbers, loaded) => {
        const keyOf = (n: number) => `${'abc'[n % 3]}/${String(n).padStart(4, '0')}`
        const model = new Map<string, StoredRecord>()
        for (let n = 0; n < loaded; n++) model.set(keyOf(n), record(keyOf(n)))
        const sorted = () => [...model.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
        const index = OrderedIndex.from(sorted())
        // The index grows, then shrinks to almost nothing.
        for (let step = 0; step < 6000; step++) {
          const key = keyOf(numbers.next().value as number)
          if (step % 10 < (step < 3000 ? 2 : 9)) {
            index.delete(key)
            model.delete(key)
          } else {
            const next = record(key, step)
            index.set(next)
            model.set(key, next)
          }
          if (step % 1000 !== 999) continue
          const all = sorted()
          expect(index.size).toBe(all.length)
          for (const prefix of ['', 'a/', 'b/', 'c/', 'd/', 'a/1']) {
            const range = all.filter((record) => record.key.startsWith(prefix))
            expect(index.count(prefix)).toBe(range.length)
            expect(index.range(prefix, undefined, Number.POSITIVE_INFINITY)).toEqual({ records: range, remaining: 0 })
            const after = range.filter((record) => record.key > key)
            expect(index.range(prefix, key, 700)).toEqual({ records: after.slice(0, 700), remaining: Math.max(0, after.length - 700) })
          }
          for (let n = 0; n < 3000; n += 7) expect(index.get(keyOf(n))).toBe(model.get(keyOf(n)))
        }
      }),
      { numRuns: 8 },
    )
  })
})
