import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { planRefusal } from './database-file.ts'
import { checkUsable } from './usable-files.ts'

// One process at a time uses a store's directory. An empty database in it serves as the lock, as LMDB lists the processes that
// have it open, and asks the kernel which of them still live: a killed process holds nothing. The store's own database cannot
// serve, as it is closed most of the time.

/** The directories that this process has open: LMDB would share them silently. */
const openDirectories = new Set<string>()

/** Throws when the directory is in use. `path` is the directory's name in messages. Call what is returned to let it go. */
export function claimDirectory(path: string): () => Promise<void> {
  const directory = realpathSync(path)
  if (openDirectories.has(directory)) throw inUse(path, process.pid)
  checkUsable(directory, path, ['users.mdb', 'users.mdb-lock'])
  const file = join(directory, 'users.mdb')
  if (planRefusal(file) !== undefined) throw new Error(`Cannot open the store: file "${join(path, 'users.mdb')}" is damaged; delete it`)
  openDirectories.add(directory)
  let lock: RootDatabase | undefined
  const release = async () => {
    await lock?.close()
    openDirectories.delete(directory)
  }
  try {
    lock = open({ path: file, noSubdir: true, encoding: 'binary', cache: false, overlappingSync: false, eventTurnBatching: false })
    checkSoleUser(lock, path)
  } catch (error) {
    void release()
    throw error
  }
  return release
}

/** Whoever opens reads first and looks afterwards, so of two at the same time at least one sees the other. */
export function checkSoleUser(database: Pick<RootDatabase, 'get' | 'readerCheck' | 'readerList'>, path: string): void {
  database.get(Buffer.from('any'))
  database.readerCheck()
  for (const line of database.readerList().split('\n').slice(1)) {
    const pid = Number.parseInt(line, 10)
    if (pid > 0 && pid !== process.pid) throw inUse(path, pid)
  }
}

function inUse(path: string, pid: number): Error {
  return new Error(`Cannot open the store: directory "${path}" is in use by process ${pid}`)
}
