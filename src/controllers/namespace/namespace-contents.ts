// Creates the objects that every namespace has: the `default` ServiceAccount, and the `kube-root-ca.crt` ConfigMap with the
// certificate that its pods trust.
// Kubernetes: pkg/controller/serviceaccount.ServiceAccountsController.syncNamespace
// Kubernetes: pkg/controller/certificates/rootcacertpublisher.Publisher.syncNamespace
import { configMaps, namespaces, serviceAccounts } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { ConfigMap, KubernetesObject, ServiceAccount } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { buildController } from '../../runtime/controller.ts'
import type { CommonParts, RunningController } from '../../runtime/controller-parts.ts'
import { Informer } from '../../runtime/informer.ts'
import type { ControllerDefinition } from '../controller-definition.ts'

const rootCertificateName = 'kube-root-ca.crt'
const rootCertificateDescription =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

interface NamespaceContentsOptions extends CommonParts {
  /** PEM. */
  readonly rootCertificate: string
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

export const namespaceContents: ControllerDefinition = {
  name: 'root-ca-cert-publisher',
  start: startNamespaceContents,
}

function startNamespaceContents({ rootCertificate, ...parts }: NamespaceContentsOptions): RunningController {
  const wantedMap = rootCertificateMap(rootCertificate)
  // Not the shared informers: only one account and one map of each namespace is needed.
  const informerOf = <T extends KubernetesObject>(resource: Kind<T>, name: string) =>
    new Informer({
      client: parts.client,
      clock: parts.clock,
      resource,
      fieldSelector: `metadata.name=${name}`,
      onFailure: (error) => parts.onFailure?.(`watching ${resource.plural} named ${name}`, error),
    })
  const accounts = informerOf(serviceAccounts, 'default')
  const maps = informerOf(configMaps, rootCertificateName)

  const controller = buildController(parts, {
    name: 'namespace-contents',
    for: namespaces,
    reads: [accounts, maps],
    workers: 5,
    async reconcile({ metadata }, { key, client }) {
      if (metadata.deletionTimestamp !== undefined) return
      if (accounts.get(`${key}/default`) === undefined) await applyCreate(client, serviceAccounts, key, defaultServiceAccount)
      const map = maps.get(`${key}/${rootCertificateName}`)
      if (map === undefined) await applyCreate(client, configMaps, key, wantedMap)
      else if (map.data?.['ca.crt'] !== rootCertificate || Object.keys(map.data).length !== 1)
        await client.update(configMaps, { ...map, data: wantedMap.data! })
    },
  })

  accounts.onChange((current, previous) => current === undefined && controller.enqueue(previous!.metadata.namespace!))
  maps.onChange((current, previous) => controller.enqueue((current ?? previous!).metadata.namespace!))
  accounts.start()
  maps.start()
  return {
    synced: controller.synced,
    async stop() {
      accounts.stop()
      maps.stop()
      await controller.stop()
    },
  }
}

async function applyCreate<T extends KubernetesObject>(client: Client, resource: Kind<T>, namespace: string, object: T): Promise<void> {
  try {
    await client.create(resource, namespace, object)
  } catch (error) {
    // It exists, or its namespace is terminating or was deleted.
    if (isStatusError(error, 'AlreadyExists') || isStatusError(error, 'NotFound') || isStatusError(error, 'Forbidden')) return
    throw error
  }
}
