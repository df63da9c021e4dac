import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Changes, Database } from './database.ts'
import { JournalFile } from './journal-file.ts'
import { decodeChanges, decodeHeader, type FoundGroups, findGroups, type JournalHeader } from './journal-format.ts'
import type { StoreContent } from './revision-store.ts'
import type { StoredRecord } from './store.ts'
import { checkFile } from './usable-files.ts'

// What is in the store's directory, put together: the database, and on top of it what the journal has since.

export const journalNames = ['journal-0', 'journal-1'] as const

export interface Recovered {
  readonly content: StoreContent
  /** The file to append to, and the other one. */
  readonly current: JournalFile
  readonly other: JournalFile
  /** What `current` has and the database has not. */
  readonly changes: Changes
  /** The same of `other`, when the process was killed in the middle of a checkpoint. Undefined: that file is free. */
  readonly unwritten: Unwritten | undefined
}

export interface Unwritten {
  readonly changes: Changes
  /** Of the last one. */
  readonly revision: number
}

interface FoundFile {
  readonly name: string
  readonly bytes: Buffer
  readonly header: JournalHeader | undefined
  readonly found: FoundGroups
}

const nothing: FoundGroups = { groups: [], end: 0, isDamaged: false }

export async function recover(directory: string, path: string, database: Database, journalBytes: number): Promise<Recovered> {
  const checkpoint = await database.read()
  const refuse = (name: string, state: string) =>
    new Error(
      `Cannot open the store: file "${join(path, name)}" ${state}; restore the directory from a copy, or move its journal files away to go on from revision ${checkpoint.revision} without what came later`,
    )
  for (const name of journalNames) checkFile(directory, path, name)
  const [older, newer] = await readFiles(directory, refuse)

  let { revision } = checkpoint
  const replay = ({ name, bytes, found }: FoundFile) => {
    const changes: Changes = new Map()
    for (const group of found.groups) {
      if (group.lastRevision <= revision) continue
      if (group.firstRevision !== revision + 1)
        throw refuse(name, `begins after revision ${group.firstRevision - 1}, and ${revision + 1} is missing`)
      for (const { type, record } of decodeChanges(bytes, group)) changes.set(record.key, type === 'put' ? record : undefined)
      revision = group.lastRevision
    }
    return changes
  }
  const first = replay(older)
  const firstRevision = revision
  const second = replay(newer)
  const records = withChanges(withChanges(checkpoint.records, first), second)
  // Where somebody took the journal away, an unfinished checkpoint may have left records that are newer than itself.
  const content = { revision: records.reduce((newest, record) => Math.max(newest, record.revision), revision), records }
  const files = await openFiles(directory, older, newer)
  try {
    // A killed process may have left what it wrote on its way to the disk.
    if (first.size > 0) await files.other.sync()
    if (second.size > 0) await files.current.sync()
    if (second.size === 0) await files.current.begin((newer.header?.generation ?? 0) + 1, journalBytes)
    if (newer.header === undefined || older.header === undefined) await syncDirectory(directory)
    if (content.revision > revision) await database.write(new Map(), content.revision)
  } catch (error) {
    await Promise.all([files.current.close(), files.other.close()])
    throw error
  }
  return { content, ...files, changes: second, unwritten: first.size > 0 ? { changes: first, revision: firstRevision } : undefined }
}

/** All that the journal had is in the database: the next start needs no more than that. */
export async function removeFiles(directory: string): Promise<void> {
  for (const name of journalNames) await rm(join(directory, name), { force: true })
}

/** The file that was begun last is the second one. */
async function readFiles(directory: string, refuse: (name: string, state: string) => Error): Promise<[FoundFile, FoundFile]> {
  const files: FoundFile[] = []
  for (const name of journalNames) {
    const bytes = await readFile(join(directory, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return Buffer.alloc(0)
      throw error
    })
    const header = decodeHeader(bytes)
    if (header === 'damaged') throw refuse(name, 'is no journal, or damaged at its start')
    if (header === 'unused') {
      files.push({ name, bytes, header: undefined, found: nothing })
      continue
    }
    const found = findGroups(bytes, header)
    if (found.isDamaged) throw refuse(name, `is damaged at byte ${found.end}, with whole writes behind it`)
    files.push({ name, bytes, header, found })
  }
  const [a, b] = files as [FoundFile, FoundFile]
  return (a.header?.generation ?? 0) > (b.header?.generation ?? 0) ? [b, a] : [a, b]
}

async function openFiles(directory: string, older: FoundFile, newer: FoundFile): Promise<{ other: JournalFile; current: JournalFile }> {
  const other = await JournalFile.open(join(directory, older.name), older.header)
  try {
    return { other, current: await JournalFile.open(join(directory, newer.name), newer.header, newer.header && newer.found.end) }
  } catch (error) {
    await other.close()
    throw error
  }
}

/** That the files have names must be on the disk as well. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory).catch(() => undefined)
  // Some systems open no directories, and need not be told.
  await handle?.sync().catch(() => {})
  await handle?.close()
}

function withChanges(records: readonly StoredRecord[], changes: Changes): readonly StoredRecord[] {
  if (changes.size === 0) return records
  const changed = records.filter(({ key }) => !changes.has(key))
  for (const record of changes.values()) if (record !== undefined) changed.push(record)
  return changed.sort((a, b) => (a.key < b.key ? -1 : 1))
}
