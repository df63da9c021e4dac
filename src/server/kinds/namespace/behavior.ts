// A deleted namespace is Terminating until the namespace controller has removed its last finalizer.
// Kubernetes: pkg/registry/core/namespace/storage.REST.Delete
import { validateNamespaceFinalizeUpdate } from '../../../api/kinds/core/namespace/kind.ts'
import { namespaces } from '../../../api/kinds.ts'
import type { Namespace } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { admitDelete } from '../../rest/admission.ts'
import { changeStored } from '../../rest/change-stored.ts'
import { planFinalizers } from '../../rest/deletion-finalizers.ts'
import { checkPreconditions } from '../../rest/deletion-rules.ts'
import type { Entry } from '../../rest/entry.ts'
import type { DeleteQuery } from '../../rest/rest.ts'
import { readEntry, type WriteScope } from '../../rest/scope.ts'
import { keepAllBut, type UpdateRules } from '../../rest/update-rules.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

export const namespaceBehavior: BehaviorDefinition = {
  kinds: [namespaces],
  define: () => ({
    subresources: { finalize: { rules: finalizeRules } },
    isItsNamespace: true,
    markDeleted: markNamespace,
    isHeld: (object) => ((object as Namespace).spec?.finalizers?.length ?? 0) > 0,
  }),
}

const finalizeRules: UpdateRules = {
  prepare: (next, current) => keepAllBut(next, current, new Set(['metadata', 'spec'])),
  validate: validateNamespaceFinalizeUpdate,
  countsGeneration: false,
}

/** The terminating namespace; undefined when it has no finalizers left and can be deleted like any other object. */
async function markNamespace(scope: WriteScope, name: string, query: DeleteQuery): Promise<Entry | undefined> {
  const entry = readEntry(scope, namespaces, '', name)
  const namespace = entry.object as Namespace
  checkPreconditions(namespaces, name, namespace, query)
  if (namespace.metadata?.deletionTimestamp) return (namespace.spec?.finalizers?.length ?? 0) > 0 ? entry : undefined
  const now = formatTime(scope.clock.now())
  return changeStored(scope, namespaces, '', name, query.dryRun, (current) => {
    admitDelete(scope, namespaces, name)
    const { metadata, status, ...rest } = current as Namespace
    checkPreconditions(namespaces, name, current as Namespace, query)
    const marked: Namespace = {
      ...rest,
      metadata: {
        ...metadata,
        deletionTimestamp: metadata?.deletionTimestamp ?? now,
        finalizers: [...planFinalizers(namespaces, metadata?.finalizers ?? [], query)],
      },
      status: { ...status, phase: 'Terminating' },
    }
    return marked
  })
}
