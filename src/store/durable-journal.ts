import { afterIfAlive, type CancelTimer, realClock } from '../base/clock.ts'
import { messageOf } from '../base/error-message.ts'
import { FrameEncoder } from './frames.ts'
import type { HeadFile } from './head-file.ts'
import { createJournal, extentBytes, JournalFile } from './journal-file.ts'
import { isNoSpace, type Reserve, reserveBytes } from './reserve.ts'
import type { Journal, StoreContent } from './revision-store.ts'
import { SnapshotCancelledError, writeSnapshot } from './snapshot-file.ts'
import type { StoredRecord, StoreEvent, StoreHealth } from './store.ts'
import type { StoreFiles } from './store-files.ts'

// Makes groups of changes durable. A group is appended to the journal. When the journal has grown large, a new one is started, the
// state at that moment is written to a snapshot in the background, and then the earlier journals are deleted.
//
// When the disk is full, only deletions are taken until there is room again: the reserve has room for them (reserve.ts). The state after them
// replaces the journals as soon as it fits.
//
// A small group is committed synchronously: handing it to another thread and back costs more than the 0.1 ms that it takes on a
// fast disk. A large group, or any group while the disk is slow, is committed in a thread, so that the event loop does not wait.

export interface DurabilityOptions {
  /** A snapshot is written when the journal exceeds this size and the size of the last snapshot. */
  readonly journalBytes: number
  /** Schedules the write of the high-water mark, without keeping the process alive. */
  readonly later: (delayMs: number, run: () => void) => CancelTimer
}

export const defaultDurability: DurabilityOptions = { journalBytes: 64 * 2 ** 20, later: afterIfAlive }

interface DurableJournalOptions extends DurabilityOptions {
  readonly files: StoreFiles
  readonly current: JournalFile
  readonly head: HeadFile
  readonly reserve: Reserve
  readonly revision: number
  /** The size of the last snapshot. */
  readonly snapshotBytes: number
  /** Called when everything is closed. */
  release(): void
}

// The largest group that is committed synchronously: about 0.3 ms on a fast disk.
const maxSyncChanges = 64
const maxSyncCharacters = 2 ** 18

/** After two slow synchronous commits in a row, a number of commits is left to a thread: ten for each millisecond of the second one. */
const slowMs = 8
const threadCommitsPerSlowMs = 10
const headIntervalMs = 1000
/** How often the room of the reserve is looked for. */
const roomIntervalMs = 1000

export class DurableJournal implements Journal {
  readonly #options: DurableJournalOptions
  readonly #files: StoreFiles
  readonly #head: HeadFile
  readonly #encoder = new FrameEncoder()
  readonly #obsolete: JournalFile[] = []
  #current: JournalFile
  /** The journal for the next group. */
  #next: JournalFile | undefined
  #readRecords: () => readonly StoredRecord[] = () => []
  #revision: number
  #snapshotBytes: number
  #snapshot: Promise<void> | undefined
  /** After a failed snapshot: the size of the journal at which the next one is tried. */
  #snapshotAt = 0
  #lastFailure: string | undefined
  readonly #reserve: Reserve
  /** Set while the disk is full: the refusal of writes other than deletions. */
  #full: Error | undefined
  #hasDeletedWhileFull = false
  #isCommitting = false
  #cancelRoom: CancelTimer | undefined
  #findingRoom: Promise<void> | undefined
  #wasSlow = false
  #threadCommitsLeft = 0
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
    this.#reserve = options.reserve
    if (this.#reserve.startedFull) this.#setFull(true)
    if (!this.#reserve.isHeld) this.#findRoomLater()
  }

  attach(readRecords: () => readonly StoredRecord[]): void {
    this.#readRecords = readRecords
  }

  /** Writes of the same turn of the event loop form one group. */
  gather(): Promise<void> {
    return new Promise((resolve) => void realClock.after(0, resolve))
  }

  health(): StoreHealth {
    const reason = this.#current.failure?.message ?? this.#full?.message ?? this.#lastFailure
    return reason === undefined ? { canWrite: true } : { canWrite: false, reason }
  }

  refusal(type: StoreEvent['type']): Error | undefined {
    return type === 'put' ? this.#full : undefined
  }

  commit(changes: readonly StoreEvent[]): Promise<void> | undefined {
    // A new journal would not help: the group that failed may be on the disk in this one.
    if (this.#current.failure !== undefined) throw this.#current.failure
    if (this.#next !== undefined) this.#switch(this.#next)
    const bytes = this.#encoder.encode(this.#current.header, changes[0]!.record.revision, changes)
    if (this.#threadCommitsLeft > 0 || !isSmall(changes) || !this.#current.hasRoomFor(bytes.length)) {
      this.#threadCommitsLeft = Math.max(0, this.#threadCommitsLeft - 1)
      return this.#commitInThread(changes, bytes)
    }
    const start = realClock.now()
    try {
      this.#current.appendSync(bytes)
    } catch (error) {
      this.#noteFailure(error)
      throw error
    }
    this.#noteSpeed(realClock.now() - start)
    this.#noteCommit(changes)
    return undefined
  }

  async #commitInThread(changes: readonly StoreEvent[], bytes: Buffer): Promise<void> {
    this.#isCommitting = true
    try {
      await this.#append(changes, bytes)
    } catch (error) {
      this.#noteFailure(error)
      throw error
    } finally {
      this.#isCommitting = false
    }
    this.#noteCommit(changes)
  }

  async #append(changes: readonly StoreEvent[], bytes: Buffer): Promise<void> {
    try {
      await this.#current.append(bytes)
    } catch (error) {
      if (!isNoSpace(error)) throw error
      if (this.#files.freeBytes() >= reserveBytes) throw error
      this.#setFull(true)
      this.#findRoomLater()
      if (!this.#reserve.isHeld || changes.some(({ type }) => type === 'put')) throw error
      this.#reserve.release()
      await this.#current.append(bytes)
    }
  }

  #setFull(isFull: boolean): void {
    if (this.#full !== undefined && !isFull) this.#lastFailure = undefined
    this.#full = isFull ? (this.#full ?? fullError()) : undefined
    this.#current.isFrugal = isFull
  }

  #findRoomLater(): void {
    if (this.#isClosing) return
    this.#cancelRoom ??= this.#options.later(roomIntervalMs, () => {
      this.#cancelRoom = undefined
      this.#findingRoom = this.#findRoom()
    })
  }

  /** Until there is a reserve, and room beside it. */
  async #findRoom(): Promise<void> {
    try {
      await this.#reserve.fill()
    } catch (error) {
      if (!isNoSpace(error)) return warn('Cannot keep room for deletions on a full disk', error)
      if (this.#reserve.isLost) this.#setFull(true)
    }
    const hasRoom = this.#reserve.isHeld && (this.#full === undefined || this.#files.freeBytes() >= extentBytes)
    if (hasRoom) return this.#setFull(false)
    if (this.#full !== undefined) await this.#replaceJournals()
    this.#findRoomLater()
  }

  /** Writes what the deletions have left to a snapshot, if it fits: then the journals are no longer needed. */
  async #replaceJournals(): Promise<void> {
    if (!this.#hasDeletedWhileFull || this.#snapshot !== undefined || this.#current.failure !== undefined) return
    this.#hasDeletedWhileFull = false
    const bytes = this.#readRecords().reduce((sum, { key, value }) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
    if (this.#reserve.room < 2 * extentBytes + bytes) return
    this.#reserve.release()
    this.#startSnapshot()
    await this.#snapshot
  }

  #noteFailure(error: unknown): void {
    this.#lastFailure = messageOf(error)
  }

  #noteSpeed(tookMs: number): void {
    // A single slow commit may be due to a busy processor rather than the disk.
    if (tookMs > slowMs && this.#wasSlow) this.#threadCommitsLeft = tookMs * threadCommitsPerSlowMs
    this.#wasSlow = tookMs > slowMs
  }

  #noteCommit(changes: readonly StoreEvent[]): void {
    this.#lastFailure = undefined
    if (this.#full !== undefined) this.#hasDeletedWhileFull = true
    this.#revision = changes.at(-1)!.record.revision
    this.#cancelHead ??= this.#options.later(headIntervalMs, () => void this.#writeHead())
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
        // Nothing is lost: the journals contain every write.
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

  #switched: ((state: StoreContent | undefined) => void) | undefined

  /** Resolves with the state before the first change of that journal, or undefined when the store is closed first. */
  #switchTo(next: JournalFile): Promise<StoreContent | undefined> {
    this.#next = next
    return new Promise((resolve) => {
      this.#switched = resolve
      if (this.#isClosing) resolve(undefined)
      // On a full disk, the next group may never come.
      else if (this.#full !== undefined) void realClock.after(0, () => this.#next === next && !this.#isCommitting && this.#switch(next))
    })
  }

  /** Must be called between two groups: the records are then the state after all groups so far. */
  #switch(next: JournalFile): void {
    this.#obsolete.push(this.#current)
    this.#current = next
    this.#current.isFrugal = this.#full !== undefined
    this.#next = undefined
    this.#switched?.({ revision: this.#revision, records: this.#readRecords() })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#cancelHead?.()
    this.#cancelRoom?.()
    this.#switched?.(undefined)
    await this.#snapshot
    await this.#findingRoom
    try {
      await this.#writeHead()
      await this.#head.close()
      for (const journal of [...this.#obsolete, this.#current, ...(this.#next ? [this.#next] : [])]) await journal.close()
    } finally {
      this.#options.release()
    }
  }
}

/** Whether the file is a journal or snapshot that the snapshot with this number replaces. */
function isBefore(name: string, number: number): boolean {
  return /^(journal|snapshot)-\d{8,}$/.test(name) && Number(name.split('-')[1]) < number
}

function isSmall(changes: readonly StoreEvent[]): boolean {
  if (changes.length > maxSyncChanges) return false
  let characters = 0
  for (const { record } of changes) characters += record.value.length
  return characters <= maxSyncCharacters
}

const fullError = () => new Error(`the disk is full, and only deletions are accepted until ${reserveBytes / 2 ** 20} MiB are free`)

function warn(what: string, error: unknown): void {
  process.emitWarning(`${what}: ${messageOf(error)}`)
}
