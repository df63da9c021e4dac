import { mkdir, realpath } from 'node:fs/promises'
import { open, type RootDatabase } from 'lmdb'
import { emptyContent, type Journal, RevisionStore, type StoreContent, type StoreOptions } from './revision-store.ts'
import type { Store, StoredRecord, StoreEvent } from './store.ts'

// The durable engine. LMDB holds the newest version of every record and the revision of the last write, which is written in
// the same transaction; it is read once, when the store is opened, and after that only written.
//
// A group is one asynchronous transaction: LMDB's own thread writes the pages, waits for the disk and then turns the root
// over, so a killed process leaves the state before or after a group, and the event loop never waits for a disk.

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
    // Without overlappingSync a transaction's promise waits for the disk.
    database = open<Row, Buffer>({
      path: directory,
      noSubdir: false,
      keyEncoding: 'binary',
      encoder: rowCodec,
      cache: false,
      overlappingSync: false,
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
  #broken: unknown

  constructor(database: Database, revision: number, directory: string) {
    this.#database = database
    this.#revision = revision
    this.#directory = directory
  }

  async commit(changes: readonly StoreEvent[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken
    const database = this.#database
    const revision = changes.at(-1)!.record.revision
    try {
      await database.batch(() => {
        for (const { type, record } of changes) {
          const key = Buffer.from(`r${record.key}`)
          leave(type === 'put' ? database.put(key, record) : database.remove(key))
        }
        leave(database.put(storeKey, { revision, createRevision: 1, text: storeText }))
      })
    } catch (error) {
      const cause = await causeOf(error)
      // A disk that failed at the very end may have kept the group all the same. Nothing can then be built on either state.
      if ((database.get(storeKey)?.revision ?? emptyContent.revision) !== this.#revision) {
        this.#broken = new Error('an earlier commit failed half way; the store must be opened anew', { cause })
      }
      throw cause
    }
    this.#revision = revision
  }

  async close(): Promise<void> {
    await this.#database.close()
    openPaths.delete(this.#directory)
  }
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
