import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../base/random.ts'
import { ColdValues } from './cold-values.ts'
import { openDurableStore } from './durable-store.ts'
import { OrderedIndex } from './ordered-index.ts'
import { PackableRecord } from './packable-record.ts'
import type { SourceDraft, Store } from './store.ts'

const serialized = (at: number) => JSON.stringify({ name: `pod-${at}`, rest: 'the same in each of them '.repeat(10) })

function openIndex(records: number) {
  const index = new OrderedIndex()
  const all = Array.from(
    { length: records },
    (_, at) => new PackableRecord(`pods/default/pod-${at}`, at + 2, at + 2, serialized(at), undefined),
  )
  for (const record of all) index.set(record)
  return { index, all, revision: records + 1 }
}

const isPacked = ({ heldCharacters: keptLength }: PackableRecord) => keptLength < 50

describe('ColdValues', () => {
  it('packs the values that have not changed recently, and reads return them unchanged', () => {
    const { index, all, revision } = openIndex(1000)
    const cold = new ColdValues(index, { records: 0, age: 400 })
    for (let round = 0; round < 20; round++) cold.noteWrites(64, revision)
    expect(all.slice(600).filter(isPacked)).toEqual([])
    // The first value had no other to be compared with.
    expect(all.slice(0, 600).filter((record) => !isPacked(record))).toHaveLength(1)
    expect(all.map(({ value }) => value)).toEqual(all.map((_, at) => serialized(at)))
  })

  it('advances in proportion to the number of writes', () => {
    const { index, all, revision } = openIndex(1000)
    const cold = new ColdValues(index, { records: 0, age: 0 })
    cold.noteWrites(63, revision)
    expect(all.filter(isPacked)).toHaveLength(0)
    cold.noteWrites(1, revision)
    expect(all.filter(isPacked)).toHaveLength(127)
  })

  it('does not pack a store with few records', () => {
    const { index, all, revision } = openIndex(1000)
    const cold = new ColdValues(index, { records: 1001, age: 0 })
    cold.noteWrites(1000, revision)
    expect(all.filter(isPacked)).toEqual([])
  })

  it('says whether the value of a record may contain a string, packed or not', () => {
    const { index, all, revision } = openIndex(1000)
    const cold = new ColdValues(index, { records: 0, age: 400 })
    for (let round = 0; round < 20; round++) cold.noteWrites(64, revision)
    for (const at of [300, 900])
      expect([`pod-${at}`, 'the same', 'pod-1000'].map((part) => all[at]!.mayContain(part))).toEqual([true, true, false])
  })
})

describe('a store that packs', () => {
  it('returns every value as it was written, also after a restart', async () => {
    const path = await mkdtemp(join(tmpdir(), 'rollcall-cold-'))
    const random = seededRandom(7)
    const pick = (most: number) => Math.floor(random.next() * most)
    const expected = new Map<string, { value: string; revision: number }>()
    const draftOf = (key: string): SourceDraft => {
      const [a, b] = [pick(5), pick(5)]
      const conditions = Array.from({ length: pick(4) }, () => ({ type: 'Ready', count: a, other: b, at: `t${pick(3)}` }))
      const body = JSON.stringify({
        name: key,
        ready: a,
        available: a,
        unavailable: b,
        updated: b,
        conditions,
        common: 'the same in each '.repeat(9),
      })
      let revision = 0
      return {
        source: {
          assignRevision(given) {
            revision = given
            expected.set(key, { value: `{"revision":"${given}","body":${body}}`, revision: given })
          },
          get value() {
            return `{"revision":"${revision}","body":${body}}`
          },
        },
      }
    }
    const check = (store: Store) => {
      const found = store.list('').records.map(({ key, value }) => [key, value])
      expect(found).toEqual([...expected].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { value }]) => [key, value]))
    }
    try {
      const store = await openDurableStore({ path, packing: { records: 0, age: 20 } })
      for (let round = 0; round < 40; round++) {
        const writes = Array.from({ length: 50 }, () => `${['pods', 'events'][pick(2)]}/n${pick(3)}/${pick(40)}`)
        const keys = [...new Set(writes)]
        await Promise.all(keys.map((key) => store.put(key, expected.get(key)?.revision ?? 0, draftOf(key))))
        check(store)
      }
      const kept = store.list('').records.map((record) => (record as PackableRecord).heldCharacters)
      expect(Math.min(...kept)).toBeLessThan(50)
      await store.close()
      const again = await openDurableStore({ path })
      check(again)
      await again.close()
    } finally {
      await rm(path, { recursive: true, force: true })
    }
  })
})
