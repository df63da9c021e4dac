import { realpath } from 'node:fs/promises'
import { Database } from './database.ts'
import { type CheckpointOptions, DurableJournal, defaultCheckpoint } from './durable-journal.ts'
import { makeDirectory } from './make-directory.ts'
import { recover } from './recovery.ts'
import { RevisionStore, type StoreOptions } from './revision-store.ts'
import { claimDirectory } from './sole-use.ts'
import type { Store } from './store.ts'

// The durable engine. Its directory has
//   data.mdb            every record as of some revision: an LMDB database (database.ts)
//   journal-0, -1       every group of writes since (journal-format.ts); gone when the store was closed in order
//   users.mdb           the lock (sole-use.ts)
//
// A group is written to the end of the journal and is durable when the disk has it: one small write, where the database would
// take several pages for each record. Most objects are written again within a second; only what is left of them goes to the
// database, in the background. A small group is committed in place: handing it to another thread and back costs more than
// the 0.1 ms that it takes on a good disk, and several times more where the processors are busy. A large group, or any group
// once the disk was slow, is left to a thread, so that the event loop does not wait.

export interface LmdbStoreOptions extends StoreOptions {
  /** The store's directory. Made, readable by its owner only, when it is not there. */
  readonly path: string
  readonly checkpoint?: Partial<CheckpointOptions>
}

export async function openLmdbStore({ path, checkpoint, ...options }: LmdbStoreOptions): Promise<Store> {
  makeDirectory(path)
  const directory = await realpath(path)
  const release = claimDirectory(path)
  try {
    const limits = { ...defaultCheckpoint, ...checkpoint }
    const database = new Database(directory, path)
    const recovered = await recover(directory, path, database, limits.journalBytes)
    return new RevisionStore(new DurableJournal(directory, database, recovered, limits, release), recovered.content, options)
  } catch (error) {
    await release()
    throw error
  }
}
