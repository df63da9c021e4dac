// delete: immediately, after a grace period, or when the last finalizer is removed.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.DeleteResource, DeleteCollection
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.Store.Delete, Store.updateForGracefulDeletionAndFinalizers
// Kubernetes: k8s.io/apiserver/pkg/registry/generic/registry.Store.DeleteCollection
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.BeforeDelete
import type { Kind } from '../../api/machinery/kind.ts'
import { conflictError, isStatusError, notFoundError, objectModified } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, ObjectMeta, Status, Writable } from '../../api/types.ts'
import { formatTime, parseTime } from '../../base/clock.ts'
import { RevisionConflictError, type StoredRecord } from '../../store/store.ts'
import { admitDelete } from './admission.ts'
import { admitByConfiguration } from './configured-admission.ts'
import { convertRecords, whenConverted } from './conversion.ts'
import { planFinalizers } from './deletion-finalizers.ts'
import { checkDeleteOptions } from './deletion-rules.ts'
import { removeObject, storeObject, unstoredEntry } from './draft.ts'
import type { Entry } from './entry.ts'
import { type EntryList, list } from './list.ts'
import { isUnchanged } from './object-changes.ts'
import type { DeleteQuery, DeleteResult, ListQuery } from './rest.ts'
import { entryOf, keyOf, type WriteScope } from './scope.ts'
import type { NewObject } from './write-steps.ts'

const maxTries = 1000

export async function deleteObject(
  scope: WriteScope,
  kind: Kind,
  namespace: string,
  name: string,
  query: DeleteQuery,
): Promise<DeleteResult> {
  checkDeleteOptions(query)
  const { behavior } = scope.pipelines.of(kind)
  if (behavior.markDeleted !== undefined) {
    const marked = await behavior.markDeleted(scope, name, query)
    if (marked !== undefined) return marked
  }
  const key = keyOf(kind, namespace, name)
  // As in ./write-pipeline.ts: a webhook may itself write the object.
  if (scope.admission.dynamic.isActive) return tryUntilDeleted(scope, kind, key, name, query)
  return scope.writes.run(key, () => tryUntilDeleted(scope, kind, key, name, query))
}

async function tryUntilDeleted(scope: WriteScope, kind: Kind, key: string, name: string, query: DeleteQuery): Promise<DeleteResult> {
  // The precondition applies to the caller's version, and not to the version that this request itself writes.
  let ownRevision: number | undefined
  for (let tries = 1; ; tries++) {
    const record = scope.store.get(key)
    if (record === undefined) throw notFoundError(kind, name)
    try {
      if (kind.conversion !== undefined) await convertRecords(scope, kind, [record])
      const entry = entryOf(scope, kind, record)
      if (record.revision !== ownRevision) checkPreconditions(kind, entry.object, query)
      admitDelete(scope, kind, name)
      if (scope.admission.dynamic.isActive && record.revision !== ownRevision)
        await admitByConfiguration(scope, query, {
          operation: 'DELETE',
          resource: kind,
          namespace: kind.namespaced ? (entry.object.metadata?.namespace ?? '') : '',
          name,
          oldObject: entry.object,
        })
      const step = planDeletion(scope, kind, entry.object, query)
      if (step.mark !== undefined) {
        if (isUnchanged(step.mark, entry.object)) return entry
        if (query.dryRun) return unstoredEntry(scope, kind, step.mark, String(record.revision))
        const marked = await storeObject(scope, kind, key, record.revision, step.mark)
        ownRevision = marked.revision
        if (!step.remove) return entryOf(scope, kind, marked)
        await scope.betweenWrites?.()
        continue
      }
      if (!step.remove) return resultOf(kind, entry)
      return await removeNow(scope, kind, record, entry, query)
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error
      if (tries === maxTries) throw conflictError(kind, name, objectModified)
    }
  }
}

async function removeNow(
  scope: WriteScope,
  kind: Kind,
  record: StoredRecord,
  entry: Entry,
  { dryRun }: DeleteQuery,
): Promise<DeleteResult> {
  if (dryRun) return resultOf(kind, entry)
  const removed = await removeObject(scope, kind, record)
  scope.pipelines.of(kind).behavior.changed?.()
  return resultOf(kind, entryOf(scope, kind, removed))
}

function resultOf(kind: Kind, entry: Entry): DeleteResult {
  if (kind.returnsDeletedObject) return entry
  const { name = '', uid = '' } = entry.object.metadata ?? {}
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(kind.group !== '' && { group: kind.group }), kind: kind.plural, uid },
  }
  return status
}

interface DeletionStep {
  /** The object with its deletionTimestamp. */
  readonly mark?: NewObject
  readonly remove: boolean
}

function planDeletion(scope: WriteScope, kind: Kind, current: KubernetesObject, query: DeleteQuery): DeletionStep {
  const nowMs = scope.clock.now()
  const grace = planGrace(kind, current, query.gracePeriodSeconds, nowMs)
  if (grace === 'pending') return { remove: false }
  const finalizers = planFinalizers(kind, current.metadata?.finalizers ?? [], query)
  const isHeld = finalizers.length > 0
  if (grace === undefined && !isHeld) return { remove: true }
  const metadata = { ...current.metadata } as Writable<ObjectMeta>
  if (isHeld) metadata.finalizers = [...finalizers]
  else delete metadata.finalizers
  if (!metadata.deletionTimestamp && (metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1
  if (grace !== undefined) Object.assign(metadata, grace)
  else {
    if (!metadata.deletionTimestamp || parseTime(metadata.deletionTimestamp) > nowMs) metadata.deletionTimestamp = formatTime(nowMs)
    metadata.deletionGracePeriodSeconds = 0
  }
  const mark = { ...current, metadata } as NewObject
  return { mark, remove: !isHeld && metadata.deletionGracePeriodSeconds === 0 }
}

interface Grace {
  readonly deletionTimestamp: string
  readonly deletionGracePeriodSeconds: number
}

/** Undefined: no grace period. 'pending': the object is terminating already, and this request does not shorten its grace period. */
function planGrace({ strategy }: Kind, current: KubernetesObject, asked: number | undefined, nowMs: number): Grace | 'pending' | undefined {
  if (strategy.graceSeconds === undefined) return undefined
  const { metadata = {} } = current
  const requested = asked !== undefined && asked < 0 ? 1 : asked
  if (metadata.deletionTimestamp) {
    const given = Math.max(metadata.deletionGracePeriodSeconds ?? 0, 0)
    if (given === 0) return undefined
    if (requested === undefined || requested >= given) return 'pending'
    const earlierMs = parseTime(metadata.deletionTimestamp) - durationMs(given - requested)
    if (earlierMs >= nowMs) return { deletionTimestamp: formatTime(earlierMs), deletionGracePeriodSeconds: requested }
    return { deletionTimestamp: formatTime(nowMs), deletionGracePeriodSeconds: requested === 0 ? 0 : 1 }
  }
  const seconds = strategy.graceSeconds(current, requested)
  if (seconds === undefined) return undefined
  return { deletionTimestamp: formatTime(nowMs + durationMs(seconds)), deletionGracePeriodSeconds: seconds }
}

/** As Go's `time.Duration`, which counts nanoseconds in 64 bits and wraps around: 2^53 seconds become 146 years. */
function durationMs(seconds: number): number {
  return Math.abs(seconds) < 2 ** 33 ? seconds * 1000 : Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n) / 1_000_000n)
}

function checkPreconditions(kind: Kind, { metadata }: KubernetesObject, { preconditions }: DeleteQuery): void {
  const about = { group: kind.group, plural: kind.kind }
  const { uid = '', resourceVersion = '', name = '' } = metadata ?? {}
  const refuse = (field: string, wanted: string, found: string, end: string) =>
    conflictError(
      about,
      name,
      `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${found}). The object might have been ${end}`,
    )
  if (preconditions?.uid !== undefined && preconditions.uid !== uid)
    throw refuse('UID', preconditions.uid, uid, 'deleted and then recreated')
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion)
    throw refuse('ResourceVersion', preconditions.resourceVersion, resourceVersion, 'modified')
}

/** Returns the objects as they were before. */
export async function deleteCollection(
  scope: WriteScope,
  kind: Kind,
  namespace: string,
  query: ListQuery,
  deletion: DeleteQuery,
): Promise<EntryList> {
  checkDeleteOptions(deletion)
  const found = await whenConverted(kind, () => list(scope, kind, namespace, query))
  await Promise.all(
    found.items.map(async ({ object: { metadata = {} } }) => {
      try {
        await deleteObject(scope, kind, metadata.namespace ?? '', metadata.name ?? '', deletion)
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error
      }
    }),
  )
  return found
}
