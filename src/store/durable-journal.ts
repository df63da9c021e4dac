import { afterIfAlive, type CancelTimer, realClock } from '../base/clock.ts'
import type { Changes, Database } from './database.ts'
import type { JournalFile } from './journal-file.ts'
import { GroupEncoder } from './journal-format.ts'
import { type Recovered, removeFiles, type Unwritten } from './recovery.ts'
import type { Journal } from './revision-store.ts'
import type { StoreEvent } from './store.ts'

// A group is durable when it is in the journal. From time to time the newest change of each key goes to the database: the
// files change roles, what the full one has is written, and then it is free to be begun again. A process that is killed on the
// way leaves both, and whatever the database has of the changes already, making them again leads to the same state.

export interface CheckpointOptions {
  /** A checkpoint follows when the journal has so many bytes, … */
  readonly journalBytes: number
  /** … and when it has some and nothing was written for so long. */
  readonly idleMs: number
  /** For tests: told how far a checkpoint is. It waits. */
  readonly onStage?: (stage: 'begun' | 'written') => Promise<void>
}

export const defaultCheckpoint: CheckpointOptions = { journalBytes: 64 * 2 ** 20, idleMs: 5000 }

// With a full file behind it that is not yet free, a file may grow to so many times its size before writers wait.
const mostFull = 4
/** More could not be read again at the next start. */
const mostBytes = 2 ** 30
/** A journal with less than this part of its bytes is left alone: a few Leases a minute are not worth a checkpoint each. */
const idleShare = 64
const retryMs = 5000
/** What cannot be written in this time when the store is closed, stays in the journal. */
const closingMs = 5000

// Some 0.3 ms on a good disk: handing that to another thread and back costs more.
const inPlaceChanges = 64
const inPlaceCharacters = 2 ** 18

/** Two commits in place that took longer leave the next ones to a thread: so many for each millisecond that it took. */
const slowMs = 8
const commitsAfterSlowMs = 10

export class DurableJournal implements Journal {
  readonly #directory: string
  readonly #database: Database
  readonly #options: CheckpointOptions
  readonly #release: () => Promise<void>
  readonly #encoder = new GroupEncoder()
  #current: JournalFile
  #other: JournalFile
  #revision: number
  /** What the current file has and the database has not. */
  #changes: Changes
  /** The same of the other file. Undefined: it is free. */
  #unwritten: Unwritten | undefined
  #checkpoint: Promise<void> | undefined
  /** 0: the last one did not fail. */
  #retryAfterMs = 0
  #wasSlow = false
  #leftToThread = 0
  #appending: Promise<void> | undefined
  #lastCommitMs = 0
  #cancelIdle: CancelTimer | undefined

  /** `release` is called at the very end. */
  constructor(directory: string, database: Database, recovered: Recovered, options: CheckpointOptions, release: () => Promise<void>) {
    this.#directory = directory
    this.#database = database
    this.#options = options
    this.#release = release
    this.#current = recovered.current
    this.#other = recovered.other
    this.#revision = recovered.content.revision
    this.#changes = recovered.changes
    this.#unwritten = recovered.unwritten
    this.#lastCommitMs = realClock.now()
    if (this.#unwritten !== undefined) this.#startCheckpoint()
    else this.#awaitIdle(options.idleMs)
  }

  /** The requests of one turn of the event loop go together. */
  gather(): Promise<void> {
    return new Promise((resolve) => void realClock.after(0, resolve))
  }

  commit(changes: readonly StoreEvent[]): Promise<void> | undefined {
    if (this.#current.position > mostBytes) throw new Error('the journal is full, as it could not be written to the database')
    if (this.#checkpoint !== undefined && this.#current.position > mostFull * this.#options.journalBytes) {
      return this.#checkpoint.then(() => this.#commitInThread(changes))
    }
    if (this.#leftToThread === 0 && isSmall(changes)) return this.#commitInPlace(changes)
    this.#leftToThread = Math.max(0, this.#leftToThread - 1)
    return this.#commitInThread(changes)
  }

  #commitInPlace(changes: readonly StoreEvent[]): undefined {
    const start = realClock.now()
    const hasGrown = this.#current.appendInPlace(this.#encoder.encode(this.#current.header, changes))
    const end = realClock.now()
    const tookMs = end - start
    if (tookMs <= slowMs) this.#wasSlow = false
    else if (!hasGrown) {
      // Once may be no fault of the disk: something else had the processor.
      if (this.#wasSlow) this.#leftToThread = tookMs * commitsAfterSlowMs
      this.#wasSlow = true
    }
    this.#keep(changes, end)
  }

  #commitInThread(changes: readonly StoreEvent[]): Promise<void> {
    const appending = this.#append(changes).finally(() => {
      this.#appending = undefined
    })
    this.#appending = appending
    return appending
  }

  async #append(changes: readonly StoreEvent[]): Promise<void> {
    await this.#current.appendInThread(this.#encoder.encode(this.#current.header, changes))
    this.#keep(changes, realClock.now())
  }

  #keep(changes: readonly StoreEvent[], nowMs: number): void {
    for (const { type, record } of changes) this.#changes.set(record.key, type === 'put' ? record : undefined)
    this.#revision = changes.at(-1)!.record.revision
    this.#noteCommit(nowMs)
  }

  #noteCommit(nowMs: number): void {
    this.#lastCommitMs = nowMs
    if (this.#checkpoint !== undefined) return
    if (this.#current.position >= this.#options.journalBytes && nowMs >= this.#retryAfterMs) this.#startCheckpoint()
    else this.#awaitIdle(this.#options.idleMs)
  }

  #awaitIdle(delayMs: number): void {
    const hasSome = this.#changes.size > 0 && this.#current.position >= this.#options.journalBytes / idleShare
    if (hasSome || this.#unwritten !== undefined) this.#cancelIdle ??= afterIfAlive(delayMs, () => this.#checkIdle())
  }

  #checkIdle(): void {
    this.#cancelIdle = undefined
    // On what the disk may or may not have, nothing can be built.
    if (this.#checkpoint !== undefined || this.#current.isUnknown) return
    const restMs = Math.max(this.#lastCommitMs + this.#options.idleMs, this.#retryAfterMs) - realClock.now()
    if (restMs <= 0) this.#startCheckpoint()
    else this.#awaitIdle(restMs)
  }

  #startCheckpoint(): void {
    this.#checkpoint = this.#runCheckpoint()
      .catch((error: unknown) => {
        if (this.#retryAfterMs === 0) warn(error, 'will be tried again')
        this.#retryAfterMs = realClock.now() + retryMs
      })
      .finally(() => {
        this.#checkpoint = undefined
        this.#awaitIdle(this.#options.idleMs)
      })
  }

  async #runCheckpoint(): Promise<void> {
    if (this.#unwritten === undefined) {
      await this.#other.begin(this.#current.header.generation + 1, this.#options.journalBytes)
      // The other file goes on with the revision after the last one of this.
      while (this.#appending !== undefined) await this.#appending.catch(() => {})
      if (this.#current.isUnknown) return
      const full = this.#current
      this.#current = this.#other
      this.#other = full
      this.#unwritten = { changes: this.#changes, revision: this.#revision }
      this.#changes = new Map()
    }
    await this.#options.onStage?.('begun')
    await this.#database.write(this.#unwritten.changes, this.#unwritten.revision)
    await this.#options.onStage?.('written')
    this.#unwritten = undefined
    this.#retryAfterMs = 0
  }

  async close(): Promise<void> {
    this.#cancelIdle?.()
    await this.#checkpoint
    this.#cancelIdle?.()
    const isWritten = await this.#writeAll().catch((error: unknown) => {
      // Nothing is lost by it: the journal has it all.
      warn(error, 'is left to the next start')
      return false
    })
    await Promise.all([this.#current.close(), this.#other.close()])
    try {
      if (isWritten) await removeFiles(this.#directory)
    } finally {
      await this.#release()
    }
  }

  /** False: there was not enough time, or nothing to build on. */
  async #writeAll(): Promise<boolean> {
    if (this.#current.isUnknown) return false
    const endMs = realClock.now() + closingMs
    const all = new Map([...(this.#unwritten?.changes ?? []), ...this.#changes])
    return all.size === 0 || this.#database.write(all, this.#revision, () => realClock.now() > endMs)
  }
}

function isSmall(changes: readonly StoreEvent[]): boolean {
  if (changes.length > inPlaceChanges) return false
  let characters = 0
  for (const { record } of changes) characters += record.text.length
  return characters <= inPlaceCharacters
}

function warn(error: unknown, outcome: string): void {
  const why = error instanceof Error ? error.message : String(error)
  process.emitWarning(`Writing the journal of the store to its database ${outcome}: ${why}`)
}
