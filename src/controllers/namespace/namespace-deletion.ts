// Empties a namespace that is being deleted, and lets it go when nothing is left in it.
import { namespaces, pods } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Namespace, Stored } from '../../api/types.ts'
import { type Clock, formatTime } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import type { RunningController } from '../../runtime/controller-parts.ts'
import { Informer } from '../../runtime/informer.ts'
import type { QueueMetrics } from '../../runtime/queue-metrics.ts'
import { startWorkers } from '../../runtime/workers.ts'
import { nextNamespaceConditions, type RemainingContent } from './plan/conditions.ts'

const namespaceFinalizer = 'kubernetes'
const firstLookMs = 20
const longestLookMs = 2_000

export interface NamespaceDeletionOptions {
  readonly client: Client
  readonly clock: Clock
  /** Counts what its queue does. */
  readonly queues?: QueueMetrics
  /** Every kind with namespaces that can be listed and deleted. */
  readonly kinds: readonly Kind[]
  onFailure?(what: string, error: unknown): void
}

export function startNamespaceDeletion({ client, clock, queues, kinds, onFailure }: NamespaceDeletionOptions): RunningController {
  /** How often a namespace was looked at in vain: the next look waits longer. */
  const looks = new Map<string, number>()

  const applyStatus = async (namespace: Stored<Namespace>, remaining: RemainingContent) => {
    const conditions = nextNamespaceConditions(namespace.status?.conditions ?? [], remaining, formatTime(clock.now()))
    if (conditions === undefined) return
    await client.updateStatus(namespaces, { ...namespace, status: { ...namespace.status, conditions } })
  }

  const informer = new Informer({
    client,
    clock,
    resource: namespaces,
    onFailure: (error) => onFailure?.('namespaces: watching', error),
  })

  const controller = startWorkers({
    queues,
    name: 'namespace',
    clock,
    workers: 10,
    async reconcile(name) {
      const namespace = informer.get(name)
      if (namespace?.metadata.deletionTimestamp === undefined) {
        looks.delete(name)
        return undefined
      }
      if (!namespace.spec?.finalizers?.includes(namespaceFinalizer)) return undefined
      const remaining = await applyEmptying(client, kinds, name)
      try {
        if (remaining.resources.size > 0 || remaining.failures.length > 0) {
          await applyStatus(namespace, remaining)
          const look = looks.get(name) ?? 0
          looks.set(name, look + 1)
          return { requeueAfterMs: Math.min(firstLookMs * 2 ** look, longestLookMs) }
        }
        looks.delete(name)
        const finalizers = namespace.spec.finalizers.filter((one) => one !== namespaceFinalizer)
        await client.updateSubresource(namespaces, 'finalize', { ...namespace, spec: { ...namespace.spec, finalizers } })
      } catch (error) {
        // The copy is behind: the change that made it so brings the key back.
        if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
        if (isStatusError(error, 'Conflict')) return { requeueAfterMs: firstLookMs }
      }
      return undefined
    },
    onFailure: (name, error) => onFailure?.(`namespaces: emptying ${name}`, error),
  })

  informer.onChange((current) => {
    if (current?.metadata.deletionTimestamp !== undefined) controller.queue.add(current.metadata.name)
  })
  informer.start()
  return {
    synced: informer.synced,
    async stop() {
      informer.stop()
      await controller.stop()
    },
  }
}

/**
 * Asks for the deletion of everything in the namespace, and says what is left of it. Pods go first: as long as there are
 * any, nothing that they may need is touched.
 */
async function applyEmptying(client: Client, kinds: readonly Kind[], namespace: string): Promise<RemainingContent> {
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
