import { afterIfAlive, type CancelTimer, realClock } from '../base/clock.ts'
import { FrameEncoder } from './frames.ts'
import type { HeadFile } from './head-file.ts'
import { createJournal, JournalFile } from './journal-file.ts'
import type { Journal } from './revision-store.ts'
import { SnapshotCancelledError, type SnapshotState, writeSnapshot } from './snapshot-file.ts'
import type { StoredRecord, StoreEvent, StoreHealth } from './store.ts'
import type { StoreFiles } from './store-files.ts'

// Makes groups of changes durable. A group is appended to the journal. When the journal has grown large, a new one is begun, the
// state at that moment is written to a snapshot in the background, and then the journals before it are deleted.
//
// A small group is committed in place: handing it to another thread and back costs more than the 0.1 ms that it takes on a good
// disk. A large group, or any group while the disk is slow, is left to a thread, so that the event loop does not wait.

export interface DurabilityOptions {
  /** A snapshot follows when the journal has so many bytes, or as many as the last snapshot, whichever is more. */
  readonly journalBytes: number
  /** Runs `run` in a while, if the process still lives. The high-water mark is written by it. */
  readonly later: (delayMs: number, run: () => void) => CancelTimer
}

export const defaultDurability: DurabilityOptions = { journalBytes: 64 * 2 ** 20, later: afterIfAlive }

export interface DurableJournalOptions extends DurabilityOptions {
  readonly files: StoreFiles
  readonly current: JournalFile
  readonly head: HeadFile
  readonly revision: number
  /** The length of the last snapshot. */
  readonly snapshotBytes: number
  /** Called at the very end. */
  release(): void
}

// Some 0.3 ms on a good disk.
const inPlaceChanges = 64
const inPlaceCharacters = 2 ** 18

/** Two commits in place that took longer leave the next ones to a thread: so many for each millisecond that it took. */
const slowMs = 8
const commitsAfterSlowMs = 10
const headMs = 1000

export class DurableJournal implements Journal {
  readonly #options: DurableJournalOptions
  readonly #files: StoreFiles
  readonly #head: HeadFile
  readonly #encoder = new FrameEncoder()
  readonly #obsolete: JournalFile[] = []
  #current: JournalFile
  /** The one to go on with. */
  #next: JournalFile | undefined
  #readRecords: () => readonly StoredRecord[] = () => []
  #revision: number
  #snapshotBytes: number
  #snapshot: Promise<void> | undefined
  /** No snapshot is tried before the journal is that long. */
  #snapshotAt = 0
  #lastFailure: string | undefined
  #wasSlow = false
  #leftToThread = 0
  #cancelHead: CancelTimer | undefined
  #headRevision: number
  #isClosing = false

  constructor(options: DurableJournalOptions) {
    this.#options = options
    this.#files = options.files
    this.#current = options.current
    this.#head = options.head
    this.#revision = options.revision
    this.#headRevision = options.revision
    this.#snapshotBytes = options.snapshotBytes
  }

  attach(readRecords: () => readonly StoredRecord[]): void {
    this.#readRecords = readRecords
  }

  /** The requests of one turn of the event loop go together. */
  gather(): Promise<void> {
    return new Promise((resolve) => void realClock.after(0, resolve))
  }

  health(): StoreHealth {
    const reason = this.#current.failure?.message ?? this.#lastFailure
    return reason === undefined ? { canWrite: true } : { canWrite: false, reason }
  }

  commit(changes: readonly StoreEvent[]): Promise<void> | undefined {
    // A new journal would not help: the group that failed may be on the disk in this one.
    if (this.#current.failure !== undefined) throw this.#current.failure
    if (this.#next !== undefined) this.#switch(this.#next)
    const bytes = this.#encoder.encode(this.#current.header, changes[0]!.record.revision, changes)
    if (this.#leftToThread > 0 || !isSmall(changes) || !this.#current.hasRoomFor(bytes.length)) {
      this.#leftToThread = Math.max(0, this.#leftToThread - 1)
      return this.#commitInThread(changes, bytes)
    }
    const start = realClock.now()
    try {
      this.#current.appendInPlace(bytes)
    } catch (error) {
      this.#noteFailure(error)
      throw error
    }
    this.#noteSpeed(realClock.now() - start)
    this.#noteCommit(changes)
    return undefined
  }

  async #commitInThread(changes: readonly StoreEvent[], bytes: Buffer): Promise<void> {
    try {
      await this.#current.append(bytes)
    } catch (error) {
      this.#noteFailure(error)
      throw error
    }
    this.#noteCommit(changes)
  }

  #noteFailure(error: unknown): void {
    this.#lastFailure = error instanceof Error ? error.message : String(error)
  }

  #noteSpeed(tookMs: number): void {
    // Once may be no fault of the disk: something else had the processor.
    if (tookMs > slowMs && this.#wasSlow) this.#leftToThread = tookMs * commitsAfterSlowMs
    this.#wasSlow = tookMs > slowMs
  }

  #noteCommit(changes: readonly StoreEvent[]): void {
    this.#lastFailure = undefined
    this.#revision = changes.at(-1)!.record.revision
    this.#cancelHead ??= this.#options.later(headMs, () => void this.#writeHead())
    const limit = Math.max(this.#options.journalBytes, this.#snapshotBytes, this.#snapshotAt)
    if (this.#snapshot === undefined && this.#current.position >= limit) this.#startSnapshot()
  }

  async #writeHead(): Promise<void> {
    this.#cancelHead = undefined
    if (this.#headRevision === this.#revision) return
    const mark = { revision: this.#revision, journal: this.#current.header.number }
    try {
      await this.#head.write(mark)
      this.#headRevision = mark.revision
    } catch (error) {
      warn('Cannot write the high-water mark of the store', error)
    }
  }

  #startSnapshot(): void {
    this.#snapshot = this.#runSnapshot()
      .catch((error: unknown) => {
        // Nothing is lost: the journals have it all.
        this.#snapshotAt = this.#current.position + this.#options.journalBytes
        if (!(error instanceof SnapshotCancelledError)) warn('Cannot write a snapshot of the store, which will be tried again', error)
      })
      .finally(() => {
        this.#snapshot = undefined
      })
  }

  async #runSnapshot(): Promise<void> {
    const number = this.#current.header.number + 1
    const header = await createJournal(this.#files, number)
    const next = await JournalFile.open(this.#files, header)
    const state = await this.#switchTo(next)
    if (state === undefined) return
    this.#snapshotBytes = await writeSnapshot(this.#files, number, state, () => this.#isClosing)
    this.#snapshotAt = 0
    for (const journal of this.#obsolete.splice(0)) await journal.close()
    for (const name of this.#files.list()) if (isBefore(name, number)) this.#files.remove(name)
    await this.#files.syncNames()
  }

  #switched: ((state: SnapshotState | undefined) => void) | undefined

  /** Resolves with the state before the first change of that journal, or undefined when the store is closed first. */
  #switchTo(next: JournalFile): Promise<SnapshotState | undefined> {
    this.#next = next
    return new Promise((resolve) => {
      this.#switched = resolve
      if (this.#isClosing) resolve(undefined)
    })
  }

  /** Before a group is appended: then the records are those after all groups so far. */
  #switch(next: JournalFile): void {
    this.#obsolete.push(this.#current)
    this.#current = next
    this.#next = undefined
    this.#switched?.({ revision: this.#revision, records: this.#readRecords() })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#cancelHead?.()
    this.#switched?.(undefined)
    await this.#snapshot
    try {
      await this.#writeHead()
      await this.#head.close()
      for (const journal of [...this.#obsolete, this.#current, ...(this.#next ? [this.#next] : [])]) await journal.close()
    } finally {
      this.#options.release()
    }
  }
}

/** Whether it is a journal or a snapshot that one with this number replaces. */
function isBefore(name: string, number: number): boolean {
  return /^(journal|snapshot)-\d{8,}$/.test(name) && Number(name.split('-')[1]) < number
}

function isSmall(changes: readonly StoreEvent[]): boolean {
  if (changes.length > inPlaceChanges) return false
  let characters = 0
  for (const { record } of changes) characters += record.text.length
  return characters <= inPlaceCharacters
}

function warn(what: string, error: unknown): void {
  process.emitWarning(`${what}: ${error instanceof Error ? error.message : String(error)}`)
}
