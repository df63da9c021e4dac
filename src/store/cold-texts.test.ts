import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../base/random.ts'
import { ColdTexts } from './cold-texts.ts'
import { openDurableStore } from './durable-store.ts'
import { OrderedIndex } from './ordered-index.ts'
import type { SourceDraft, Store } from './store.ts'
import { TextRecord } from './text-record.ts'

const textOf = (at: number) => JSON.stringify({ name: `pod-${at}`, rest: 'the same in each of them '.repeat(10) })

function openIndex(records: number) {
  const index = new OrderedIndex()
  const all = Array.from({ length: records }, (_, at) => new TextRecord(`pods/default/pod-${at}`, at + 2, at + 2, textOf(at), undefined))
  for (const record of all) index.set(record)
  return { index, all, revision: records + 1 }
}

const isPacked = ({ keptLength }: TextRecord) => keptLength < 50

describe('ColdTexts', () => {
  it('packs what has not changed lately, and nobody who reads it sees a difference', () => {
    const { index, all, revision } = openIndex(1000)
    const cold = new ColdTexts(index, { records: 0, age: 400 })
    for (let round = 0; round < 20; round++) cold.noteWrites(64, revision)
    expect(all.slice(600).filter(isPacked)).toEqual([])
    // The first of them was like none before it.
    expect(all.slice(0, 600).filter((record) => !isPacked(record))).toHaveLength(1)
    expect(all.map(({ text }) => text)).toEqual(all.map((_, at) => textOf(at)))
  })

  it('takes as many steps as there are writes', () => {
    const { index, all, revision } = openIndex(1000)
    const cold = new ColdTexts(index, { records: 0, age: 0 })
    cold.noteWrites(63, revision)
    expect(all.filter(isPacked)).toHaveLength(0)
    cold.noteWrites(1, revision)
    expect(all.filter(isPacked)).toHaveLength(127)
  })

  it('leaves few records alone', () => {
    const { index, all, revision } = openIndex(1000)
    const cold = new ColdTexts(index, { records: 1001, age: 0 })
    cold.noteWrites(1000, revision)
    expect(all.filter(isPacked)).toEqual([])
  })

  it('says of a record what its text may have, packed or not', () => {
    const { index, all, revision } = openIndex(1000)
    const cold = new ColdTexts(index, { records: 0, age: 400 })
    for (let round = 0; round < 20; round++) cold.noteWrites(64, revision)
    for (const at of [300, 900])
      expect([`pod-${at}`, 'the same', 'pod-1000'].map((part) => all[at]!.mayHave(part))).toEqual([true, true, false])
  })
})

describe('a store that packs', () => {
  it('gives every text as it was written, then and at the next start', async () => {
    const path = await mkdtemp(join(tmpdir(), 'rollcall-cold-'))
    const random = seededRandom(7)
    const pick = (most: number) => Math.floor(random.next() * most)
    const expected = new Map<string, { text: string; revision: number }>()
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
          settle(given) {
            revision = given
            expected.set(key, { text: `{"revision":"${given}","body":${body}}`, revision: given })
          },
          get text() {
            return `{"revision":"${revision}","body":${body}}`
          },
        },
      }
    }
    const check = (store: Store) => {
      const found = store.list('').records.map(({ key, text }) => [key, text])
      expect(found).toEqual([...expected].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { text }]) => [key, text]))
    }
    try {
      const store = await openDurableStore({ path, packing: { records: 0, age: 20 } })
      for (let round = 0; round < 40; round++) {
        const writes = Array.from({ length: 50 }, () => `${['pods', 'events'][pick(2)]}/n${pick(3)}/${pick(40)}`)
        const keys = [...new Set(writes)]
        await Promise.all(keys.map((key) => store.put(key, expected.get(key)?.revision ?? 0, draftOf(key))))
        check(store)
      }
      const kept = store.list('').records.map((record) => (record as TextRecord).keptLength)
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
