import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { planRefusal } from './database-file.ts'
import { emptyContent, type StoreContent } from './revision-store.ts'
import { checkSoleUser } from './sole-use.ts'
import type { StoredRecord } from './store.ts'
import { TextRecord } from './text-record.ts'
import { checkUsable } from './usable-files.ts'

// The checkpoint: an LMDB database with the newest version of every record as of some revision. It is read when the store is
// opened, and written in the background. In between it is closed, as its pages would count as this process' memory.

/** A record without its key; under the key of the store itself: the newest revision, and what else is to be known. */
type Row = Pick<StoredRecord, 'revision' | 'createRevision' | 'text'>
type Rows = RootDatabase<Row, Buffer>

/** The newest version of each key that changed; undefined: it was removed. Older ones are not held by it. */
export type Changes = Map<string, StoredRecord | undefined>
type Change = readonly [key: string, record: StoredRecord | undefined]

const names = ['data.mdb', 'lock.mdb']

const storeKey = Buffer.from('meta')
const recordsStart = Buffer.from('r')
const recordsEnd = Buffer.from('s')

// 1: without a journal. 2: what is newer than the revision of the store's row is in the journal.
const formats = [1, 2]
const format = 2
const storeText = JSON.stringify({ format })

// What this thread does for one transaction takes some 1 ms; LMDB's own thread does the rest.
const transactionChanges = 512
const transactionCharacters = 2 ** 20
const roomBytes = transactionCharacters + 2 ** 18
const sortedChanges = 4096

// A row: the revision and the create revision as doubles, then the text in UTF-8.
const headerBytes = 16

class RowCodec {
  // The rows of one transaction, side by side: thousands of small buffers would leave the heap full of holes.
  #room: Buffer | undefined
  #used = 0

  /** The rows that were encoded are no longer needed. */
  restart(): void {
    this.#used = 0
  }

  encode({ revision, createRevision, text }: Row): Buffer {
    const bytes = this.#take(headerBytes + Buffer.byteLength(text))
    bytes.writeDoubleLE(revision, 0)
    bytes.writeDoubleLE(createRevision, 8)
    bytes.write(text, headerBytes)
    return bytes
  }

  /** `bytes` is LMDB's, and is used again for the next row: nothing of it may stay. */
  decode(bytes: Buffer, length = bytes.length): Row {
    return { revision: bytes.readDoubleLE(0), createRevision: bytes.readDoubleLE(8), text: bytes.toString('utf8', headerBytes, length) }
  }

  #take(length: number): Buffer {
    this.#room ??= Buffer.allocUnsafeSlow(roomBytes)
    const start = this.#used
    if (start + length > roomBytes) return Buffer.allocUnsafeSlow(length)
    this.#used += length
    return this.#room.subarray(start, start + length)
  }
}

export class Database {
  readonly #directory: string
  /** The directory's name in messages. */
  readonly #path: string
  /** As it was last read or written. */
  #revision: number | undefined

  constructor(directory: string, path: string) {
    this.#directory = directory
    this.#path = path
  }

  /** Everything that is in it. From here on no version without a journal opens it. */
  async read(): Promise<StoreContent> {
    checkUsable(this.#directory, this.#path, names)
    this.#checkFile()
    const rows = this.#open()
    try {
      checkSoleUser(rows, this.#path)
      const stored = rows.get(storeKey)
      const found = stored === undefined ? undefined : JSON.parse(stored.text).format
      if (found !== undefined && !formats.includes(found)) {
        throw new Error(`Cannot open the store: directory "${this.#path}" has format ${found}, this version reads ${formats.join(' and ')}`)
      }
      const content = stored === undefined ? emptyContent : { revision: stored.revision, records: readRecords(rows) }
      if (found !== format) rows.transactionSync(() => void rows.putSync(storeKey, storeRow(content.revision)))
      this.#revision = content.revision
      return content
    } finally {
      await rows.close()
    }
  }

  /**
   * Brings it to `revision`. The changes are all that came since the revision that it has.
   * They go in several transactions, of which the last one tells the revision: one that fails, or is never reached, leaves the
   * database as it was to anybody who makes the same changes again. False: there was no more time, as `isLate` said.
   */
  async write(changes: Changes, revision: number, isLate: () => boolean = () => false): Promise<boolean> {
    const all: Change[] = [...changes]
    checkUsable(this.#directory, this.#path, names)
    // LMDB would make a new one, with nothing in it but these changes.
    if (this.#revision !== undefined && !existsSync(join(this.#directory, 'data.mdb'))) throw this.#replaced()
    const codec = new RowCodec()
    let rows = this.#open(codec)
    let isOpen = true
    try {
      const found = rows.get(storeKey)?.revision ?? 0
      if (this.#revision !== undefined && (found < this.#revision || found > revision)) throw this.#replaced()
      if (all.length === 0) await commit(rows, [], revision)
      for (let start = 0; start < all.length; start += sortedChanges) {
        if (start > 0) {
          // Its pages count as this process' memory until it is closed: those of a large database are more than all else.
          isOpen = false
          await rows.close()
          if (!existsSync(join(this.#directory, 'data.mdb'))) throw this.#replaced()
          rows = this.#open(codec)
          isOpen = true
          if ((rows.get(storeKey)?.revision ?? 0) !== found) throw this.#replaced()
        }
        // Neighbours share pages.
        const sorted = all.slice(start, start + sortedChanges).sort(([a], [b]) => (a < b ? -1 : 1))
        for (let done = 0; done < sorted.length; ) {
          if (isLate()) return false
          codec.restart()
          const end = endOfTransaction(sorted, done)
          await commit(rows, sorted.slice(done, end), start + end === all.length ? revision : undefined)
          done = end
        }
      }
      this.#revision = revision
      return true
    } finally {
      if (isOpen) await rows.close()
    }
  }

  #checkFile(): void {
    const refusal = planRefusal(join(this.#directory, 'data.mdb'))
    if (refusal === undefined) return
    const file = `file "${join(this.#path, 'data.mdb')}"`
    if (refusal === 'no database') throw new Error(`Cannot open the store: ${file} is no database, or damaged`)
    throw new Error(
      `Cannot open the store: ${file} is shorter than it was written; restore the directory from a copy, or start with a new one`,
    )
  }

  #replaced(): Error {
    return new Error(`file "${join(this.#path, 'data.mdb')}" is no longer the one that was opened`)
  }

  #open(codec = new RowCodec()): Rows {
    // Without overlappingSync a transaction's promise waits for the disk.
    return open<Row, Buffer>({
      path: this.#directory,
      noSubdir: false,
      keyEncoding: 'binary',
      encoder: codec,
      cache: false,
      overlappingSync: false,
      // LMDB's own batches make a promise that nobody gets: on a full disk it would end the process.
      eventTurnBatching: false,
    })
  }
}

function readRecords(rows: Rows): StoredRecord[] {
  const records: StoredRecord[] = []
  let isSorted = true
  let last = ''
  for (const { key: keyBytes, value } of rows.getRange({ start: recordsStart, end: recordsEnd })) {
    const key = keyBytes.toString('utf8', 1)
    records.push(new TextRecord(key, value.revision, value.createRevision, value.text, undefined))
    isSorted &&= last <= key
    last = key
  }
  // UTF-8 and UTF-16 order differently beyond the basic plane.
  if (!isSorted) records.sort((a, b) => (a.key < b.key ? -1 : 1))
  return records
}

function endOfTransaction(changes: readonly Change[], start: number): number {
  let characters = 0
  let end = start
  while (end < changes.length && end - start < transactionChanges && characters < transactionCharacters) {
    characters += changes[end++]![1]?.text.length ?? 0
  }
  return end
}

async function commit(rows: Rows, changes: readonly Change[], revision: number | undefined): Promise<void> {
  try {
    await rows.batch(() => {
      for (const [key, record] of changes) leave(record === undefined ? rows.remove(rowKey(key)) : rows.put(rowKey(key), record))
      if (revision !== undefined) leave(rows.put(storeKey, storeRow(revision)))
    })
  } catch (error) {
    throw await causeOf(error)
  }
}

function rowKey(key: string): Buffer {
  return Buffer.from(`r${key}`)
}

function storeRow(revision: number): Row {
  return { revision, createRevision: 1, text: storeText }
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
