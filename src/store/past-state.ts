import { weightOf } from './lazy-record.ts'
import { OrderedIndex } from './ordered-index.ts'
import type { StoredRecord, StoreEvent } from './store.ts'

// A range as it was at some revision: the present one, seen through what has changed since. It costs as much as there are
// changes, whatever the size of the range, and it is kept up with further changes rather than made anew for each page.

const entryWeight = 100

export class PastState {
  readonly prefix: string
  readonly revision: number
  /** What was there under each key that has changed since. */
  readonly #before = new Map<string, StoredRecord | undefined>()
  /** What was there and is not now. */
  readonly #gone = new OrderedIndex()
  /** What is there now and was not. */
  readonly #fresh = new OrderedIndex()
  /** What it may hold that nobody else does, in characters. */
  weight = 0

  constructor(prefix: string, revision: number) {
    this.prefix = prefix
    this.revision = revision
  }

  /** A change of the range after `revision`; each of them once, in order. */
  apply({ type, record, previous }: StoreEvent): void {
    const { key } = record
    if (!this.#before.has(key)) {
      this.#before.set(key, previous)
      this.weight += entryWeight + (previous === undefined ? 0 : weightOf(previous))
    }
    const then = this.#before.get(key)
    if (then === undefined) {
      if (type === 'put') this.#fresh.set(record)
      else this.#fresh.delete(key)
    } else if (type === 'delete') this.#gone.set(then)
    else this.#gone.delete(key)
  }

  /** As OrderedIndex.range; `now` is the present state. */
  range(now: OrderedIndex, after: string | undefined, limit: number): { records: StoredRecord[]; remaining: number } {
    const { prefix } = this
    const gone = this.#gone.range(prefix, after, limit).records
    const records: StoredRecord[] = []
    let nextGone = 0
    const takeGoneBefore = (key?: string) => {
      while (nextGone < gone.length && records.length < limit && (key === undefined || gone[nextGone]!.key < key)) {
        records.push(gone[nextGone++]!)
      }
    }
    let last = after
    while (records.length < limit) {
      const present = now.range(prefix, last, limit - records.length)
      for (const record of present.records) {
        takeGoneBefore(record.key)
        if (records.length === limit) break
        const then = record.revision <= this.revision ? record : this.#before.get(record.key)
        if (then !== undefined) records.push(then)
        last = record.key
      }
      if (present.remaining > 0) continue
      takeGoneBefore()
      break
    }
    if (records.length < limit) return { records, remaining: 0 }
    const end = records.at(-1)!.key
    const following = (index: OrderedIndex) => index.range(prefix, end, 0).remaining
    return { records, remaining: following(now) - following(this.#fresh) + following(this.#gone) }
  }
}
