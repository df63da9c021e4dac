import { LazyRecord, weightOf } from './lazy-record.ts'
import { OrderedIndex } from './ordered-index.ts'
import type { StoredRecord, StoreEvent, ValueSource } from './store.ts'

// The recent changes, one for each revision, and the past states that follow from them.

export interface HistoryLimits {
  /** The maximum number of changes. */
  readonly events: number
  /** The maximum size of all values that are no longer current, in characters. */
  readonly characters: number
}

// 12 million characters are 3,000 updates of a running pod.
export const defaultHistoryLimits: HistoryLimits = { events: 100_000, characters: 12 * 2 ** 20 }

// Memos of replaced versions are dropped after this many changes: by then the watchers have processed them. A parsed object
// takes several times the memory of its serialized form.
const memoAge = 1000

// A client that lists page by page reads the same past state repeatedly. Held states stay readable beyond the limits above.
// After the last page a state is held for a shorter time: the client may ask for that page again, or another client reads
// the same state.
const maxHeldStates = 8
const maxHeldCharacters = 64 * 2 ** 20
const maxChangesBetweenPages = 50_000
const maxChangesAfterLastPage = 5000

interface HeldState {
  readonly state: PastState
  /** All changes up to this revision have been applied to `state`. */
  appliedRevision: number
  /** When the store reaches this revision, the state is dropped. */
  expiryRevision: number
}

export class History {
  readonly #limits: HistoryLimits
  #compactRevision: number
  // The change of revision r is at #start + r - #compactRevision - 1. Elements before #start have been dropped.
  #events: (StoreEvent | undefined)[] = []
  /** By event: the characters that it was counted with. */
  #weights: number[] = []
  #start = 0
  #characters = 0
  /** Least recently held first. */
  #held: HeldState[] = []

  constructor(revision: number, limits: HistoryLimits) {
    this.#compactRevision = revision
    this.#limits = limits
  }

  get compactRevision(): number {
    return this.#compactRevision
  }

  append(event: StoreEvent): void {
    const weight = staleCharacters(event)
    this.#events.push(event)
    this.#weights.push(weight)
    this.#characters += weight
    const aged = this.#events.length - memoAge
    if (aged >= this.#start) dropStaleMemos(this.#events[aged]!)
    while (this.#events.length - this.#start > this.#limits.events || this.#characters > this.#limits.characters) this.#forgetOldest()
  }

  compact(revision: number): void {
    this.#held = this.#held.filter(({ state }) => state.revision >= revision)
    while (this.#compactRevision < revision) this.#forgetOldest()
  }

  /** The changes after `revision` of keys that match, in order. */
  since(revision: number, matches: (key: string) => boolean): StoreEvent[] {
    const events: StoreEvent[] = []
    for (let i = this.#start + revision - this.#compactRevision; i < this.#events.length; i++) {
      const event = this.#events[i]!
      if (matches(event.record.key)) events.push(event)
    }
    return events
  }

  /** Whether the state of the range at that revision can be read. */
  has(revision: number, prefix: string): boolean {
    return revision >= this.#compactRevision || this.#indexOf(revision, prefix) >= 0
  }

  hold(revision: number, prefix: string): void {
    const at = this.#indexOf(revision, prefix)
    if (at < 0 && revision < this.#compactRevision) return
    const [kept] = at < 0 ? [] : this.#held.splice(at, 1)
    this.#held.push({
      state: kept?.state ?? new PastState(prefix, revision),
      appliedRevision: kept?.appliedRevision ?? revision,
      expiryRevision: this.#revision + maxChangesBetweenPages,
    })
    if (this.#held.length > maxHeldStates) this.#held.shift()
  }

  /** As OrderedIndex.range, for the state at `revision`; `now` is the current state. */
  range(now: OrderedIndex, revision: number, prefix: string, after: string | undefined, limit: number) {
    const entry = this.#held[this.#indexOf(revision, prefix)] ?? {
      state: new PastState(prefix, revision),
      appliedRevision: revision,
      expiryRevision: 0,
    }
    for (const event of this.since(entry.appliedRevision, (key) => key.startsWith(prefix))) entry.state.apply(event)
    entry.appliedRevision = this.#revision
    const found = entry.state.range(now, after, limit)
    if (found.remaining === 0) entry.expiryRevision = Math.min(entry.expiryRevision, this.#revision + maxChangesAfterLastPage)
    return found
  }

  get #revision(): number {
    return this.#compactRevision + this.#events.length - this.#start
  }

  #indexOf(revision: number, prefix: string): number {
    return this.#held.findIndex(({ state }) => state.revision === revision && state.prefix === prefix)
  }

  #forgetOldest(): void {
    const event = this.#events[this.#start]!
    this.#characters -= this.#weights[this.#start]!
    dropStaleMemos(event)
    this.#events[this.#start++] = undefined
    this.#compactRevision++
    if (this.#held.length > 0) this.#applyToHeld(event)
    if (this.#start > 1024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start)
      this.#weights = this.#weights.slice(this.#start)
      this.#start = 0
    }
  }

  /** Applies a change that is about to be dropped to the held states. */
  #applyToHeld(event: StoreEvent): void {
    const { key, revision } = event.record
    let weight = 0
    if (this.#held.some(({ expiryRevision: end }) => end <= this.#revision))
      this.#held = this.#held.filter(({ expiryRevision: end }) => end > this.#revision)
    for (const entry of this.#held) {
      if (entry.appliedRevision < revision) {
        if (key.startsWith(entry.state.prefix)) entry.state.apply(event)
        entry.appliedRevision = revision
      }
      weight += entry.state.weight
    }
    if (weight > maxHeldCharacters) this.#held.shift()
  }
}

/** The size of the values that only this event keeps in memory. */
function staleCharacters({ type, record, previous }: StoreEvent): number {
  return (previous === undefined ? 0 : weightOf(previous, record)) + (type === 'delete' ? weightOf(record) : 0)
}

function dropStaleMemos({ type, record, previous }: StoreEvent): void {
  if (previous !== undefined) dropMemo(previous)
  if (type === 'delete') dropMemo(record)
}

/** The memo of a LazyRecord is the source of its value, and stays. */
function dropMemo(record: StoredRecord): void {
  retireMemo(record)
  if (!(record instanceof LazyRecord)) record.memo = undefined
}

/** Notifies the memo, if it is a source, that its version is no longer current. */
export function retireMemo({ memo }: StoredRecord): void {
  if (typeof memo === 'object') (memo as Partial<ValueSource> | null)?.replaced?.()
}

// A range as it was at a past revision: the current state plus the changes since, undone. The cost depends on the number of
// changes and not on the size of the range. Further changes are applied to it, so that it is not rebuilt for each page.

const entryWeight = 100

class PastState {
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
