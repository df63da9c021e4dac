// Objects on their way into the store.
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Draft, StoredRecord } from '../../store/store.ts'
import { Entry } from './entry.ts'
import { type Scope, storedEntry } from './scope.ts'
import { orderMetadata, serialiseUnstored } from './serialise.ts'
import type { NewObject } from './write-steps.ts'

/** The object belongs to the draft from now on. */
export function draftOf(scope: Scope, kind: Kind, object: NewObject, isNew = false): Draft {
  const stored = shared(scope, kind, ordered(kind.storedForm?.toStored(object) ?? object), isNew)
  return { source: new Entry(kind.storedForm?.kind ?? kind, scope.parsed, undefined, stored) }
}

/** What watchers are shown of an object that goes: its last state. */
export function lastDraftOf(scope: Scope, kind: Kind, record: StoredRecord): Draft {
  return storedEntry(scope, kind, record).lastDraft()
}

/** An answer that is not stored: that of a dry run. */
export function unstoredAnswer(scope: Scope, kind: Kind, object: NewObject, resourceVersion?: string): Entry {
  const { resourceVersion: _, ...metadata } = orderMetadata(object.metadata)
  const shown = {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    ...object,
    metadata: resourceVersion ? { ...metadata, resourceVersion } : metadata,
  }
  return new Entry(kind, scope.parsed, serialiseUnstored(shown, resourceVersion), shown)
}

const ownerOf = ({ metadata }: KubernetesObject) => metadata?.ownerReferences?.[0]?.uid ?? metadata?.namespace ?? ''

function ordered(object: KubernetesObject): KubernetesObject {
  return { ...object, metadata: orderMetadata(object.metadata ?? {}) }
}

/**
 * With the parts of the last one that was like it: as many pods as there may be of one template, its parts are held once.
 * What takes the place of another has most of its parts from there already, all but those of its status.
 */
function shared(scope: Scope, kind: Kind, object: WithStatus, isNew: boolean): KubernetesObject {
  const { metadata, status } = object
  if (kind.hasFewEqualParts || !(scope.sharesChanged || isNew)) return object
  const owner = ownerOf(object)
  if (!isNew) {
    if (status === undefined) return object
    const known = scope.sharing.share(`${kind.plural} ${owner} status ${status.phase ?? ''}`, status) as WithStatus['status']
    return known === status ? object : ({ ...object, status: known } as WithStatus)
  }
  const parts = scope.sharing.share(`${kind.plural} ${owner}`, object) as KubernetesObject
  // The metadata stays its own: the store will write the revision into it.
  return parts.metadata === metadata ? parts : { ...parts, metadata: { ...parts.metadata } }
}

type WithStatus = KubernetesObject & { readonly status?: { readonly phase?: string } }
