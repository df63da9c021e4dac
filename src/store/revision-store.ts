import { ColdTexts, defaultPackingLimits, type PackingLimits } from './cold-texts.ts'
import { defaultHistoryLimits, History, type HistoryLimits, retireMemo } from './history.ts'
import { LazyRecord, weightOf } from './lazy-record.ts'
import { OrderedIndex } from './ordered-index.ts'
import {
  CommitError,
  CompactedError,
  type Draft,
  FutureRevisionError,
  type ListOptions,
  type ListResult,
  RevisionConflictError,
  type Store,
  StoreClosedError,
  type StoredRecord,
  type StoreEvent,
  type StoreHealth,
} from './store.ts'
import { TextRecord } from './text-record.ts'
import { isWatched, type Listen, Watchers } from './watchers.ts'

// The part that all engines in one process share: the whole state in memory, and writes that go through a journal.
//
// A write is checked and gets its revision when it is made, against the visible state and the writes under way. It joins
// the last group of the queue. While one group is being committed the next ones gather; groups become visible whole and in
// order. When a group fails, those behind it fail as well, as their writes may have been built on it.

/** What makes a group of changes durable. */
export interface Journal {
  /** False: it does not look at the texts of records, and they are made when somebody else does. Default true. */
  readonly readsTexts?: boolean
  /** Called once, before anything else, with a way to read the records after all groups that were committed. */
  attach?(readRecords: () => readonly StoredRecord[]): void
  /** Absent: it can always write. */
  health?(): StoreHealth
  /** Resolves when no more writes are to be expected for the next group. Absent: there is no need to wait. */
  gather?(): Promise<void>
  /** All or nothing. The changes are in the order of their revisions. Undefined: it is durable already. */
  commit(changes: readonly StoreEvent[]): Promise<void> | undefined
  close(): Promise<void>
}

export interface StoreOptions {
  readonly history?: Partial<HistoryLimits>
  readonly packing?: Partial<PackingLimits>
  /** Told what a listener threw. The watch goes on. Default: a process warning. */
  readonly onListenerError?: (error: unknown) => void
}

/** The state to begin with. */
export interface StoreContent {
  readonly revision: number
  /** In ascending order of their keys. */
  readonly records: readonly StoredRecord[]
}

export const emptyContent: StoreContent = { revision: 1, records: [] }

const longestKeyBytes = 1900

// A larger burst is committed in several groups, so that the event loop gets its turn in between.
const groupChanges = 512
const groupCharacters = 4 * 2 ** 20

/** Those who wait for a group, in the order in which they came. */
interface Waiting {
  readonly key: string
  readonly settle: () => void
  readonly reject: (error: Error) => void
}

class Group {
  readonly changes: StoreEvent[] = []
  readonly waiting: Waiting[] = []
  characters = 0

  get isFull(): boolean {
    return this.changes.length >= groupChanges || this.characters >= groupCharacters
  }
}

interface PendingWrite {
  readonly change: StoreEvent
  readonly group: Group
}

export class RevisionStore implements Store {
  readonly #journal: Journal
  readonly #index: OrderedIndex
  readonly #history: History
  readonly #watchers: Watchers
  readonly #coldTexts: ColdTexts
  #revision: number
  #lastGiven: number
  #queue: Group[] = []
  #committing: Group | undefined
  /** The newest write under way of each key. */
  readonly #pending = new Map<string, PendingWrite>()
  #running: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(journal: Journal, content: StoreContent, options: StoreOptions = {}) {
    this.#journal = journal
    this.#index = OrderedIndex.from(content.records)
    this.#history = new History(content.revision, { ...defaultHistoryLimits, ...options.history })
    this.#coldTexts = new ColdTexts(this.#index, { ...defaultPackingLimits, ...options.packing })
    this.#watchers = new Watchers(options.onListenerError ?? warn)
    this.#revision = content.revision
    this.#lastGiven = content.revision
    journal.attach?.(() => this.#index.range('', undefined, Number.POSITIVE_INFINITY).records)
  }

  get revision(): number {
    return this.#revision
  }

  get compactRevision(): number {
    return this.#history.compactRevision
  }

  get(key: string): StoredRecord | undefined {
    return this.#index.get(key)
  }

  list(prefix: string, { after, limit, revision = this.#revision }: ListOptions = {}): ListResult {
    if (revision > this.#revision || !this.#history.has(revision, prefix)) this.#checkRevision(revision)
    const most = limit || Number.POSITIVE_INFINITY
    if (revision === this.#revision) return { ...this.#index.range(prefix, after, most), revision }
    return { ...this.#history.range(this.#index, revision, prefix, after, most), revision }
  }

  hold(prefix: string, revision: number): void {
    if (revision <= this.#revision) this.#history.hold(revision, prefix)
  }

  count(prefix: string): number {
    return this.#index.count(prefix)
  }

  put(key: string, expected: number, draft: Draft): Promise<StoredRecord> {
    return this.#write('put', key, expected, draft)
  }

  remove(key: string, expected: number, last: Draft): Promise<StoredRecord> {
    return this.#write('delete', key, expected, last)
  }

  watch(prefix: string, revision: number, listen: Listen): () => void {
    this.#checkRevision(revision)
    const backlog = this.#history.since(revision, (key) => isWatched(prefix, key))
    if (this.#closing !== undefined) return () => {}
    return this.#watchers.add(prefix, this.#revision, backlog, listen)
  }

  compact(revision: number): void {
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision)
    this.#history.compact(revision)
  }

  health(): StoreHealth {
    return this.#journal.health?.() ?? { canWrite: true }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#running
    this.#watchers.close()
    await this.#journal.close()
  }

  #checkRevision(revision: number): void {
    if (revision > this.#revision) throw new FutureRevisionError(revision, this.#revision)
    if (revision < this.compactRevision) throw new CompactedError(revision, this.compactRevision)
  }

  #write(type: StoreEvent['type'], key: string, expected: number, draft: Draft): Promise<StoredRecord> {
    if (this.#closing !== undefined) return Promise.reject(new StoreClosedError(key))
    const pending = this.#pending.get(key)
    const current = pending === undefined ? this.#index.get(key) : stateAfter(pending.change)
    if ((current?.revision ?? 0) !== expected || (type === 'delete' && current === undefined)) {
      return this.#refuse(new RevisionConflictError(key, expected, current), pending?.group)
    }
    const revision = this.#lastGiven + 1
    if (current === undefined) {
      if (!isWellFormed(key)) return Promise.reject(notWellFormed(key))
      if (isTooLong(key)) return Promise.reject(new RangeError(`Cannot write "${key}": a key has at most ${longestKeyBytes} bytes`))
    }
    const record = this.#recordOf(current?.key ?? ownCopy(key), revision, current?.createRevision ?? revision, draft)
    // A lone surrogate would not come back from the disk as it went.
    if (record === undefined) return Promise.reject(notWellFormed(key))
    this.#lastGiven = revision

    const change: StoreEvent = { type, record, previous: current }
    const group = this.#gatheringGroup()
    group.changes.push(change)
    group.characters += weightOf(record)
    this.#pending.set(record.key, { change, group })
    if (this.#running === undefined) this.#running = Promise.resolve().then(() => this.#run())
    return new Promise((resolve, reject) => {
      group.waiting.push({ key, settle: () => resolve(record), reject })
    })
  }

  /** Undefined when its text is no well-formed Unicode. */
  #recordOf(key: string, revision: number, createRevision: number, draft: Draft): StoredRecord | undefined {
    if ('source' in draft) {
      const { source } = draft
      source.settle(revision)
      if (this.#journal.readsTexts === false) return new LazyRecord(key, revision, createRevision, source)
      const record = new TextRecord(key, revision, createRevision, inOnePiece(source.text), source)
      source.keptBy?.(record)
      return record
    }
    const text = inOnePiece(draft.head + revision + draft.tail)
    return isWellFormed(text) ? { key, revision, createRevision, text, memo: draft.memo } : undefined
  }

  #refuse(error: RevisionConflictError, lostAgainst: Group | undefined): Promise<never> {
    if (lostAgainst === undefined) return Promise.reject(error)
    return new Promise((_, reject) => {
      lostAgainst.waiting.push({ key: error.key, settle: () => reject(error), reject })
    })
  }

  #gatheringGroup(): Group {
    const last = this.#queue.at(-1)
    if (last !== undefined && last !== this.#committing && !last.isFull) return last
    const group = new Group()
    this.#queue.push(group)
    return group
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      if (this.#journal.gather !== undefined) await this.#journal.gather()
      const group = this.#queue[0]!
      this.#committing = group
      try {
        // An engine that has nothing to wait for shows the group in the turn in which it was taken.
        const committed = this.#journal.commit(group.changes)
        if (committed !== undefined) await committed
      } catch (cause) {
        this.#fail(cause)
        continue
      }
      this.#queue.shift()
      this.#show(group)
    }
    this.#committing = undefined
    this.#running = undefined
  }

  #show({ changes, waiting }: Group): void {
    for (const change of changes) {
      const { record } = change
      if (change.type === 'put') this.#index.set(record)
      else this.#index.delete(record.key)
      this.#history.append(change)
      if (change.previous !== undefined) retireMemo(change.previous)
      if (this.#pending.get(record.key)?.change === change) this.#pending.delete(record.key)
    }
    this.#revision = changes.at(-1)!.record.revision
    if (this.#journal.readsTexts !== false) this.#coldTexts.noteWrites(changes.length, this.#revision)
    this.#watchers.dispatch(changes)
    for (const { settle } of waiting) settle()
  }

  #fail(cause: unknown): void {
    const failed = this.#queue
    this.#queue = []
    this.#pending.clear()
    this.#lastGiven = this.#revision
    for (const { waiting } of failed) for (const { key, reject } of waiting) reject(new CommitError(key, cause))
  }
}

function stateAfter({ type, record }: StoreEvent): StoredRecord | undefined {
  return type === 'put' ? record : undefined
}

// V8 joins strings by keeping the parts, and lays them out when it must: here, once, before the record is kept for long.
function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

// In every Node.js since 20, and not yet in the ES2023 types.
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed()
}

function notWellFormed(key: string): TypeError {
  return new TypeError(`Cannot write "${key}": no well-formed Unicode`)
}

function isTooLong(key: string): boolean {
  return key.length * 3 > longestKeyBytes && Buffer.byteLength(key) > longestKeyBytes
}

// A key that was cut out of a longer text would keep all of that text.
function ownCopy(key: string): string {
  return Buffer.from(key).toString()
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
