// Creates the objects that every namespace has: the `default` ServiceAccount, and the `kube-root-ca.crt` ConfigMap with the
// certificate that its pods trust.
import { configMaps, namespaces, serviceAccounts } from '../../api/kinds.ts'
import type { Resource } from '../../api/machinery/kind.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { ConfigMap, KubernetesObject, ServiceAccount } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import type { RunningController } from '../../runtime/controller-parts.ts'
import { Informer } from '../../runtime/informer.ts'
import type { QueueMetrics } from '../../runtime/queue-metrics.ts'
import { startWorkers } from '../../runtime/workers.ts'

const rootCertificateName = 'kube-root-ca.crt'
const rootCertificateDescription =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

interface NamespaceContentsOptions {
  readonly client: Client
  readonly clock: Clock
  /** Metrics of the work queue. */
  readonly queues?: QueueMetrics
  /** PEM. */
  readonly rootCertificate: string
  onFailure?(what: string, error: unknown): void
}

const defaultServiceAccount: ServiceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }

function rootCertificateMap(rootCertificate: string): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: rootCertificateName, annotations: { 'kubernetes.io/description': rootCertificateDescription } },
    data: { 'ca.crt': rootCertificate },
  }
}

export function startNamespaceContents({ client, clock, queues, rootCertificate, onFailure }: NamespaceContentsOptions): RunningController {
  const failed = (what: string) => (error: unknown) => onFailure?.(`namespace contents: ${what}`, error)
  const wantedMap = rootCertificateMap(rootCertificate)
  const all = new Informer({ client, clock, resource: namespaces, onFailure: failed('watching namespaces') })
  const accounts = new Informer({
    client,
    clock,
    resource: serviceAccounts,
    fieldSelector: 'metadata.name=default',
    onFailure: failed('watching accounts'),
  })
  const maps = new Informer({
    client,
    clock,
    resource: configMaps,
    fieldSelector: `metadata.name=${rootCertificateName}`,
    onFailure: failed('watching maps'),
  })

  const applyCreate = async <T extends KubernetesObject>(resource: Resource<T>, namespace: string, object: T) => {
    try {
      await client.create(resource, namespace, object)
    } catch (error) {
      // It exists, or its namespace is terminating or was deleted.
      if (isStatusError(error, 'AlreadyExists') || isStatusError(error, 'NotFound') || isStatusError(error, 'Forbidden')) return
      throw error
    }
  }

  const loop = startWorkers({
    queues,
    name: 'namespace-contents',
    clock,
    workers: 5,
    async reconcile(name) {
      const namespace = all.get(name)
      if (namespace === undefined || namespace.metadata.deletionTimestamp !== undefined) return undefined
      if (accounts.get(`${name}/default`) === undefined) await applyCreate(serviceAccounts, name, defaultServiceAccount)
      const map = maps.get(`${name}/${rootCertificateName}`)
      if (map === undefined) await applyCreate(configMaps, name, wantedMap)
      else if (map.data?.['ca.crt'] !== rootCertificate || Object.keys(map.data).length !== 1)
        await client.update(configMaps, { ...map, data: wantedMap.data! })
      return undefined
    },
    onFailure: (name, error) => {
      if (!isStatusError(error, 'Conflict') && !isStatusError(error, 'NotFound')) failed(name)(error)
    },
  })

  all.onChange((current) => current !== undefined && loop.queue.add(current.metadata.name))
  accounts.onChange((current, previous) => current === undefined && loop.queue.add(previous!.metadata.namespace!))
  maps.onChange((current, previous) => loop.queue.add((current ?? previous!).metadata.namespace!))
  const synced = (async () => {
    // Before the namespaces: a namespace is reconciled when its objects are in the cache.
    accounts.start()
    maps.start()
    await Promise.all([accounts.synced, maps.synced])
    all.start()
    await all.synced
  })()
  return {
    synced,
    async stop() {
      for (const informer of [all, accounts, maps]) informer.stop()
      await loop.stop()
    },
  }
}
