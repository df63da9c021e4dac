// A change that the server itself makes to an object, past the rules for users.
import { decode } from '../../api/decode/decode.ts'
import { apiVersionOf, type Kind } from '../../api/kind.ts'
import { conflictError, notFoundError, objectModified } from '../../api/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { RevisionConflictError } from '../../store/store.ts'
import type { Entry } from './entry.ts'
import type { NewObject } from './input.ts'
import { isUnchanged } from './same-object.ts'
import { entryOf, keyOf, type Scope } from './scope.ts'
import { draftOf, unstoredAnswer } from './write.ts'

export interface ChangeOptions {
  readonly dryRun?: boolean | undefined
  /** Whether the fields of what `change` returns may come in any order: nobody reads its text. */
  readonly isTrusted?: boolean | undefined
}

const mostTries = 1000

/** `change` returns a new object, or throws the refusal; it is called again when another writer was faster. */
export function changeStored(
  scope: Scope,
  kind: Kind,
  namespace: string,
  name: string,
  options: ChangeOptions,
  change: (current: KubernetesObject) => KubernetesObject,
): Promise<Entry> {
  const key = keyOf(kind, namespace, name)
  return scope.writes.run(key, () => tryUntilStored(scope, kind, key, name, options, change))
}

async function tryUntilStored(
  scope: Scope,
  kind: Kind,
  key: string,
  name: string,
  options: ChangeOptions,
  change: (current: KubernetesObject) => KubernetesObject,
): Promise<Entry> {
  const { dryRun, isTrusted } = options
  for (let tries = 1; ; tries++) {
    const record = scope.store.get(key)
    if (record === undefined) throw notFoundError(kind, name)
    const entry = entryOf(scope, kind, record)
    const changed = change(entry.object)
    const next = isTrusted ? (changed as NewObject) : inOrder(kind, changed, entry.object)
    if (isUnchanged(next, entry.object)) return entry
    if (dryRun) return unstoredAnswer(scope, kind, next, String(record.revision))
    try {
      return entryOf(scope, kind, await scope.store.put(key, record.revision, draftOf(scope, kind, next)))
    } catch (error) {
      if (!(error instanceof RevisionConflictError)) throw error
      if (tries === mostTries) throw conflictError(kind, name, objectModified)
    }
  }
}

/** Decoded once more, which puts its fields in order. */
function inOrder(kind: Kind, object: KubernetesObject, known: KubernetesObject): NewObject {
  return decode<NewObject>(kind.type, object, { kind: kind.kind, apiVersion: apiVersionOf(kind), known }).object
}
