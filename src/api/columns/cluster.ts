// What `kubectl get` shows of Nodes, Namespaces, Services and the other kinds around the workloads.

import { ageColumn, ageOf, boolean, integer, labelsCell, nameColumn, nameOf, shortList, text } from '../machinery/columns/cells.ts'
import { formatAge } from '../machinery/columns/duration.ts'
import type { Columns } from '../machinery/kind.ts'
import type {
  ConfigMap,
  CoreEvent,
  EndpointSlice,
  Endpoints,
  Lease,
  Namespace,
  Node,
  PriorityClass,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from '../types.ts'

export const nodeColumns: Columns<Node> = {
  definitions: [
    nameColumn,
    text('Status', 'Whether the node is ready, and whether it takes pods.'),
    text('Roles', 'The roles of the node.'),
    ageColumn,
    text('Version', 'The version of its kubelet.'),
    text('Internal-IP', 'Its address inside of the cluster.', 1),
    text('External-IP', 'Its address outside of the cluster.', 1),
    text('OS-Image', 'Its operating system.', 1),
    text('Kernel-Version', 'Its kernel.', 1),
    text('Container-Runtime', 'What runs its containers.', 1),
  ],
  cells(node, nowMs) {
    const info = node.status?.nodeInfo
    const address = (type: string) => node.status?.addresses?.find((one) => one.type === type)?.address ?? '<none>'
    const kernel = info?.kernelVersion || '<unknown>'
    return [
      nameOf(node),
      nodeStatus(node),
      nodeRoles(node),
      ageOf(node, nowMs),
      info?.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      info?.osImage || '<unknown>',
      info?.architecture ? `${kernel} (${info.architecture})` : kernel,
      info?.containerRuntimeVersion || '<unknown>',
    ]
  },
}

function nodeStatus(node: Node): string {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return node.spec?.unschedulable ? `${status},SchedulingDisabled` : status
}

const rolePrefix = 'node-role.kubernetes.io/'

function nodeRoles(node: Node): string {
  const roles = new Set<string>()
  for (const [key, value] of Object.entries(node.metadata?.labels ?? {})) {
    if (key.startsWith(rolePrefix) && key.length > rolePrefix.length) roles.add(key.slice(rolePrefix.length))
    else if (key === 'kubernetes.io/role' && value !== '') roles.add(value)
  }
  return [...roles].sort().join(',') || '<none>'
}

export const namespaceColumns: Columns<Namespace> = {
  definitions: [nameColumn, text('Status', 'Whether the namespace is in use or on its way out.'), ageColumn],
  cells: (namespace, nowMs) => [nameOf(namespace), namespace.status?.phase ?? '', ageOf(namespace, nowMs)],
}

export const configMapColumns: Columns<ConfigMap> = {
  definitions: [nameColumn, text('Data', 'How many entries it has.'), ageColumn],
  cells: (map, nowMs) => [nameOf(map), Object.keys(map.data ?? {}).length + Object.keys(map.binaryData ?? {}).length, ageOf(map, nowMs)],
}

export const secretColumns: Columns<Secret> = {
  definitions: [nameColumn, text('Type', 'What kind of secret it is.'), text('Data', 'How many entries it has.'), ageColumn],
  cells: (secret, nowMs) => [nameOf(secret), secret.type ?? '', Object.keys(secret.data ?? {}).length, ageOf(secret, nowMs)],
}

export const serviceAccountColumns: Columns<ServiceAccount> = {
  definitions: [nameColumn, ageColumn],
  cells: (account, nowMs) => [nameOf(account), ageOf(account, nowMs)],
}

export const serviceColumns: Columns<Service> = {
  definitions: [
    nameColumn,
    text('Type', 'How the service can be reached.'),
    text('Cluster-IP', 'Its address inside of the cluster.'),
    text('External-IP', 'Its addresses outside of the cluster.'),
    text('Port(s)', 'The ports that it offers.'),
    ageColumn,
    text('Selector', 'Which pods are behind it.', 1),
  ],
  cells: (service, nowMs) => [
    nameOf(service),
    service.spec?.type ?? '',
    service.spec?.clusterIPs?.[0] ?? '<none>',
    externalAddresses(service),
    servicePorts(service),
    ageOf(service, nowMs),
    labelsCell(service.spec?.selector),
  ],
}

function externalAddresses(service: Service): string {
  const { type, externalIPs = [], externalName } = service.spec ?? {}
  if (type === 'ExternalName') return externalName ?? ''
  if (type === 'ClusterIP' || type === 'NodePort') return externalIPs.join(',') || '<none>'
  if (type !== 'LoadBalancer') return '<unknown>'
  const points = (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter((one) => one !== '')
  return [...[...new Set(points)].sort(), ...externalIPs].join(',') || '<pending>'
}

function servicePorts(service: Service): string {
  const ports = (service.spec?.ports ?? []).map(
    ({ port, nodePort = 0, protocol }) => `${port}${nodePort > 0 ? `:${nodePort}` : ''}/${protocol}`,
  )
  return ports.join(',') || '<none>'
}

export const endpointsColumns: Columns<Endpoints> = {
  definitions: [nameColumn, text('Endpoints', 'The addresses and ports.'), ageColumn],
  cells(endpoints, nowMs) {
    const all = (endpoints.subsets ?? []).flatMap(({ addresses = [], ports = [] }) =>
      ports.length === 0
        ? addresses.map(({ ip }) => ip)
        : ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`))),
    )
    return [
      nameOf(endpoints),
      (endpoints.subsets ?? []).length === 0 ? '<none>' : all.length === 0 ? '' : shortList(all),
      ageOf(endpoints, nowMs),
    ]
  },
}

export const endpointSliceColumns: Columns<EndpointSlice> = {
  definitions: [
    nameColumn,
    text('AddressType', 'What its addresses are.'),
    text('Ports', 'The ports of every endpoint.'),
    text('Endpoints', 'The addresses.'),
    ageColumn,
  ],
  cells: (slice, nowMs) => [
    nameOf(slice),
    slice.addressType ?? '',
    shortList((slice.ports ?? []).map(({ port, name }) => (port !== undefined ? String(port) : (name ?? '*')))),
    shortList((slice.endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
    ageOf(slice, nowMs),
  ],
}

export const leaseColumns: Columns<Lease> = {
  definitions: [nameColumn, text('Holder', 'Who holds it.'), ageColumn],
  cells: (lease, nowMs) => [nameOf(lease), lease.spec?.holderIdentity ?? '', ageOf(lease, nowMs)],
}

export const priorityClassColumns: Columns<PriorityClass> = {
  definitions: [
    nameColumn,
    integer('Value', 'The priority: more is more important.'),
    boolean('Global-Default', 'Whether pods that name no class get this one.'),
    ageColumn,
    text('PreemptionPolicy', 'Whether its pods may push others out.'),
  ],
  cells: (priority, nowMs) => [
    nameOf(priority),
    priority.value ?? 0,
    priority.globalDefault ?? false,
    ageOf(priority, nowMs),
    priority.preemptionPolicy ?? '',
  ],
}

export const resourceQuotaColumns: Columns<ResourceQuota> = {
  definitions: [
    nameColumn,
    text('Request', 'What may be requested, and is.'),
    text('Limit', 'What the limits may add up to, and do.'),
    ageColumn,
  ],
  cells(quota, nowMs) {
    const { hard = {}, used = {} } = quota.status ?? {}
    const lines = (limits: boolean) =>
      Object.keys(hard)
        .sort()
        .filter((name) => name.startsWith('limits.') === limits)
        .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
        .join(', ')
    return [nameOf(quota), lines(false), lines(true), ageOf(quota, nowMs)]
  },
}

export const eventColumns: Columns<CoreEvent> = {
  definitions: [
    text('Last Seen', 'The time since it last happened.'),
    text('Type', 'Normal, or a warning.'),
    text('Reason', 'What happened, in a word.'),
    text('Object', 'What it happened to.'),
    text('Subobject', 'What part of it.', 1),
    text('Source', 'Who reports it.', 1),
    text('Message', 'What happened, in a sentence.'),
    text('First Seen', 'The time since it first happened.', 1),
    text('Count', 'How often it happened.', 1),
    { ...nameColumn, priority: 1 },
  ],
  cells(event, nowMs) {
    const first = formatAge(event.firstTimestamp ?? event.eventTime, nowMs)
    const last = event.series
      ? formatAge(event.series.lastObservedTime, nowMs)
      : event.lastTimestamp
        ? formatAge(event.lastTimestamp, nowMs)
        : first
    const { kind = '', name = '', fieldPath = '' } = event.involvedObject ?? {}
    const component = event.source?.component || event.reportingComponent || ''
    const instance = event.source?.host || event.reportingInstance || ''
    return [
      last,
      event.type ?? '',
      event.reason ?? '',
      name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
      fieldPath,
      instance === '' ? component : `${component}, ${instance}`,
      (event.message ?? '').trim(),
      first,
      event.series ? (event.series.count ?? 0) : event.count || 1,
      nameOf(event),
    ]
  },
}
