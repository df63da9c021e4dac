// Converts objects to drafts for the store.
// Ours: how objects become drafts of the store.
import { apiVersionOf, type Conversion, type Kind } from '../../api/machinery/kind.ts'
import { tooManyRequestsError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Draft, StoredRecord } from '../../store/store.ts'
import { convertedDraft, convertRecords } from './conversion.ts'
import { Entry } from './entry.ts'
import { entryOf, type Storage, storedEntry } from './scope.ts'
import { orderMetadata, serializeUnstored } from './serialization.ts'
import { checkStoredSize } from './stored-size.ts'
import type { NewObject } from './write-steps.ts'

/** The caller must not change the object afterwards. */
function draftOf(scope: Storage, kind: Kind, object: NewObject): Draft {
  const stored = withOrderedMetadata(kind.storedForm?.toStored(object) ?? object)
  return { source: new Entry(kind.storedForm?.kind ?? kind, scope.parsed, undefined, stored) }
}

/** Stores the object, which the caller must not change afterwards. Rejects with a RevisionConflictError, or where it is too large. */
export function storeObject(scope: Storage, kind: Kind, key: string, revision: number, object: NewObject): Promise<StoredRecord> {
  checkStoredSize(kind, object)
  if (kind.conversion !== undefined) return storeConverted(scope, kind, kind.conversion, key, revision, object)
  return scope.store.put(key, revision, draftOf(scope, kind, object))
}

async function storeConverted(scope: Storage, kind: Kind, conversion: Conversion, key: string, revision: number, object: NewObject) {
  const draft = await convertedDraft(scope, kind, conversion, object)
  // A record counts as stored in the version of its revision, which may be another one now.
  if (!conversion.isCurrent) throw tooManyRequestsError(`the definition of ${kind.kind} has changed, please try again`, 1)
  const stored = await scope.store.put(key, revision, draft)
  await convertRecords(scope, kind, [stored])
  return stored
}

/** Removes the object; its last state goes to its watchers. Rejects with a RevisionConflictError. */
export function removeObject(scope: Storage, kind: Kind, record: StoredRecord): Promise<StoredRecord> {
  if (kind.conversion !== undefined) return removeConverted(scope, kind, kind.conversion, record)
  return scope.store.remove(record.key, record.revision, storedEntry(scope, kind, record).lastDraft())
}

/** A record counts as stored in the version of its revision, also that of a deletion. */
async function removeConverted(scope: Storage, kind: Kind, { storageKind }: Conversion, record: StoredRecord) {
  await convertRecords(scope, storageKind, [record])
  const removed = await scope.store.remove(record.key, record.revision, entryOf(scope, storageKind, record).lastDraft())
  await convertRecords(scope, kind, [removed])
  return removed
}

/** A response that is not stored, such as that of a dry run. */
export function unstoredEntry(scope: Storage, kind: Kind, object: NewObject, resourceVersion?: string): Entry {
  const { resourceVersion: _, ...metadata } = orderMetadata(object.metadata)
  const shown = {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    ...object,
    metadata: resourceVersion ? { ...metadata, resourceVersion } : metadata,
  }
  return new Entry(kind, scope.parsed, serializeUnstored(shown, resourceVersion), shown)
}

function withOrderedMetadata(object: KubernetesObject): KubernetesObject {
  return { ...object, metadata: orderMetadata(object.metadata ?? {}) }
}
