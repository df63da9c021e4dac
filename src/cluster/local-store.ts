// The data of a local cluster: its store in memory or on disk, perhaps filled from a snapshot, in a directory that git ignores.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isSimulated, type NodeSpec } from '../nodes/node-object.ts'
import { objectOf } from '../server/rest/entry.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { StoreContent } from '../store/revision-store.ts'
import type { Store, StoredRecord } from '../store/store.ts'
import { writePrivately } from './credentials/credentials.ts'

/** Without a path, in memory. Throws where a store on disk is to start from a content, and is not empty. */
export async function openLocalStore(path: string | undefined, content: StoreContent | undefined): Promise<Store> {
  if (path === undefined) return openMemoryStore(undefined, content)
  const { openDurableStore } = await import('../store/durable-store.ts')
  if (content !== undefined) {
    const { restoreStore } = await import('../store/restore.ts')
    await restoreStore(path, content)
  }
  return openDurableStore({ path })
}

/** The simulated nodes among these records; undefined where there are none. A node without a mark belongs to another program. */
export function simulatedNodes(records: readonly StoredRecord[]): NodeSpec[] | undefined {
  const own = records.flatMap((record) => {
    if (!record.key.startsWith('nodes/')) return []
    const { name = '', annotations } = objectOf(record).metadata ?? {}
    return isSimulated(annotations) ? [{ name }] : []
  })
  return own.length === 0 ? undefined : own
}

/** Why the store takes no writes. Undefined: it does. */
export function writeProblem(store: Store): string | undefined {
  const health = store.health()
  return health.canWrite ? undefined : health.reason
}

/** The data directory often lies inside a project, and its keys must not be committed by accident. */
export function keepOutOfGit(dataDir: string): void {
  const path = join(dataDir, '.gitignore')
  if (!existsSync(path)) writePrivately(path, '*\n')
}
