// The contract of every store: ordered keys, one growing revision, compare-and-swap, and a log of changes to watch. A store
// knows no kinds: a value is an opaque string, into which the store writes only the revision.
//
// Guarantees
// - Every committed write has its own revision; each write increments it by one. The first write of a new store has
//   revision 2 (revision 1 is the empty store), so that "0" never names a state.
// - `get`, `list` and `watch` return durable data only: a write becomes visible when it can no longer be lost.
// - A write's promise resolves after the write is durable and visible, and after the watchers have been notified.
// - A write that is refused for a conflict is refused after the write that won is visible: the next read returns it.
// - Watchers receive every change of their range once, in the order of revisions.
// - One process owns the store: reads are synchronous and include every committed write.
import { messageOf } from '../base/error-message.ts'

export interface StoredRecord {
  readonly key: string
  /** The revision of the write that created this version. */
  readonly revision: number
  /** The revision of the write that created the key. */
  readonly createRevision: number
  readonly value: string
  /**
   * Where the reader caches the parsed value. The store does not read it, and clears it some time after the version was replaced or
   * deleted; the value stays for reads of older states.
   */
  memo: unknown
  /** False: no JSON string in the value contains `part`. Absent: unknown without reading the value. */
  mayContain?(part: string): boolean
}

/** A value to be written, which contains the revision that the store assigns. */
export type Draft = SplitDraft | SourceDraft

/** The value is `head + revision + tail`, with the revision in decimal. */
interface SplitDraft {
  readonly head: string
  readonly tail: string
  /** The first `memo` of the record. */
  readonly memo?: unknown
}

/** A value that is serialized on demand: by the memory store on the first read. */
export interface SourceDraft {
  /** Also the first `memo` of the record. */
  readonly source: ValueSource
}

export interface ValueSource {
  /** Called once, before `value` is read. */
  assignRevision(revision: number): void
  /** Well-formed Unicode that contains the revision. The same string on every read. */
  readonly value: string
  /** An estimate of the characters that it holds and the source of the next version does not; `next` is absent for the last state of a deleted key. */
  charactersBeside?(next: unknown): number
  /** The record holds the value from now on; the source can release its own. */
  storedIn?(record: StoredRecord): void
  /** The version is no longer current: it was replaced, or it was deleted some time ago. May be called more than once. */
  replaced?(): void
}

export interface StoreEvent {
  readonly type: 'put' | 'delete'
  /** For a delete: the last state with the revision of the deletion. */
  readonly record: StoredRecord
  /** The version that was replaced or deleted. Absent when the key is new. */
  readonly previous?: StoredRecord | undefined
}

export interface ListOptions {
  /** Only keys after this one. */
  readonly after?: string | undefined
  /** 0 is no limit, as in Kubernetes. */
  readonly limit?: number
  /** The state at that revision. Default: the newest. */
  readonly revision?: number
}

export interface ListResult {
  readonly records: readonly StoredRecord[]
  /** The revision of the state that was read. */
  readonly revision: number
  /** The number of keys in the range after the last one returned. */
  readonly remaining: number
}

/** `reason` is one line for users. */
export type StoreHealth = { readonly canWrite: true } | { readonly canWrite: false; readonly reason: string }

export interface Store {
  /** The revision of the newest visible write. */
  readonly revision: number
  /** States before this one can no longer be read or watched, except for ranges that are held. */
  readonly compactRevision: number

  get(key: string): StoredRecord | undefined
  /** Keys with that prefix, in ascending order of their UTF-16 code units. */
  list(prefix: string, options?: ListOptions): ListResult
  count(prefix: string): number
  /**
   * Keeps the state of that range at `revision` readable beyond its compaction, for a list that is read page by page. Eight ranges can be
   * held, within a limit on the memory that only they need; each until it was not read for 50,000 changes. Has no effect when the range
   * can no longer be read at `revision`.
   */
  hold(prefix: string, revision: number): void

  /**
   * Creates (expected 0) or replaces (expected: the revision of the version that was read). Throws RevisionConflictError,
   * StoreClosedError, and CommitError when the write could not be made durable: then it did not happen.
   */
  put(key: string, expected: number, draft: Draft): Promise<StoredRecord>
  /** Deletes the key; watchers receive `last`. Throws as `put`. */
  remove(key: string, expected: number, last: Draft): Promise<StoredRecord>

  /**
   * Calls `listen` with the changes after `revision`, in order, in groups as they were committed; the changes up to now are
   * delivered before `watch` returns. `prefix` ends in '/', is '' (every key), or is one whole key. Throws CompactedError,
   * FutureRevisionError. All watchers of one prefix receive the same array for a group.
   */
  watch(prefix: string, revision: number, listen: (events: readonly StoreEvent[]) => void): () => void

  /** Drops the states before `revision`. Throws FutureRevisionError. */
  compact(revision: number): void
  /** Whether writes can be made durable, judged by the last one. */
  health(): StoreHealth
  /** Refuses further writes, waits for pending ones, and ends all watches. */
  close(): Promise<void>
}

export class RevisionConflictError extends Error {
  readonly key: string
  readonly expected: number
  /** The current version, or undefined when the key does not exist. */
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
  constructor(revision: number, compactRevision: number) {
    super(`Cannot read revision ${revision}: states before ${compactRevision} are compacted`)
    this.name = 'CompactedError'
  }
}

export class FutureRevisionError extends Error {
  constructor(revision: number, current: number) {
    super(`Cannot read revision ${revision}: the newest is ${current}`)
    this.name = 'FutureRevisionError'
  }
}

export class StoreClosedError extends Error {
  constructor(key: string) {
    super(`Cannot write "${key}": the store is closed`)
    this.name = 'StoreClosedError'
  }
}

export class CommitError extends Error {
  constructor(key: string, cause: unknown) {
    super(`Cannot write "${key}": the store could not commit: ${messageOf(cause)}`, { cause })
    this.name = 'CommitError'
  }
}
