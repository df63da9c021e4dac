import { LazyRecord, weightOf } from './lazy-record.ts'
import type { OrderedIndex } from './ordered-index.ts'
import { PastState } from './past-state.ts'
import type { StoredRecord, StoreEvent, TextSource } from './store.ts'

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

// A reader that goes through a state in pages asks for the same one again and again. It gets it to the end, even if what has
// changed since is more than is remembered otherwise: so many readers, with so much together that they alone need, and as long
// as they come back before so many changes. Who has come to the end may not have got the last page, or there is another one.
const keptStates = 8
const mostKeptCharacters = 64 * 2 ** 20
const mostChangesBetweenPages = 50_000
const mostChangesAfterTheEnd = 5000

interface KeptState {
  readonly state: PastState
  /** It knows the changes up to this revision. */
  seen: number
  /** When the store has come to this revision, it is given up. */
  end: number
}

export class History {
  readonly #limits: HistoryLimits
  #compactRevision: number
  // The change of revision r is at #start + r - #compactRevision - 1. What stands before #start is forgotten.
  #events: (StoreEvent | undefined)[] = []
  #start = 0
  #characters = 0
  /** The last one was asked for last. */
  #states: KeptState[] = []

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
    this.#states = this.#states.filter(({ state }) => state.revision >= revision)
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

  /** Whether the range can be read as it was at that revision. */
  has(revision: number, prefix: string): boolean {
    return revision >= this.#compactRevision || this.#indexOf(revision, prefix) >= 0
  }

  hold(revision: number, prefix: string): void {
    const at = this.#indexOf(revision, prefix)
    if (at < 0 && revision < this.#compactRevision) return
    const [kept] = at < 0 ? [] : this.#states.splice(at, 1)
    this.#states.push({
      state: kept?.state ?? new PastState(prefix, revision),
      seen: kept?.seen ?? revision,
      end: this.#revision + mostChangesBetweenPages,
    })
    if (this.#states.length > keptStates) this.#states.shift()
  }

  /** As OrderedIndex.range, for the state at `revision`; `now` is the present one. */
  range(now: OrderedIndex, revision: number, prefix: string, after: string | undefined, limit: number) {
    const entry = this.#states[this.#indexOf(revision, prefix)] ?? { state: new PastState(prefix, revision), seen: revision, end: 0 }
    for (const event of this.since(entry.seen, (key) => key.startsWith(prefix))) entry.state.apply(event)
    entry.seen = this.#revision
    const found = entry.state.range(now, after, limit)
    if (found.remaining === 0) entry.end = Math.min(entry.end, this.#revision + mostChangesAfterTheEnd)
    return found
  }

  get #revision(): number {
    return this.#compactRevision + this.#events.length - this.#start
  }

  #indexOf(revision: number, prefix: string): number {
    return this.#states.findIndex(({ state }) => state.revision === revision && state.prefix === prefix)
  }

  #forgetOldest(): void {
    const event = this.#events[this.#start]!
    this.#characters -= staleCharacters(event)
    dropStaleMemos(event)
    this.#events[this.#start++] = undefined
    this.#compactRevision++
    if (this.#states.length > 0) this.#keepUp(event)
    if (this.#start > 1024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start)
      this.#start = 0
    }
  }

  /** The states that are still needed learn what is being forgotten. */
  #keepUp(event: StoreEvent): void {
    const { key, revision } = event.record
    let weight = 0
    if (this.#states.some(({ end }) => end <= this.#revision)) this.#states = this.#states.filter(({ end }) => end > this.#revision)
    for (const entry of this.#states) {
      if (entry.seen < revision) {
        if (key.startsWith(entry.state.prefix)) entry.state.apply(event)
        entry.seen = revision
      }
      weight += entry.state.weight
    }
    // The first was held least lately.
    if (weight > mostKeptCharacters) this.#states.shift()
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
  retireMemo(record)
  if (!(record instanceof LazyRecord)) record.memo = undefined
}

/** The memo learns that its version is no longer current. A memo need not be a source. */
export function retireMemo({ memo }: StoredRecord): void {
  if (typeof memo === 'object') (memo as Partial<TextSource> | null)?.replaced?.()
}
