// A deleted namespace is Terminating until the namespace controller has removed its last finalizer.
// Kubernetes: pkg/registry/core/namespace/storage.REST.Delete

import type { Kind } from '../../api/machinery/kind.ts'
import type { Namespace } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { admitDelete } from './admission.ts'
import { changeStored } from './change-stored.ts'
import { planFinalizers } from './deletion-finalizers.ts'
import { checkPreconditions } from './deletion-preconditions.ts'
import type { Entry } from './entry.ts'
import type { DeleteQuery } from './rest.ts'
import { readEntry, type Scope } from './scope.ts'

/** The terminating namespace; undefined when it has no finalizers left and can be deleted like any other object. */
export async function markNamespace(scope: Scope, kind: Kind, name: string, query: DeleteQuery): Promise<Entry | undefined> {
  const entry = readEntry(scope, kind, '', name)
  const namespace = entry.object as Namespace
  checkPreconditions(kind, name, namespace, query)
  if (namespace.metadata?.deletionTimestamp) return (namespace.spec?.finalizers?.length ?? 0) > 0 ? entry : undefined
  const now = formatTime(scope.clock.now())
  return changeStored(scope, kind, '', name, query.dryRun, (current) => {
    admitDelete(scope, kind, name)
    const { metadata, status, ...rest } = current as Namespace
    checkPreconditions(kind, name, current as Namespace, query)
    const marked: Namespace = {
      ...rest,
      metadata: {
        ...metadata,
        deletionTimestamp: metadata?.deletionTimestamp ?? now,
        finalizers: [...planFinalizers(kind, metadata?.finalizers ?? [], query)],
      },
      status: { ...status, phase: 'Terminating' },
    }
    return marked
  })
}
