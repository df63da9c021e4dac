import { mkdir, open as openFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { realClock } from '../base/clock.ts'
import { emptyContent, type Journal, RevisionStore, type StoreContent, type StoreOptions } from './revision-store.ts'
import type { Store, StoredRecord, StoreEvent } from './store.ts'

// The durable engine. LMDB holds the newest version of every record and the revision of the last write, which is written in
// the same transaction; it is read once, when the store is opened, and after that only written.
//
// A group is one transaction: LMDB writes the pages, waits for the disk and then turns the root over, so a killed process
// leaves the state before or after a group. A small group is committed in place: handing it to LMDB's thread and back costs
// more than the 0.3 ms that it takes on a good disk, and several times more where the processors are busy. A large group,
// or any group once the disk was slow, is left to that thread, so that the event loop does not wait.

export interface LmdbStoreOptions extends StoreOptions {
  /** The store's directory. Made, readable by its owner only, when it is not there. */
  readonly path: string
}

/** A record without its key; under the key of the store itself: the newest revision, and what else is to be known. */
type Row = Pick<StoredRecord, 'revision' | 'createRevision' | 'text'>

type Database = RootDatabase<Row, Buffer>

const storeKey = Buffer.from('meta')
const recordsStart = Buffer.from('r')
const recordsEnd = Buffer.from('s')
const format = 1
const storeText = JSON.stringify({ format })

// Some 1 ms on a good disk.
const inPlaceChanges = 64
const inPlaceCharacters = 2 ** 18
/** A commit in place that took longer leaves the next ones to the thread: so many for each millisecond that it took. */
const slowMs = 8
const commitsAfterSlowMs = 10

// A row: the revision and the create revision as doubles, then the text in UTF-8.
const headerBytes = 16
const rowCodec = {
  encode({ revision, createRevision, text }: Row): Buffer {
    const bytes = Buffer.allocUnsafe(headerBytes + Buffer.byteLength(text))
    bytes.writeDoubleLE(revision, 0)
    bytes.writeDoubleLE(createRevision, 8)
    bytes.write(text, headerBytes)
    return bytes
  },
  /** `bytes` is LMDB's, and is used again for the next row: nothing of it may stay. */
  decode(bytes: Buffer, length = bytes.length): Row {
    return { revision: bytes.readDoubleLE(0), createRevision: bytes.readDoubleLE(8), text: bytes.toString('utf8', headerBytes, length) }
  },
}

/** The directories that this process has open: LMDB would share them silently. */
const openPaths = new Set<string>()

export async function openLmdbStore({ path, ...options }: LmdbStoreOptions): Promise<Store> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const directory = await realpath(path)
  if (openPaths.has(directory)) throw inUse(path, process.pid)
  openPaths.add(directory)
  let database: Database | undefined
  try {
    await checkHead(directory, path)
    // Without overlappingSync a transaction's promise waits for the disk.
    database = open<Row, Buffer>({
      path: directory,
      noSubdir: false,
      keyEncoding: 'binary',
      encoder: rowCodec,
      cache: false,
      overlappingSync: false,
      // A group is a batch already. LMDB's own batches make a promise that nobody gets: on a full disk it would end the process.
      eventTurnBatching: false,
    })
    checkSoleUser(database, path)
    const content = readContent(database, path)
    return new RevisionStore(new LmdbJournal(database, content.revision, directory), content, options)
  } catch (error) {
    await database?.close()
    openPaths.delete(directory)
    throw error
  }
}

// The first page of every database names its kind, after a header whose length depends on the build.
const magic = 0xbeefc0de
const magicOffsets = [16, 24]

/** LMDB trusts what it maps: a file of something else would end the process. */
async function checkHead(directory: string, path: string): Promise<void> {
  const file = await openFile(join(directory, 'data.mdb')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return
  try {
    const head = Buffer.alloc(28)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    if (bytesRead > 0 && !magicOffsets.some((offset) => head.readUInt32LE(offset) === magic))
      throw new Error(`Cannot open the store: file "${join(path, 'data.mdb')}" is no database, or damaged`)
  } finally {
    await file.close()
  }
}

/**
 * LMDB lists the processes that have read, and asks the kernel which of them still live: a killed process holds nothing.
 * Whoever opens reads first and looks afterwards, so of two at the same time at least one sees the other.
 */
function checkSoleUser(database: Database, path: string): void {
  database.get(storeKey)
  database.readerCheck()
  for (const line of database.readerList().split('\n').slice(1)) {
    const pid = Number.parseInt(line, 10)
    if (pid > 0 && pid !== process.pid) throw inUse(path, pid)
  }
}

function inUse(path: string, pid: number): Error {
  return new Error(`Cannot open the store: directory "${path}" is in use by process ${pid}`)
}

function readContent(database: Database, path: string): StoreContent {
  const stored = database.get(storeKey)
  if (stored === undefined) return emptyContent
  const found = JSON.parse(stored.text).format
  if (found !== format) throw new Error(`Cannot open the store: directory "${path}" has format ${found}, this version reads ${format}`)
  const records: StoredRecord[] = []
  let isSorted = true
  let last = ''
  for (const { key: keyBytes, value } of database.getRange({ start: recordsStart, end: recordsEnd })) {
    const key = keyBytes.toString('utf8', 1)
    records.push({ key, revision: value.revision, createRevision: value.createRevision, text: value.text, memo: undefined })
    isSorted &&= last <= key
    last = key
  }
  // UTF-8 and UTF-16 order differently beyond the basic plane.
  if (!isSorted) records.sort((a, b) => (a.key < b.key ? -1 : 1))
  return { revision: stored.revision, records }
}

class LmdbJournal implements Journal {
  readonly #database: Database
  readonly #directory: string
  #revision: number
  #leftToThread = 0
  #broken: unknown

  constructor(database: Database, revision: number, directory: string) {
    this.#database = database
    this.#revision = revision
    this.#directory = directory
  }

  /** The requests of one turn of the event loop go together. */
  gather(): Promise<void> {
    return new Promise((resolve) => void realClock.after(0, resolve))
  }

  commit(changes: readonly StoreEvent[]): Promise<void> | undefined {
    if (this.#broken !== undefined) throw this.#broken
    if (this.#leftToThread === 0 && isSmall(changes)) return this.#commitInPlace(changes)
    this.#leftToThread = Math.max(0, this.#leftToThread - 1)
    return this.#commitInThread(changes)
  }

  #commitInPlace(changes: readonly StoreEvent[]): undefined {
    const database = this.#database
    const start = realClock.now()
    try {
      database.transactionSync(() => {
        for (const { type, record } of changes) {
          if (type === 'put') database.putSync(rowKey(record), record)
          else database.removeSync(rowKey(record))
        }
        database.putSync(storeKey, storeRow(changes))
      })
    } catch (error) {
      this.#checkUnchanged(error)
      throw error
    }
    this.#revision = lastRevision(changes)
    const tookMs = realClock.now() - start
    if (tookMs > slowMs) this.#leftToThread = tookMs * commitsAfterSlowMs
  }

  async #commitInThread(changes: readonly StoreEvent[]): Promise<void> {
    const database = this.#database
    try {
      await database.batch(() => {
        for (const { type, record } of changes) {
          leave(type === 'put' ? database.put(rowKey(record), record) : database.remove(rowKey(record)))
        }
        leave(database.put(storeKey, storeRow(changes)))
      })
    } catch (error) {
      const cause = await causeOf(error)
      this.#checkUnchanged(cause)
      throw cause
    }
    this.#revision = lastRevision(changes)
  }

  /** A disk that failed at the very end may have kept the group all the same. Nothing can then be built on either state. */
  #checkUnchanged(cause: unknown): void {
    if ((this.#database.get(storeKey)?.revision ?? emptyContent.revision) === this.#revision) return
    this.#broken = new Error('an earlier commit failed half way; the store must be opened anew', { cause })
  }

  async close(): Promise<void> {
    await this.#database.close()
    openPaths.delete(this.#directory)
  }
}

function isSmall(changes: readonly StoreEvent[]): boolean {
  if (changes.length > inPlaceChanges) return false
  let characters = 0
  for (const { record } of changes) characters += record.text.length
  return characters <= inPlaceCharacters
}

function rowKey({ key }: StoredRecord): Buffer {
  return Buffer.from(`r${key}`)
}

function lastRevision(changes: readonly StoreEvent[]): number {
  return changes.at(-1)!.record.revision
}

function storeRow(changes: readonly StoreEvent[]): Row {
  return { revision: lastRevision(changes), createRevision: 1, text: storeText }
}

/** Each write of a transaction fails with it. The transaction's own promise is the one that is awaited. */
function leave(write: Promise<boolean>): void {
  write.catch(() => {})
}

/** LMDB's error says only that there was one; why, is a promise in it. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<never> }
  if (commitError === undefined) return error
  return commitError.catch((cause: unknown) => cause)
}
