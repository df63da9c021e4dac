// The contract of every store: ordered keys, one growing revision, compare-and-swap, and a log of changes to watch. A store
// knows no kinds: a value is a text, into which the store writes nothing but the revision.
//
// Guarantees
// - Every committed write has its own revision; revisions grow by one a write. The first write of a new store has
//   revision 2 (revision 1 is the empty store), so that "0" never names a state.
// - What `get`, `list` and `watch` show is durable: a write becomes visible when it can no longer be lost, and not before.
// - A write's promise resolves after the write is durable and visible, and after the watchers have been notified.
// - A write that is refused for a conflict is refused after the write that won is visible: the next read returns it.
// - Watchers get every change of their range once, in the order of revisions.
// - One process has the store: its reads are synchronous, and answer from everything that was committed.

export interface StoredRecord {
  readonly key: string
  /** The revision of the write that made this version. */
  readonly revision: number
  /** The revision at which the key came into being. */
  readonly createRevision: number
  readonly text: string
  /**
   * For the reader, to keep what it parsed. The store does not read it, and clears it some time after the version was replaced or
   * deleted, while the text stays for reads of older states.
   */
  memo: unknown
  /** False: no string in the text, between its quotes, has that part. Absent: the text must be looked at. */
  mayHave?(part: string): boolean
}

/** A value to be. */
export type Draft = TextDraft | SourceDraft

/** The store makes it `head + revision + tail`, with the revision in decimal. */
export interface TextDraft {
  readonly head: string
  readonly tail: string
  /** The first `memo` of the record. */
  readonly memo?: unknown
}

/** A value that makes its own text. The memory store asks for it on the first read, if there is one. */
export interface SourceDraft {
  /** Also the first `memo` of the record. */
  readonly source: TextSource
}

export interface TextSource {
  /** Told once, before anything is asked, which revision it becomes. */
  settle(revision: number): void
  /** Well-formed Unicode, with the revision in it, and always the same. */
  readonly text: string
  /** The record has the text from now on: there is no need to hold it as well. */
  keptBy?(record: StoredRecord): void
  /** It is no longer a current version: another one took its place, or its deletion is some time ago. May be called again. */
  replaced?(): void
}

export interface StoreEvent {
  readonly type: 'put' | 'delete'
  /** For a delete: the last state, with the revision of the deletion in it. */
  readonly record: StoredRecord
  /** The version that this one took the place of. Absent when the key is new. */
  readonly previous?: StoredRecord
}

export interface ListOptions {
  /** Only keys after this one. */
  readonly after?: string
  /** 0 is no limit, as in Kubernetes. */
  readonly limit?: number
  /** The state at that revision. Default: now. */
  readonly revision?: number
}

export interface ListResult {
  readonly records: readonly StoredRecord[]
  /** The revision of the state that was read. */
  readonly revision: number
  /** How many keys of the range follow after the last one returned. */
  readonly remaining: number
}

/** `reason`: why, in one line, for users. */
export type StoreHealth = { readonly canWrite: true } | { readonly canWrite: false; readonly reason: string }

export interface Store {
  /** Of the newest visible write. */
  readonly revision: number
  /**
   * States before this one can no longer be read or watched, but for ranges that are held.
   */
  readonly compactRevision: number

  get(key: string): StoredRecord | undefined
  /** Keys with that prefix, in ascending order of their UTF-16 code units. */
  list(prefix: string, options?: ListOptions): ListResult
  count(prefix: string): number
  /**
   * Keeps the state of that range at `revision` readable after it would be compacted, for a list that goes on page by page. Eight ranges can
   * be held, with a limit on what is kept for them alone; each until it was not read for some ten thousand changes. A range that cannot be
   * read at `revision` is not held.
   */
  hold(prefix: string, revision: number): void

  /**
   * Creates (expected 0) or replaces (expected: the revision of the version that was read). Throws RevisionConflictError,
   * StoreClosedError, and CommitError when the write could not be made durable: then it did not happen.
   */
  put(key: string, expected: number, draft: Draft): Promise<StoredRecord>
  /** Removes; `last` is what watchers are shown. Throws RevisionConflictError. */
  remove(key: string, expected: number, last: Draft): Promise<StoredRecord>

  /**
   * Calls `listen` with the changes after `revision`, in order, in groups as they were committed; the changes that are
   * already there come first, before `watch` returns. `prefix` ends in '/', is '' (every key), or is one whole key. Throws CompactedError,
   * FutureRevisionError. All watchers of one prefix are handed the same array for a group.
   */
  watch(prefix: string, revision: number, listen: (events: readonly StoreEvent[]) => void): () => void

  /** Forgets the states before `revision`. Throws FutureRevisionError. */
  compact(revision: number): void
  /** Whether writes can be made durable, as far as is known from the last one. */
  health(): StoreHealth
  /** Refuses further writes, waits for those under way, and ends all watches. */
  close(): Promise<void>
}

export class RevisionConflictError extends Error {
  readonly key: string
  readonly expected: number
  /** The version that is there, or undefined when there is none. */
  readonly current: StoredRecord | undefined

  constructor(key: string, expected: number, current: StoredRecord | undefined) {
    super(`Cannot write "${key}": expected revision ${expected}, found ${current?.revision ?? 'nothing'}`)
    this.name = 'RevisionConflictError'
    this.key = key
    this.expected = expected
    this.current = current
  }
}

export class CompactedError extends Error {
  readonly revision: number
  readonly compactRevision: number

  constructor(revision: number, compactRevision: number) {
    super(`Cannot read revision ${revision}: states before ${compactRevision} are gone`)
    this.name = 'CompactedError'
    this.revision = revision
    this.compactRevision = compactRevision
  }
}

export class FutureRevisionError extends Error {
  readonly revision: number
  readonly current: number

  constructor(revision: number, current: number) {
    super(`Cannot read revision ${revision}: the newest is ${current}`)
    this.name = 'FutureRevisionError'
    this.revision = revision
    this.current = current
  }
}

export class StoreClosedError extends Error {
  constructor(key: string) {
    super(`Cannot write "${key}": the store is closed`)
    this.name = 'StoreClosedError'
  }
}

export class CommitError extends Error {
  readonly key: string

  constructor(key: string, cause: unknown) {
    super(`Cannot write "${key}": the store could not commit: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'CommitError'
    this.key = key
  }
}
