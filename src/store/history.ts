import { LazyRecord, weightOf } from './lazy-record.ts'
import type { OrderedIndex } from './ordered-index.ts'
import { PastState } from './past-state.ts'
import type { StoredRecord, StoreEvent } from './store.ts'

// The changes of the recent past, one for each revision, and from them the states of the recent past.

export interface HistoryLimits {
  /** How many changes are remembered at most. */
  readonly events: number
  /** How much text is remembered at most that is no longer current, in characters. */
  readonly characters: number
}

// 12 million characters are 3,000 updates of a running pod.
export const defaultHistoryLimits: HistoryLimits = { events: 100_000, characters: 12 * 2 ** 20 }

// Watchers are told at once, and the ones that queue what they were told are not far behind. What they parsed weighs
// several times the text.
const memoAge = 1000

// A reader that goes through an older state in pages asks for the same one again and again.
const keptStates = 8

export class History {
  readonly #limits: HistoryLimits
  #compactRevision: number
  // The change of revision r is at #start + r - #compactRevision - 1. What stands before #start is forgotten.
  #events: (StoreEvent | undefined)[] = []
  #start = 0
  #characters = 0
  /** The last one was asked for last. Each knows the changes up to `seen`. */
  #states: { readonly state: PastState; seen: number }[] = []

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
    const kept = this.#states.findIndex(({ state }) => state.revision === revision && state.prefix === prefix)
    const entry = kept < 0 ? { state: new PastState(prefix, revision), seen: revision } : this.#states.splice(kept, 1)[0]!
    this.#states.push(entry)
    if (this.#states.length > keptStates) this.#states.shift()
    for (const event of this.since(entry.seen, (key) => key.startsWith(prefix))) entry.state.apply(event)
    entry.seen = this.#compactRevision + this.#events.length - this.#start
    return entry.state.range(now, after, limit)
  }

  #forgetOldest(): void {
    this.#characters -= staleCharacters(this.#events[this.#start]!)
    dropStaleMemos(this.#events[this.#start]!)
    this.#events[this.#start++] = undefined
    this.#compactRevision++
    if (this.#states.length > 0) this.#states = this.#states.filter(({ state }) => state.revision >= this.#compactRevision)
    if (this.#start > 1024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start)
      this.#start = 0
    }
  }
}

/** What is remembered on this event's account only. */
function staleCharacters({ type, record, previous }: StoreEvent): number {
  return (previous === undefined ? 0 : weightOf(previous)) + (type === 'delete' ? weightOf(record) : 0)
}

function dropStaleMemos({ type, record, previous }: StoreEvent): void {
  if (previous !== undefined) dropMemo(previous)
  if (type === 'delete') dropMemo(record)
}

/** What makes the text of a record stays. */
function dropMemo(record: StoredRecord): void {
  if (!(record instanceof LazyRecord)) record.memo = undefined
}
