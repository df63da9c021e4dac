// The objects of a new cluster: system namespaces, system priority classes, and the Service of the API server.

import { namespaces, priorityClasses, services } from '../api/kinds.ts'
import type { Kind } from '../api/machinery/kind.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject } from '../api/types.ts'
import type { Client } from '../client/client.ts'

const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

const systemPriorityClasses = [
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description: 'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
]

const firstServiceAddress = '10.96.0.1'
const apiPort = 443

/** Creates missing objects, and leaves existing ones as they are. */
export async function applySystemObjects(client: Client, port: number): Promise<void> {
  await Promise.all(systemNamespaces.map((name) => createIfMissing(client, namespaces, undefined, { metadata: { name } })))
  await Promise.all([
    ...systemPriorityClasses.map(({ name, ...spec }) =>
      createIfMissing(client, priorityClasses, undefined, { metadata: { name }, ...spec }),
    ),
    createIfMissing(client, services, 'default', {
      metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        type: 'ClusterIP',
        clusterIP: firstServiceAddress,
        clusterIPs: [firstServiceAddress],
        ports: [{ name: 'https', port: apiPort, protocol: 'TCP', targetPort: port }],
      },
    }),
  ])
}

/** Points the Service of the API server to the port at which it listens now, which may differ from the last start. */
export async function applyServicePort(client: Client, targetPort: number): Promise<void> {
  const service = await client.get(services, { namespace: 'default', name: 'kubernetes' })
  const ports = service.spec?.ports ?? []
  if (!ports.some((one) => one.port === apiPort && one.targetPort !== targetPort)) return
  const moved = ports.map((one) => (one.port === apiPort ? { ...one, targetPort } : one))
  await client.update(services, { ...service, spec: { ...service.spec, ports: moved } })
}

async function createIfMissing<T extends KubernetesObject>(
  client: Client,
  kind: Kind<T>,
  namespace: string | undefined,
  object: T,
): Promise<void> {
  try {
    await client.create(kind, namespace, object)
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error
  }
}
