// Deletes the contents of a terminating namespace, and removes its finalizer when it is empty.
// Kubernetes: pkg/controller/namespace/deletion.namespacedResourcesDeleter.Delete, namespacedResourcesDeleter.deleteAllContent
// Kubernetes: pkg/controller/namespace/deletion.namespacedResourcesDeleter.deleteAllContentForGroupVersionResource
// Kubernetes: pkg/controller/namespace/deletion.namespacedResourcesDeleter.estimateGracefulTerminationForPods
import { namespaces, pods } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KindSource } from '../../api/machinery/kind-set.ts'
import type { Namespace, Stored } from '../../api/types.ts'
import { backoffMs } from '../../base/backoff.ts'
import { formatTime } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import { buildController } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { ownedKinds } from '../shared/owned-kinds.ts'
import { nextNamespaceConditions, type RemainingContent } from './plan/conditions.ts'

const namespaceFinalizer = 'kubernetes'
const requeueLimits = { firstMs: 20, maxMs: 2_000 }

interface NamespaceDeletionOptions extends CommonParts {
  /** All namespaced kinds that can be listed and deleted. */
  readonly kinds: KindSource
}

export const namespaceDeletion: ControllerDefinition = {
  name: 'namespace-controller',
  start: (parts) => startNamespaceDeletion({ ...parts, kinds: ownedKinds(parts.kinds, ({ namespaced }) => namespaced) }),
}

export function startNamespaceDeletion({ kinds, ...parts }: NamespaceDeletionOptions): RunningController {
  const { clock } = parts
  /** By namespace: how many syncs left something in it. The requeue delay doubles each time. */
  const attempts = new Map<string, number>()

  const applyStatus = async (client: Client, namespace: Stored<Namespace>, remaining: RemainingContent) => {
    const conditions = nextNamespaceConditions(namespace.status?.conditions ?? [], remaining, formatTime(clock.now()))
    if (conditions === undefined) return
    await client.updateStatus(namespaces, { ...namespace, status: { ...namespace.status, conditions } })
  }

  return buildController(parts, {
    name: 'namespace',
    for: namespaces,
    delayOf: ({ metadata }) => (metadata.deletionTimestamp === undefined ? undefined : 0),
    workers: 10,
    async reconcile(namespace, { key, client }) {
      if (!namespace.spec?.finalizers?.includes(namespaceFinalizer)) return undefined
      const remaining = await applyContentDeletion(client, kinds.current(), key)
      if (remaining.resources.size > 0 || remaining.failures.length > 0) {
        await applyStatus(client, namespace, remaining)
        const count = (attempts.get(key) ?? 0) + 1
        attempts.set(key, count)
        return { requeueAfterMs: backoffMs(count, requeueLimits) }
      }
      const finalizers = namespace.spec.finalizers.filter((one) => one !== namespaceFinalizer)
      await client.updateSubresource(namespaces, 'finalize', { ...namespace, spec: { ...namespace.spec, finalizers } })
      return undefined
    },
    state: [attempts],
  })
}

/**
 * Deletes all objects in the namespace, and resolves to what is left. Pods are deleted first: while there are any, objects that
 * they may need are kept.
 */
async function applyContentDeletion(client: Client, kinds: readonly Kind[], namespace: string): Promise<RemainingContent> {
  const left = await applyDeletions(client, kinds.filter(isPods), namespace)
  if (left.resources.size > 0 || left.failures.length > 0) return left
  return applyDeletions(
    client,
    kinds.filter((kind) => !isPods(kind)),
    namespace,
  )
}

const isPods = ({ plural, group }: Kind) => plural === pods.plural && group === pods.group

async function applyDeletions(client: Client, kinds: readonly Kind[], namespace: string): Promise<RemainingContent> {
  const resources = new Map<string, number>()
  const finalizers = new Map<string, number>()
  const failures: string[] = []
  for (const kind of kinds) {
    try {
      const first = await client.list(kind, { namespace, limit: 1 })
      if (first.items.length === 0) continue
      await client.deleteCollection(kind, { namespace }, { propagationPolicy: 'Background' })
      const { items } = await client.list(kind, { namespace })
      if (items.length === 0) continue
      resources.set(`${kind.plural}.${kind.group}`, items.length)
      for (const { metadata } of items)
        for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1)
    } catch (error) {
      failures.push(messageOf(error))
    }
  }
  return { resources, finalizers, failures }
}
