import { ColdValues, defaultPackingLimits, type PackingLimits } from './cold-values.ts'
import { defaultHistoryLimits, History, type HistoryLimits, retireMemo } from './history.ts'
import { LazyRecord, lazyWeight, weightOf } from './lazy-record.ts'
import { OrderedIndex } from './ordered-index.ts'
import { PackableRecord } from './packable-record.ts'
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
import { isWatched, type Listen, Watchers } from './watchers.ts'

// The store that all engines share: the whole state in memory, and writes that go through a journal.
//
// `put` and `remove` check a write against the visible state and the pending writes, and assign its revision at once. The write
// joins the last group of the queue. While one group is being committed, later writes gather in the next; a group becomes
// visible as a whole, in order. When a group fails, the groups behind it fail as well, as their writes may depend on it.

/** Makes groups of changes durable. */
export interface Journal {
  /** False: `commit` does not read the values of records, so that they are serialized on the first read. Default true. */
  readonly readsValues?: boolean
  /** Called once, first. `readRecords` returns the records after all groups that were committed. */
  attach?(readRecords: () => readonly StoredRecord[]): void
  /** Absent: the journal can always write. */
  health?(): StoreHealth
  /** Why it takes no writes of this type now. Absent: it takes all. */
  refusal?(type: StoreEvent['type']): Error | undefined
  /** Resolves when no more writes are expected for the next group. Absent: groups are committed without waiting. */
  gather?(): Promise<void>
  /** All or nothing. The changes are in the order of their revisions. Returns undefined when the group is durable already. */
  commit(changes: readonly StoreEvent[]): Promise<void> | undefined
  close(): Promise<void>
}

export interface StoreOptions {
  readonly history?: Partial<HistoryLimits>
  readonly packing?: Partial<PackingLimits>
  /** Receives the errors that listeners throw; their watches continue. Default: a process warning. */
  readonly onListenerError?: (error: unknown) => void
}

/** The initial state. */
export interface StoreContent {
  readonly revision: number
  /** In ascending order of their keys. */
  readonly records: readonly StoredRecord[]
}

export const emptyContent: StoreContent = { revision: 1, records: [] }

const maxKeyBytes = 1900

// A larger burst is committed in several groups, so that the event loop can run other work between them.
const maxGroupChanges = 512
const maxGroupCharacters = 4 * 2 ** 20

/** A caller that waits for a group to be committed. */
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
    return this.changes.length >= maxGroupChanges || this.characters >= maxGroupCharacters
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
  readonly #coldValues: ColdValues
  #revision: number
  #lastAssigned: number
  #queue: Group[] = []
  #committing: Group | undefined
  /** The newest uncommitted write of each key. */
  readonly #pending = new Map<string, PendingWrite>()
  #running: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(journal: Journal, content: StoreContent, options: StoreOptions = {}) {
    this.#journal = journal
    this.#index = OrderedIndex.from(content.records)
    this.#history = new History(content.revision, { ...defaultHistoryLimits, ...options.history })
    this.#coldValues = new ColdValues(this.#index, { ...defaultPackingLimits, ...options.packing })
    this.#watchers = new Watchers(options.onListenerError ?? warn)
    this.#revision = content.revision
    this.#lastAssigned = content.revision
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
    const maxRecords = limit || Number.POSITIVE_INFINITY
    if (revision === this.#revision) return { ...this.#index.range(prefix, after, maxRecords), revision }
    return { ...this.#history.range(this.#index, revision, prefix, after, maxRecords), revision }
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
    const refusal = this.#journal.refusal?.(type)
    if (refusal !== undefined) return Promise.reject(new CommitError(key, refusal))
    const pending = this.#pending.get(key)
    const current = pending === undefined ? this.#index.get(key) : stateAfter(pending.change)
    if ((current?.revision ?? 0) !== expected || (type === 'delete' && current === undefined)) {
      return this.#refuse(new RevisionConflictError(key, expected, current), pending?.group)
    }
    const revision = this.#lastAssigned + 1
    if (current === undefined) {
      if (!isWellFormed(key)) return Promise.reject(notWellFormed(key))
      if (isTooLong(key)) return Promise.reject(new RangeError(`Cannot write "${key}": a key has at most ${maxKeyBytes} bytes`))
    }
    const record = this.#recordOf(current?.key ?? detach(key), revision, current?.createRevision ?? revision, draft)
    // A lone surrogate cannot be read back from the disk: UTF-8 has no encoding for it.
    if (record === undefined) return Promise.reject(notWellFormed(key))
    this.#lastAssigned = revision

    const change: StoreEvent = { type, record, previous: current }
    const group = this.#gatheringGroup()
    group.changes.push(change)
    group.characters += record instanceof LazyRecord ? lazyWeight : weightOf(record)
    this.#pending.set(record.key, { change, group })
    if (this.#running === undefined) this.#running = Promise.resolve().then(() => this.#run())
    return new Promise((resolve, reject) => {
      group.waiting.push({ key, settle: () => resolve(record), reject })
    })
  }

  /** Undefined when the value is not well-formed Unicode. */
  #recordOf(key: string, revision: number, createRevision: number, draft: Draft): StoredRecord | undefined {
    if ('source' in draft) {
      const { source } = draft
      source.assignRevision(revision)
      if (this.#journal.readsValues === false) return new LazyRecord(key, revision, createRevision, source)
      const record = new PackableRecord(key, revision, createRevision, flatten(source.value), source)
      source.storedIn?.(record)
      return record
    }
    const value = flatten(draft.head + revision + draft.tail)
    return isWellFormed(value) ? { key, revision, createRevision, value, memo: draft.memo } : undefined
  }

  #refuse(error: RevisionConflictError, winner: Group | undefined): Promise<never> {
    if (winner === undefined) return Promise.reject(error)
    return new Promise((_, reject) => {
      winner.waiting.push({ key: error.key, settle: () => reject(error), reject })
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
        // A journal that returns undefined publishes the group without yielding, which keeps the memory store deterministic.
        const committed = this.#journal.commit(group.changes)
        if (committed !== undefined) await committed
      } catch (cause) {
        this.#fail(cause)
        continue
      }
      this.#queue.shift()
      this.#publish(group)
    }
    this.#committing = undefined
    this.#running = undefined
  }

  #publish({ changes, waiting }: Group): void {
    for (const change of changes) {
      const { record } = change
      if (change.type === 'put') this.#index.set(record)
      else this.#index.delete(record.key)
      this.#history.append(change)
      if (change.previous !== undefined) retireMemo(change.previous)
      if (this.#pending.get(record.key)?.change === change) this.#pending.delete(record.key)
    }
    this.#revision = changes.at(-1)!.record.revision
    if (this.#journal.readsValues !== false) this.#coldValues.noteWrites(changes.length, this.#revision)
    this.#watchers.dispatch(changes)
    for (const { settle } of waiting) settle()
  }

  #fail(cause: unknown): void {
    const failed = this.#queue
    this.#queue = []
    this.#pending.clear()
    this.#lastAssigned = this.#revision
    for (const { waiting } of failed) for (const { key, reject } of waiting) reject(new CommitError(key, cause))
  }
}

function stateAfter({ type, record }: StoreEvent): StoredRecord | undefined {
  return type === 'put' ? record : undefined
}

// V8 represents a concatenation by its parts until a character is read. Flattened before it is kept for long.
function flatten(text: string): string {
  text.charCodeAt(0)
  return text
}

// Available since Node.js 20, but not in the ES2023 types.
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed()
}

function notWellFormed(key: string): TypeError {
  return new TypeError(`Cannot write "${key}": not well-formed Unicode`)
}

function isTooLong(key: string): boolean {
  return key.length * 3 > maxKeyBytes && Buffer.byteLength(key) > maxKeyBytes
}

// A substring keeps the whole string that it was cut from in memory; this returns a string of its own.
function detach(key: string): string {
  return Buffer.from(key).toString()
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
