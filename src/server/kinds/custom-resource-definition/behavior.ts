// A deleted definition is terminating until its custom resources are deleted.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition.REST.Delete
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/controller/finalizer.CRDFinalizer.*
import { customResourceDefinitions } from '../../../api/kinds.ts'
import { withCondition } from '../../../api/machinery/conditions.ts'
import type { CustomResourceDefinition } from '../../../api/machinery/structural/definition.ts'
import type { KubernetesObject } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { changeStored } from '../../rest/change-stored.ts'
import { checkPreconditions } from '../../rest/deletion-rules.ts'
import type { Entry } from '../../rest/entry.ts'
import type { DeleteQuery } from '../../rest/rest.ts'
import { readEntry, type WriteScope } from '../../rest/scope.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

/** The finalizer of definitions that are being deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

const pending = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
} as const

export const customResourceDefinitionBehavior: BehaviorDefinition = {
  kinds: [customResourceDefinitions],
  define: () => ({ markDeleted: markDefinition }),
}

/** Marks the definition as terminating. Undefined when it already is: it is then deleted like any other object. */
async function markDefinition(scope: WriteScope, name: string, query: DeleteQuery): Promise<Entry | undefined> {
  const { object } = readEntry(scope, customResourceDefinitions, '', name)
  if (object.metadata?.deletionTimestamp) return undefined
  const now = formatTime(scope.clock.now())
  return changeStored(scope, customResourceDefinitions, '', name, query.dryRun, (current) => {
    checkPreconditions(customResourceDefinitions, name, current, query)
    if (current.metadata?.deletionTimestamp) return current
    const { metadata, status, ...rest } = current as CustomResourceDefinition
    const finalizers = metadata?.finalizers ?? []
    return {
      ...rest,
      metadata: {
        ...metadata,
        deletionTimestamp: now,
        finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
      },
      status: { ...status, conditions: withCondition(status?.conditions ?? [], pending, now) },
    } as KubernetesObject
  })
}
