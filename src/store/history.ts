import { lowerOffset, type OrderedIndex } from './ordered-index.ts'
import type { StoredRecord, StoreEvent } from './store.ts'

// The changes of the recent past, one for each revision, and from them the states of the recent past: an older state is
// the present one with the later changes undone.

export interface HistoryLimits {
  /** How many changes are remembered at most. */
  readonly events: number
  /** How much text is remembered at most that is no longer current, in characters. */
  readonly characters: number
}

// 32 million characters are 8,000 updates of a running pod, and no more than a third of the memory of 10,000 such pods.
export const defaultHistoryLimits: HistoryLimits = { events: 100_000, characters: 32 * 2 ** 20 }

// Watchers are told at once, and the ones that queue what they were told are not far behind. What they parsed weighs
// several times the text.
const memoAge = 1000

// A reader that goes through an older state in pages asks for the same one again and again.
const keptStates = 8

interface PastState {
  readonly prefix: string
  readonly revision: number
  readonly records: readonly StoredRecord[]
}

export class History {
  readonly #limits: HistoryLimits
  #compactRevision: number
  // The change of revision r is at #start + r - #compactRevision - 1. What stands before #start is forgotten.
  #events: (StoreEvent | undefined)[] = []
  #start = 0
  #characters = 0
  #states: PastState[] = []

  constructor(revision: number, limits: HistoryLimits) {
    this.#compactRevision = revision
    this.#limits = limits
  }

  get compactRevision(): number {
    return this.#compactRevision
  }

  append(event: StoreEvent): void {
    this.#events.push(event)
    this.#characters += staleCharacters(event)
    const aged = this.#events.length - memoAge
    if (aged >= this.#start) dropStaleMemos(this.#events[aged]!)
    while (this.#events.length - this.#start > this.#limits.events || this.#characters > this.#limits.characters) this.#forgetOldest()
  }

  compact(revision: number): void {
    while (this.#compactRevision < revision) this.#forgetOldest()
  }

  /** The changes after `revision` in the range that `matches`, in order. */
  since(revision: number, matches: (key: string) => boolean): StoreEvent[] {
    const events: StoreEvent[] = []
    for (let i = this.#start + revision - this.#compactRevision; i < this.#events.length; i++) {
      const event = this.#events[i]!
      if (matches(event.record.key)) events.push(event)
    }
    return events
  }

  /** As OrderedIndex.range, for the state at `revision`; `now` is the present one. */
  range(now: OrderedIndex, revision: number, prefix: string, after: string | undefined, limit: number) {
    const { records } = this.#stateAt(now, revision, prefix)
    let start = 0
    if (after !== undefined) {
      start = lowerOffset(records, after)
      if (records[start]?.key === after) start++
    }
    const page = records.slice(start, start + limit)
    return { records: page, remaining: records.length - start - page.length }
  }

  #stateAt(now: OrderedIndex, revision: number, prefix: string): PastState {
    const kept = this.#states.findIndex((state) => state.revision === revision && state.prefix === prefix)
    const [state] = kept < 0 ? [this.#rebuild(now, revision, prefix)] : this.#states.splice(kept, 1)
    this.#states.push(state!)
    if (this.#states.length > keptStates) this.#states.shift()
    return state!
  }

  #rebuild(now: OrderedIndex, revision: number, prefix: string): PastState {
    const before = new Map<string, StoredRecord | undefined>()
    for (const { record, previous } of this.since(revision, (key) => key.startsWith(prefix))) {
      if (!before.has(record.key)) before.set(record.key, previous)
    }
    const records: StoredRecord[] = []
    for (const record of now.range(prefix, undefined, Number.POSITIVE_INFINITY).records) {
      const then = record.revision <= revision ? record : before.get(record.key)
      if (then !== record) before.delete(record.key)
      if (then !== undefined) records.push(then)
    }
    const removed = [...before.values()].filter((then) => then !== undefined)
    return { prefix, revision, records: removed.length === 0 ? records : merge(records, removed.sort(byKey)) }
  }

  #forgetOldest(): void {
    this.#characters -= staleCharacters(this.#events[this.#start]!)
    dropStaleMemos(this.#events[this.#start]!)
    this.#events[this.#start++] = undefined
    this.#compactRevision++
    if (this.#states.length > 0) this.#states = this.#states.filter((state) => state.revision >= this.#compactRevision)
    if (this.#start > 1024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start)
      this.#start = 0
    }
  }
}

function byKey(a: StoredRecord, b: StoredRecord): number {
  return a.key < b.key ? -1 : 1
}

/** Both are sorted. Made for a few among many. */
function merge(many: readonly StoredRecord[], few: readonly StoredRecord[]): StoredRecord[] {
  const merged: StoredRecord[] = []
  let done = 0
  for (const record of few) {
    const place = lowerOffset(many, record.key)
    while (done < place) merged.push(many[done++]!)
    merged.push(record)
  }
  while (done < many.length) merged.push(many[done++]!)
  return merged
}

/** What is remembered on this event's account only. */
function staleCharacters({ type, record, previous }: StoreEvent): number {
  return (previous?.text.length ?? 0) + (type === 'delete' ? record.text.length : 0)
}

function dropStaleMemos({ type, record, previous }: StoreEvent): void {
  if (previous !== undefined) previous.memo = undefined
  if (type === 'delete') record.memo = undefined
}
