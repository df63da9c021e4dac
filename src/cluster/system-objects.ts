// The objects of a new cluster: system namespaces, system priority classes, and the Service of the API server.
// Kubernetes: pkg/controlplane/controller/systemnamespaces.Controller.*
// Kubernetes: pkg/registry/scheduling/rest.AddSystemPriorityClasses
// Kubernetes: pkg/controlplane/controller/kubernetesservice.Controller.CreateOrUpdateMasterServiceIfNeeded
// Kubernetes: pkg/apis/scheduling/v1.SystemPriorityClasses

import { endpointSlices, endpoints, namespaces, priorityClasses, serviceCidrs, services } from '../api/kinds.ts'
import type { Kind } from '../api/machinery/kind.ts'
import { ignoring } from '../api/machinery/status-error.ts'
import type { KubernetesObject, Service } from '../api/types.ts'
import { isEqualJson } from '../base/json.ts'
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

const serviceRange = '10.96.0.0/12'
const firstServiceAddress = '10.96.0.1'
const apiPort = 443

/** Creates missing objects, and leaves existing ones as they are. */
export async function applySystemObjects(client: Client, port: number): Promise<void> {
  await Promise.all(systemNamespaces.map((name) => ignoring('AlreadyExists', client.create(namespaces, undefined, { metadata: { name } }))))
  await Promise.all([
    ...systemPriorityClasses.map(({ name, ...spec }) =>
      ignoring('AlreadyExists', client.create(priorityClasses, undefined, { metadata: { name }, ...spec })),
    ),
    ignoring('AlreadyExists', client.create(services, 'default', serviceOfServer(port))),
  ])
}

const serviceOfServer = (targetPort: number): Service => ({
  metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    type: 'ClusterIP',
    clusterIP: firstServiceAddress,
    clusterIPs: [firstServiceAddress],
    ports: [{ name: 'https', port: apiPort, protocol: 'TCP', targetPort }],
  },
})

/** The range of the addresses of Services. Simulations have none: nothing reads it there. */
export async function applyServiceRange(client: Client): Promise<void> {
  const name = 'kubernetes'
  await ignoring('AlreadyExists', client.create(serviceCidrs, undefined, { metadata: { name }, spec: { cidrs: [serviceRange] } }))
  const range = await client.get(serviceCidrs, { name })
  if (range.status?.conditions?.length) return
  const lastTransitionTime = range.metadata.creationTimestamp ?? ''
  const message = 'Kubernetes default Service CIDR is ready'
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime, reason: '', message }] as const
  await client.updateStatus(serviceCidrs, { ...range, status: { conditions } })
}

/** Points the Service of the API server to the port at which it listens now, which may differ from the last start. */
export async function applyServicePort(client: Client, targetPort: number): Promise<void> {
  const service = await client.get(services, { namespace: 'default', name: 'kubernetes' })
  const ports = service.spec?.ports ?? []
  if (!ports.some((one) => one.port === apiPort && one.targetPort !== targetPort)) return
  const moved = ports.map((one) => (one.port === apiPort ? { ...one, targetPort } : one))
  await client.update(services, { ...service, spec: { ...service.spec, ports: moved } })
}

/**
 * The endpoints of the API server, which has no pods: the address and the port at which other machines reach it. Without an
 * address of its own beyond loopback, which no endpoint may have, the machine has none.
 */
export async function applyServerEndpoints(client: Client, address: string | undefined, port: number): Promise<void> {
  if (address === undefined) return
  const metadata = { name: 'kubernetes', namespace: 'default' }
  const ports = [{ name: 'https', port, protocol: 'TCP' }]
  await createOrUpdate(client, endpoints, {
    metadata: { ...metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports }],
  })
  await createOrUpdate(client, endpointSlices, {
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: address.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  })
}

async function createOrUpdate<T extends KubernetesObject>(client: Client, kind: Kind<T>, object: T): Promise<void> {
  const { namespace = '', name = '' } = object.metadata ?? {}
  await ignoring('AlreadyExists', client.create(kind, namespace, object))
  const current = await client.get(kind, { namespace, name })
  const { metadata: _, ...content } = object
  const stored = new Map(Object.entries(current))
  const isSame = Object.entries(content).every(([field, value]) => isEqualJson(value, stored.get(field)))
  if (!isSame) await client.update(kind, { ...current, ...content })
}
