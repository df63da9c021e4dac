import { describe, expect, it } from 'vitest'
import { ColdTexts } from './cold-texts.ts'
import { OrderedIndex } from './ordered-index.ts'
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
