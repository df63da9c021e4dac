// What a cluster starts from: the objects of a snapshot as records of the store, with their uids, owners, statuses and resourceVersions. Each is
// decoded first, so that nothing is stored that the server could not have written.
import { kinds } from '../../api/kinds.ts'
import { decode } from '../../api/machinery/decode/decode.ts'
import { DecodeError } from '../../api/machinery/decode/decode-error.ts'
import type { KubernetesObject, ObjectMeta } from '../../api/types.ts'
import { isSimulated, ownNodeAnnotation } from '../../nodes/node-object.ts'
import { storageOf } from '../../server/rest/scope.ts'
import { orderMetadata, serializeUnstored } from '../../server/rest/serialization.ts'
import type { StoreContent } from '../../store/revision-store.ts'
import type { StoredRecord } from '../../store/store.ts'
import { readSnapshotFile, type SavedObject, type Snapshot, type SnapshotHead } from './snapshot-file.ts'

export interface RestoredContent {
  readonly head: SnapshotHead
  readonly content: StoreContent
  readonly timeMs: number
}

const storedKinds = new Map(kinds.filter(({ storedForm }) => storedForm === undefined).map((kind) => [storageOf(kind), kind] as const))

/** Reads a file of `rollcall save`. Throws an error that names it, and says what is wrong with it. */
export async function readRestoredContent(file: string): Promise<RestoredContent> {
  const snapshot = await readSnapshotFile(file)
  return restoredContent(snapshot, (line, what) => new Error(`Cannot read ${file} as a snapshot: line ${line}: ${what}`))
}

function restoredContent({ head, objects }: Snapshot, refuse: (line: number, what: string) => Error): RestoredContent {
  const revisions = new Set<number>()
  const records = new Map<string, StoredRecord>()
  for (const saved of objects) {
    const { key, createRevision, line } = saved
    const wrong = (what: string) => refuse(line, `${key} ${what}`)
    const object = decoded(saved, wrong)
    const metadata = object.metadata!
    const revision = Number(metadata.resourceVersion)
    if (!(Number.isSafeInteger(revision) && revision > 1 && revision <= head.revision))
      throw wrong(`has the resourceVersion ${JSON.stringify(metadata.resourceVersion)}, which is not one up to ${head.revision}`)
    if (createRevision > revision) throw wrong('has a createRevision after its resourceVersion')
    if (revisions.has(revision)) throw wrong(`has the resourceVersion ${revision} of another object`)
    if (records.has(key)) throw wrong('is there twice')
    if (!metadata.uid) throw wrong('has no uid')
    revisions.add(revision)
    // A node of another cluster has no kubelet here: a simulated one runs its pods.
    if (head.source === 'kubernetes' && key.startsWith('nodes/')) markAsSimulated(metadata)
    const value = serializeUnstored({ ...object, metadata: orderMetadata(metadata) }, String(revision))
    records.set(key, { key, revision, createRevision, value, memo: undefined })
  }
  return {
    head,
    content: { revision: head.revision, records: [...records.values()].sort((a, b) => (a.key < b.key ? -1 : 1)) },
    timeMs: Date.parse(head.time),
  }
}

function decoded({ key, object }: SavedObject, wrong: (what: string) => Error): KubernetesObject {
  const [storage = '', ...path] = key.split('/')
  const kind = storedKinds.get(storage)
  if (kind === undefined && !storage.includes('.')) throw wrong('is of a kind that this Rollcall does not have')
  let found: KubernetesObject
  try {
    // The schemas of custom resources are in the snapshot: they are read as they are, and checked when they are used.
    found = kind === undefined ? withMetadata(object) : decode<KubernetesObject>(kind.type, object).object
  } catch (error) {
    if (error instanceof DecodeError) throw wrong(`cannot be read: ${error.message}`)
    throw error
  }
  const { namespace, name } = found.metadata ?? {}
  const own = namespace ? [namespace, name] : [name]
  if (own.join('/') !== path.join('/')) throw wrong(`is the object ${own.join('/')}`)
  if (kind !== undefined && kind.namespaced !== Boolean(namespace))
    throw wrong(kind.namespaced ? 'has no namespace' : `has a namespace, and ${kind.plural} have none`)
  return found
}

const withMetadata = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: decode<ObjectMeta>('meta.ObjectMeta', object.metadata).object,
})

function markAsSimulated(metadata: ObjectMeta): void {
  const { annotations } = metadata
  if (!isSimulated(annotations)) Object.assign(metadata, { annotations: { ...annotations, [ownNodeAnnotation]: 'simulated' } })
}
