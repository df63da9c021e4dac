// The objects of a cluster for `rollcall save`: over HTTP from one that runs, or from the files of one that is stopped.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kubernetesVersion } from '../../api/machinery/generated/kubernetes.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import { formatMicroTime, realClock } from '../../base/clock.ts'
import { verifyStore } from '../../store/repair.ts'
import { markFile } from '../time/cluster-time.ts'
import { rollcallVersion } from '../version.ts'
import { readOtherCluster } from './read-other-cluster.ts'
import type { SavedObject, SnapshotHead } from './snapshot-file.ts'
import { type SnapshotPage, type SnapshotPageRequest, savedObjectOf, snapshotPath } from './snapshot-paths.ts'

export interface ReadSnapshot {
  readonly head: Omit<SnapshotHead, 'format'>
  /** In pages. */
  readonly objects: AsyncIterable<readonly SavedObject[]> | Iterable<readonly SavedObject[]>
  readonly leftOut: readonly string[]
}

/** The part of a transport that is used. */
interface Transport {
  sendForJson<T>(request: { readonly method: 'GET' | 'POST'; readonly path: string; body?(): string }): Promise<T>
}

const ownHead = { rollcall: rollcallVersion, kubernetes: kubernetesVersion, source: 'rollcall' } as const

/** Of any cluster: one of `rollcall up` is read as of one revision, others through their lists. */
export async function readRunningCluster(transport: Transport): Promise<ReadSnapshot> {
  const page = (request: SnapshotPageRequest) =>
    transport.sendForJson<SnapshotPage>({ method: 'POST', path: snapshotPath, body: () => JSON.stringify(request) })
  let first: SnapshotPage
  try {
    first = await page({})
  } catch (error) {
    // Other API servers do not have the path, and ask for a permission that few users have.
    if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Forbidden') && !isStatusError(error, 'MethodNotAllowed')) throw error
    const { kubernetes, revision, objects, leftOut } = await readOtherCluster(transport)
    const time = formatMicroTime(realClock.now())
    return { head: { rollcall: rollcallVersion, kubernetes, source: 'kubernetes', time, revision }, objects: [objects], leftOut }
  }
  const { revision, time } = first
  return { head: { ...ownHead, time, revision }, objects: pages(), leftOut: [] }

  async function* pages() {
    for (let one = first; ; ) {
      yield one.objects
      const after = one.objects.at(-1)?.key
      if (!one.isCut || after === undefined) return
      one = await page({ after, revision })
    }
  }
}

/** Undefined where the data directory has no store. Throws where a process uses it. */
export async function readStoppedCluster(dataDir: string): Promise<ReadSnapshot | undefined> {
  const path = join(dataDir, 'store')
  if (!existsSync(path)) return undefined
  const { records, revision, damages } = await verifyStore(path)
  if (damages.length > 0) throw new Error(`Cannot save ${path}: it is damaged. rollcall store verify ${path} reports what is affected`)
  const objects = [...records.values()].map(savedObjectOf).sort((a, b) => (a.key < b.key ? -1 : 1))
  return { head: { ...ownHead, time: timeOf(dataDir), revision }, objects: [objects], leftOut: [] }
}

/** Clusters with a time of their own keep it; the others ended at some time before now. */
function timeOf(dataDir: string): string {
  const mark = join(dataDir, markFile)
  return existsSync(mark) ? readFileSync(mark, 'utf8').trim() : formatMicroTime(realClock.now())
}
