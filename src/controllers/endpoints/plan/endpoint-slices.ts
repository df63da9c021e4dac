// Which EndpointSlices a Service has: one or more for each set of ports that its pods have, with at most 100 endpoints each.
// Endpoints stay in the slice that has them, so that a change of one pod changes one slice.
// Kubernetes: k8s.io/endpointslice.Reconciler.Reconcile, Reconciler.reconcileByAddressType, Reconciler.reconcileByPortMapping
// Kubernetes: k8s.io/endpointslice.newEndpointSlice, getSliceToFill, setEndpointSliceLabels, podToEndpoint

import { compareNames } from '../../../api/machinery/compare-names.ts'
import { controllerReference } from '../../../api/machinery/owners.ts'
import type { EndpointSlice, Pod, Service, Stored } from '../../../api/types.ts'
import { isEqualJson } from '../../../base/json.ts'
import { getOrAdd, sortKeys } from '../../../base/maps.ts'
import { isReady } from '../../shared/plan/pod-state.ts'
import { addressOf, familiesOf, hasAddress, hasClusterIp, headlessLabel, hostnameOf, podReference, portNumberOf } from './service-pods.ts'
import { planHints } from './traffic-hints.ts'
import { withTriggerTime } from './trigger-time.ts'

export type Endpoint = NonNullable<EndpointSlice['endpoints']>[number]
type Ports = NonNullable<EndpointSlice['ports']>

export const serviceNameLabel = 'kubernetes.io/service-name'
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
export const managedByController = 'endpointslice-controller.k8s.io'
const maxEndpoints = 100

export interface SliceActions {
  readonly create: readonly EndpointSlice[]
  readonly update: readonly Stored<EndpointSlice>[]
  readonly remove: readonly Stored<EndpointSlice>[]
}

/**
 * `existing` are the slices of the Service that this controller manages. `zoneOf` names the zone of a node. Slices that are written
 * have `triggerTime` as an annotation.
 */
export function planEndpointSlices(
  service: Stored<Service>,
  pods: readonly Stored<Pod>[],
  existing: readonly Stored<EndpointSlice>[],
  zoneOf: (nodeName: string) => string | undefined,
  triggerTime?: string,
): SliceActions {
  const families = familiesOf(service)
  const plans = families.map((family) =>
    planFamily(
      service,
      family,
      pods,
      existing.filter(({ addressType }) => addressType === family),
      zoneOf,
    ),
  )
  const others = existing.filter(({ addressType }) => !families.includes(addressType))
  const stamped = <T extends EndpointSlice>(slice: T): T => {
    const annotations = withTriggerTime(slice.metadata?.annotations, triggerTime)
    return { ...slice, metadata: { ...slice.metadata, ...(annotations !== undefined && { annotations }) } }
  }
  return {
    create: plans.flatMap(({ create }) => create.map(stamped)),
    update: plans.flatMap(({ update }) => update.map(stamped)),
    remove: [...plans.flatMap(({ remove }) => remove), ...others],
  }
}

function planFamily(
  service: Stored<Service>,
  family: string,
  pods: readonly Stored<Pod>[],
  existing: readonly Stored<EndpointSlice>[],
  zoneOf: (nodeName: string) => string | undefined,
): SliceActions {
  const groups = groupByPorts(service, family, pods, zoneOf)
  const labels = sliceLabels(service)
  const create: EndpointSlice[] = []
  const update: Stored<EndpointSlice>[] = []
  const remove: Stored<EndpointSlice>[] = []
  const newSlice = (ports: Ports, endpoints: readonly Endpoint[]): EndpointSlice => ({
    metadata: {
      generateName: slicePrefix(service.metadata.name),
      namespace: service.metadata.namespace ?? '',
      labels,
      ownerReferences: [controllerReference('v1', 'Service', service)],
    },
    addressType: family,
    endpoints,
    ports,
  })
  const held = new Set(
    existing.flatMap(({ ports, endpoints }) => {
      const key = portsKey(ports ?? [])
      return (endpoints ?? []).map(({ targetRef }) => `${key} ${targetRef?.uid ?? ''}`)
    }),
  )
  const kept: EndpointSlice[] = []
  const seen = new Set<string>()
  for (const slice of [...existing].sort(compareNames)) {
    const key = portsKey(slice.ports ?? [])
    const group = groups.get(key)
    // Of several slices with the same endpoint, the first keeps it.
    const endpoints = (slice.endpoints ?? []).flatMap((endpoint) => {
      const uid = endpoint.targetRef?.uid ?? ''
      const wanted = group?.endpoints.get(uid)
      if (wanted === undefined || seen.has(`${key} ${uid}`)) return []
      seen.add(`${key} ${uid}`)
      return [isEqualJson(endpoint, wanted) ? endpoint : wanted]
    })
    for (const [uid, endpoint] of group?.endpoints ?? []) {
      if (endpoints.length >= maxEndpoints) break
      if (held.has(`${key} ${uid}`) || seen.has(`${key} ${uid}`)) continue
      endpoints.push(endpoint)
      seen.add(`${key} ${uid}`)
    }
    if (endpoints.length === 0) {
      remove.push(slice)
      continue
    }
    kept.push(slice)
    const isSame = isEqualJson(endpoints, slice.endpoints) && isEqualJson(labels, slice.metadata.labels ?? {})
    if (!isSame) update.push({ ...slice, metadata: { ...slice.metadata, labels }, endpoints })
  }
  for (const [key, { ports, endpoints }] of groups) {
    const left = [...endpoints].filter(([uid]) => !seen.has(`${key} ${uid}`)).map(([, endpoint]) => endpoint)
    for (let at = 0; at < left.length; at += maxEndpoints) create.push(newSlice(ports, left.slice(at, at + maxEndpoints)))
  }
  if (kept.length + create.length > 0) return { create, update, remove }
  // A Service without endpoints keeps one empty slice, so that clients can distinguish it from one that was not reconciled yet.
  const [placeholder, ...rest] = remove.sort((a, b) => (isPlaceholder(a) === isPlaceholder(b) ? 0 : isPlaceholder(a) ? -1 : 1))
  if (placeholder === undefined) return { create: [newSlice([], [])], update, remove: rest }
  const isSame = isPlaceholder(placeholder) && isEqualJson(labels, placeholder.metadata.labels ?? {})
  const emptied = { ...placeholder, metadata: { ...placeholder.metadata, labels }, endpoints: [], ports: [] }
  return { create, update: isSame ? [] : [emptied], remove: rest }
}

const isPlaceholder = ({ endpoints, ports }: EndpointSlice) => (endpoints ?? []).length === 0 && (ports ?? []).length === 0

interface Group {
  readonly ports: Ports
  /** By the uid of the pod. */
  readonly endpoints: Map<string, Endpoint>
}

function groupByPorts(
  service: Stored<Service>,
  family: string,
  pods: readonly Stored<Pod>[],
  zoneOf: (nodeName: string) => string | undefined,
): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const pod of pods) {
    const address = hasAddress(pod) ? addressOf(pod, family) : undefined
    if (address === undefined) continue
    const ports = portsOf(service, pod)
    const key = portsKey(ports)
    getOrAdd(groups, key, () => ({ ports, endpoints: new Map() })).endpoints.set(
      pod.metadata.uid,
      endpointOf(service, pod, address, zoneOf),
    )
  }
  return groups
}

function portsOf({ spec }: Service, pod: Pod): Ports {
  return (spec?.ports ?? []).flatMap((port) => {
    const number = portNumberOf(pod, port)
    if (number === undefined) return []
    const { name = '', protocol, appProtocol } = port
    return [{ name, ...(protocol !== undefined && { protocol }), port: number, ...(appProtocol !== undefined && { appProtocol }) }]
  })
}

/** Ports in any order. */
const portsKey = (ports: Ports) =>
  ports
    .map(({ name = '', protocol = '', port, appProtocol = '' }) => `${name}/${protocol}/${port ?? ''}/${appProtocol}`)
    .sort()
    .join(' ')

function endpointOf(service: Service, pod: Stored<Pod>, address: string, zoneOf: (nodeName: string) => string | undefined): Endpoint {
  const serving = isReady(pod)
  const terminating = pod.metadata.deletionTimestamp !== undefined
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating)
  const hostname = hostnameOf(pod, service)
  const nodeName = pod.spec?.nodeName
  const zone = nodeName === undefined ? undefined : zoneOf(nodeName)
  return {
    addresses: [address],
    conditions: { ready, serving, terminating },
    ...(hostname !== undefined && { hostname }),
    targetRef: podReference(pod),
    ...(nodeName && { nodeName }),
    ...(zone && { zone }),
    ...planHints(service, { ready, nodeName, zone }),
  }
}

function sliceLabels(service: Service): Record<string, string> {
  const { [headlessLabel]: _, ...own } = service.metadata?.labels ?? {}
  return sortKeys({
    ...own,
    [managedByLabel]: managedByController,
    [serviceNameLabel]: service.metadata?.name ?? '',
    ...(!hasClusterIp(service) && { [headlessLabel]: '' }),
  })
}

/** Names of slices have a suffix, which must fit into a DNS name. */
const slicePrefix = (name: string) => (name.length + 1 > 253 ? name : `${name}-`)
