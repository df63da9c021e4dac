// Fills a store that is not in use with the content of another one.
import { realpathSync } from 'node:fs'
import { claimDirectory } from './directory-lock.ts'
import { createHead } from './head-file.ts'
import { createJournal } from './journal-file.ts'
import { makeDirectory } from './make-directory.ts'
import { inspectStore } from './recovery.ts'
import type { StoreContent } from './revision-store.ts'
import { writeSnapshot } from './snapshot-file.ts'
import { filesOf, type StoreFiles } from './store-files.ts'

/** Creates the directory where it is missing. Until the last step the store stays empty, so that an interrupted restore can be repeated. */
export async function restoreStore(path: string, content: StoreContent): Promise<void> {
  makeDirectory(path)
  const directory = realpathSync(path)
  const release = claimDirectory(directory, path)
  try {
    const files = filesOf(directory)
    const { newestRevision, damages, current } = await inspectStore(files)
    if (newestRevision > 1 || damages.length > 0) throw new Error(`Cannot restore: the store in "${path}" is not empty`)
    await writeContent(files, (current?.header.number ?? 0) + 1, content)
  } finally {
    release()
  }
}

/** From the snapshot on, files with lower numbers are no longer read. */
export async function writeContent(files: StoreFiles, number: number, content: StoreContent): Promise<void> {
  await createJournal(files, number)
  await writeSnapshot(files, number, content)
  await createHead(files, { revision: content.revision, journal: number })
}
