import { weightOf } from './lazy-record.ts'
import { OrderedIndex } from './ordered-index.ts'
import type { StoredRecord, StoreEvent } from './store.ts'

// A range as it was at a past revision: the current state plus the changes since, undone. The cost depends on the number of
// changes and not on the size of the range. Further changes are applied to it, so that it is not rebuilt for each page.

const entryWeight = 100

export class PastState {
  readonly prefix: string
  readonly revision: number
  /** The record at `revision` of each key that has changed since. */
  readonly #before = new Map<string, StoredRecord | undefined>()
  /** Records at `revision` whose keys have been deleted since. */
  readonly #deleted = new OrderedIndex()
  /** Current records whose keys did not exist at `revision`. */
  readonly #created = new OrderedIndex()
  /** The size of the values that possibly only this state keeps in memory, in characters. */
  weight = 0

  constructor(prefix: string, revision: number) {
    this.prefix = prefix
    this.revision = revision
  }

  /** Must be called once for each change of the range after `revision`, in order. */
  apply({ type, record, previous }: StoreEvent): void {
    const { key } = record
    if (!this.#before.has(key)) {
      this.#before.set(key, previous)
      this.weight += entryWeight + (previous === undefined ? 0 : weightOf(previous))
    }
    const past = this.#before.get(key)
    if (past === undefined) {
      if (type === 'put') this.#created.set(record)
      else this.#created.delete(key)
    } else if (type === 'delete') this.#deleted.set(past)
    else this.#deleted.delete(key)
  }

  /** As OrderedIndex.range; `now` is the current state. */
  range(now: OrderedIndex, after: string | undefined, limit: number): { records: StoredRecord[]; remaining: number } {
    const { prefix } = this
    const deleted = this.#deleted.range(prefix, after, limit).records
    const records: StoredRecord[] = []
    let nextDeleted = 0
    const takeDeletedBefore = (key?: string) => {
      while (nextDeleted < deleted.length && records.length < limit && (key === undefined || deleted[nextDeleted]!.key < key)) {
        records.push(deleted[nextDeleted++]!)
      }
    }
    let last = after
    while (records.length < limit) {
      const present = now.range(prefix, last, limit - records.length)
      for (const record of present.records) {
        takeDeletedBefore(record.key)
        if (records.length === limit) break
        const then = record.revision <= this.revision ? record : this.#before.get(record.key)
        if (then !== undefined) records.push(then)
        last = record.key
      }
      if (present.remaining > 0) continue
      takeDeletedBefore()
      break
    }
    if (records.length < limit) return { records, remaining: 0 }
    const end = records.at(-1)!.key
    const following = (index: OrderedIndex) => index.range(prefix, end, 0).remaining
    return { records, remaining: following(now) - following(this.#created) + following(this.#deleted) }
  }
}
