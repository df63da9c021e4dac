import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { claimDirectory } from './directory-lock.ts'
import { type DurabilityOptions, DurableJournal, defaultDurability } from './durable-journal.ts'
import { createHead, HeadFile } from './head-file.ts'
import { createJournal, JournalFile, journalName } from './journal-file.ts'
import { makeDirectory } from './make-directory.ts'
import { describeDamage, ForeignStoreError, type Inspection, inspectStore } from './recovery.ts'
import { Reserve } from './reserve.ts'
import { RevisionStore, type StoreOptions } from './revision-store.ts'
import type { Store, StoredRecord } from './store.ts'
import { filesOf, type StoreFiles } from './store-files.ts'

// The durable engine: all records in memory, and files that bring them back. Its directory has
//   snapshot-N   every record as of the beginning of journal N (snapshot-file.ts); absent in a young store
//   journal-N …  every group of writes since (journal-file.ts)
//   head         the high-water mark (head-file.ts)
//   reserve      room for deletions on a full disk (reserve.ts)
//   lock-N       the process that uses the directory (directory-lock.ts)
//
// Guarantees
// - A write is acknowledged when the disk has it (fdatasync), and from then on no crash of the process or the machine loses it.
// - Everything that is read back has a checksum. A torn group at the end of the journal, which was never acknowledged, is dropped with a warning.
//   Damage anywhere else is an error, and no file is changed; see repair.ts.
// - A journal that was cut is detected by its length, and one that lacks writes by the high-water mark.
// Caveats
// - Sectors of the last group that are replaced by zeros, and an old backup of the whole directory, cannot be distinguished from a
//   crash. The high-water mark is about a second old while there are writes, and exact after the store was closed.

interface DurableStoreOptions extends StoreOptions {
  /** The store's directory. When missing, it is created, accessible to its owner only. */
  readonly path: string
  readonly durability?: Partial<DurabilityOptions>
}

export async function openDurableStore({ path, durability, ...options }: DurableStoreOptions): Promise<Store> {
  let release: (() => void) | undefined
  try {
    makeDirectory(path)
    const directory = await realpath(path)
    release = claimDirectory(directory, path)
    return await openOnFiles(filesOf(directory), path, { ...defaultDurability, ...durability }, release, options)
  } catch (error) {
    release?.()
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new Error(`Cannot open the store in "${path}": ${(error as Error).message}`, { cause: error })
  }
}

/** `release` is called when the store is closed, and not when it cannot be opened. */
export async function openOnFiles(
  files: StoreFiles,
  path: string,
  durability: DurabilityOptions,
  release: () => void,
  options: StoreOptions = {},
): Promise<Store> {
  const found = await inspectStore(files).catch((error: unknown) => {
    if (error instanceof ForeignStoreError) throw foreignStore(path, error)
    throw error
  })
  const [damage] = found.damages
  if (damage !== undefined) throw damagedStore(path, describeDamage({ ...damage, file: join(path, damage.file) }))
  for (const name of found.leftovers) files.remove(name)
  const reserve = new Reserve(files)
  for (const { header, position } of found.torn) {
    if (header.number !== found.current?.header.number) await (await JournalFile.open(files, header, position)).close()
    process.emitWarning(
      `The last group of "${join(path, journalName(header.number))}" was torn by a crash before it was acknowledged, and is dropped`,
    )
  }
  const current = await openCurrent(files, found)
  if (!found.hasHead) await createHead(files, { revision: found.revision, journal: current.header.number })
  const head = await HeadFile.open(files)
  const { revision, snapshotBytes } = found
  const journal = new DurableJournal({ ...durability, files, current, head, reserve, revision, snapshotBytes, release })
  return new RevisionStore(journal, { revision, records: inOrder(found.records) }, options)
}

async function openCurrent(files: StoreFiles, { current }: Inspection): Promise<JournalFile> {
  if (current !== undefined) return JournalFile.open(files, current.header, current.position)
  return JournalFile.open(files, await createJournal(files, 1))
}

function inOrder(records: ReadonlyMap<string, StoredRecord>): StoredRecord[] {
  return [...records.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

function damagedStore(path: string, damage: string): Error {
  return new Error(
    `Cannot open the store: ${damage}; "rollcall store verify ${path}" reports what is affected, and "rollcall store repair --drop-damaged ${path}" drops it`,
  )
}

export function foreignStore(path: string, { message }: ForeignStoreError): Error {
  return new Error(`Cannot open the store: directory "${path}" ${message}; choose another data directory, or delete this one`)
}
