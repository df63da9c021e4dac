// A change that the server itself makes to a stored object: it is decoded and stored without the other steps of the pipeline.
// Kubernetes: k8s.io/apiserver/pkg/storage.Interface
import { decode } from '../../api/machinery/decode/decode.ts'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { conflictError, notFoundError, objectModified } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { RevisionConflictError } from '../../store/store.ts'
import { convertRecords } from './conversion.ts'
import { storeObject, unstoredEntry } from './draft.ts'
import type { Entry } from './entry.ts'
import { isUnchanged } from './object-changes.ts'
import { type ChangeScope, entryOf, keyOf } from './scope.ts'
import type { NewObject } from './write-steps.ts'

const maxTries = 1000

/** `change` returns a new object or throws a refusal; it is called again after a conflict with another writer. */
export function changeStored(
  scope: ChangeScope,
  kind: Kind,
  namespace: string,
  name: string,
  dryRun: boolean | undefined,
  change: (current: KubernetesObject) => KubernetesObject,
): Promise<Entry> {
  const key = keyOf(kind, namespace, name)
  return scope.writes.run(key, () => tryUntilStored(scope, kind, key, name, dryRun, change))
}

async function tryUntilStored(
  scope: ChangeScope,
  kind: Kind,
  key: string,
  name: string,
  dryRun: boolean | undefined,
  change: (current: KubernetesObject) => KubernetesObject,
): Promise<Entry> {
  for (let tries = 1; ; tries++) {
    const record = scope.store.get(key)
    if (record === undefined) throw notFoundError(kind, name)
    if (kind.conversion !== undefined) await convertRecords(scope, kind, [record])
    const entry = entryOf(scope, kind, record)
    const next = inOrder(kind, change(entry.object), entry.object)
    if (isUnchanged(next, entry.object)) return entry
    if (dryRun) return unstoredEntry(scope, kind, next, String(record.revision))
    try {
      return entryOf(scope, kind, await storeObject(scope, kind, key, record.revision, next))
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error
      if (tries === maxTries) throw conflictError(kind, name, objectModified)
    }
  }
}

/** Decoding puts the fields in order. */
function inOrder(kind: Kind, object: KubernetesObject, known: KubernetesObject): NewObject {
  return decode<NewObject>(kind.type, object, { kind: kind.kind, apiVersion: apiVersionOf(kind), known }).object
}
