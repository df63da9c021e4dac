// Converts objects to drafts for the store.
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Draft, StoredRecord } from '../../store/store.ts'
import { Entry } from './entry.ts'
import { type Scope, storedEntry } from './scope.ts'
import { orderMetadata, serializeUnstored } from './serialization.ts'
import type { NewObject } from './write-steps.ts'

/** The caller must not change the object afterwards. */
export function draftOf(scope: Scope, kind: Kind, object: NewObject): Draft {
  const stored = withOrderedMetadata(kind.storedForm?.toStored(object) ?? object)
  return { source: new Entry(kind.storedForm?.kind ?? kind, scope.parsed, undefined, stored) }
}

/** The last state of an object that is deleted, for its watchers. */
export function lastDraftOf(scope: Scope, kind: Kind, record: StoredRecord): Draft {
  return storedEntry(scope, kind, record).lastDraft()
}

/** A response that is not stored, such as that of a dry run. */
export function unstoredEntry(scope: Scope, kind: Kind, object: NewObject, resourceVersion?: string): Entry {
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
