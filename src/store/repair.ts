import fs from 'node:fs'
import { join } from 'node:path'
import { claimDirectory } from './directory-lock.ts'
import { foreignStore } from './durable-store.ts'
import { headName } from './head-file.ts'
import { ForeignStoreError, type Inspection, inspectStore } from './recovery.ts'
import { writeContent } from './restore.ts'
import { filesOf } from './store-files.ts'

// Verifies and repairs a store that is not in use.

interface RepairResult {
  readonly found: Inspection
  /** The directory with the files as they were. Absent: nothing was damaged, and nothing was changed. */
  readonly backup?: string
}

export function verifyStore(path: string): Promise<Inspection> {
  return withDirectory(path, (directory) => inspect(directory, path))
}

/**
 * Keeps the state before the first damage of the journal, and every readable object of a damaged snapshot. The next revision is greater
 * than every revision that was ever used. An interrupted repair changes nothing and can be repeated.
 */
export function repairStore(path: string): Promise<RepairResult> {
  return withDirectory(path, async (directory) => {
    const found = await inspect(directory, path)
    if (found.damages.length === 0) return { found }
    const files = filesOf(directory)
    const old = files.list().filter((name) => name === headName || storeFile.test(name))
    const backup = newBackup(directory)
    for (const name of old) fs.copyFileSync(join(directory, name), join(backup, name))
    const number = 1 + Math.max(0, ...old.flatMap((name) => storeFile.exec(name)?.[2] ?? []).map(Number))
    const records = [...found.records.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    await writeContent(files, number, { revision: found.newestRevision, records })
    for (const name of old) if (name !== headName) files.remove(name)
    await files.syncNames()
    return { found, backup: join(path, backup.slice(directory.length + 1)) }
  })
}

const storeFile = /^(journal|snapshot)-(\d{8,})$/

async function withDirectory<T>(path: string, run: (directory: string) => Promise<T>): Promise<T> {
  const found = fs.statSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) throw new Error(`Cannot read the store: there is no directory "${path}"`)
  const directory = fs.realpathSync(path)
  const release = claimDirectory(directory, path)
  try {
    return await run(directory)
  } finally {
    release()
  }
}

async function inspect(directory: string, path: string): Promise<Inspection> {
  try {
    return await inspectStore(filesOf(directory))
  } catch (error) {
    throw error instanceof ForeignStoreError ? foreignStore(path, error) : error
  }
}

function newBackup(directory: string): string {
  for (let number = 1; ; number++) {
    const path = join(directory, `damaged-${number}`)
    if (fs.existsSync(path)) continue
    fs.mkdirSync(path, { mode: 0o700 })
    return path
  }
}
