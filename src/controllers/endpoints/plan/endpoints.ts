// The Endpoints of a Service: the older form of EndpointSlices, all addresses in one object.
// Kubernetes: pkg/controller/endpoint.Controller.syncService, addEndpointSubset, truncateEndpoints, podToEndpointAddressForService
// Kubernetes: pkg/controller/endpoint.labelsCorrectForEndpoints

import type { Endpoints, Pod, Service, Stored } from '../../../api/types.ts'
import { isEqualJson } from '../../../base/json.ts'
import { sortKeys } from '../../../base/maps.ts'
import { isReady } from '../../shared/plan/pod-state.ts'
import { packSubsets } from './packed-subsets.ts'
import { addressOf, familiesOf, hasAddress, hasClusterIp, headlessLabel, hostnameOf, podReference, portNumberOf } from './service-pods.ts'
import { withTriggerTime } from './trigger-time.ts'

type Subset = NonNullable<Endpoints['subsets']>[number]
type Address = NonNullable<Subset['addresses']>[number]
type Port = NonNullable<Subset['ports']>[number]

const managedByLabel = 'endpoints.kubernetes.io/managed-by'
const managedByController = 'endpoint-controller'
const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity'
const maxAddresses = 1000

export const isManaged = ({ metadata }: Endpoints) => metadata?.labels?.[managedByLabel] === managedByController

/** The object to create or to update to, with `triggerTime` as an annotation; undefined when `current` is right already. */
export function planEndpoints(
  service: Stored<Service>,
  pods: readonly Stored<Pod>[],
  current: Stored<Endpoints> | undefined,
  triggerTime?: string,
): Endpoints | undefined {
  const all = subsetsOf(service, pods)
  const subsets = truncate(all)
  const labels = labelsOf(service)
  const { [overCapacityAnnotation]: before, ...others } = current?.metadata.annotations ?? {}
  const capacity: Record<string, string> = subsets === all ? {} : { [overCapacityAnnotation]: 'truncated' }
  const isSame =
    current !== undefined &&
    isEqualJson(subsets, current.subsets ?? []) &&
    isEqualJson(labels, current.metadata.labels ?? {}) &&
    capacity[overCapacityAnnotation] === before
  if (isSame) return undefined
  const { name, namespace } = service.metadata
  const metadata = current?.metadata ?? { name, ...(namespace !== undefined && { namespace }) }
  const annotations = withTriggerTime({ ...others, ...capacity }, triggerTime)!
  const hasAnnotations = current?.metadata.annotations !== undefined || Object.keys(annotations).length > 0
  return { metadata: { ...metadata, labels, ...(hasAnnotations && { annotations }) }, subsets }
}

function labelsOf(service: Service): Record<string, string> {
  const { [headlessLabel]: _, ...labels } = service.metadata?.labels ?? {}
  return sortKeys({ ...labels, [managedByLabel]: managedByController, ...(!hasClusterIp(service) && { [headlessLabel]: '' }) })
}

function subsetsOf(service: Stored<Service>, pods: readonly Stored<Pod>[]): Subset[] {
  const { publishNotReadyAddresses: publishesAll = false } = service.spec ?? {}
  const [family = 'IPv4'] = familiesOf(service)
  const single: Subset[] = []
  for (const pod of pods) {
    const isIncluded = hasAddress(pod) && (publishesAll || pod.metadata.deletionTimestamp === undefined)
    const ip = isIncluded ? addressOf(pod, family) : undefined
    if (ip === undefined) continue
    const ports = portsOf(service, pod)
    if (ports === undefined) continue
    const hostname = hostnameOf(pod, service)
    const nodeName = pod.spec?.nodeName
    const address = { ip, ...(hostname !== undefined && { hostname }), ...(nodeName && { nodeName }), targetRef: podReference(pod) }
    single.push({ [publishesAll || isReady(pod) ? 'addresses' : 'notReadyAddresses']: [address], ports })
  }
  return packSubsets(single).map(({ entries, ports }) => {
    const ready = entries.filter((one) => one.ready).map(({ address }) => address)
    const notReady = entries.filter((one) => !one.ready).map(({ address }) => address)
    return {
      ...(ready.length > 0 && { addresses: ready }),
      ...(notReady.length > 0 && { notReadyAddresses: notReady }),
      ...(ports.length > 0 && { ports }),
    }
  })
}

/** Undefined if the pod has no port of the Service. A headless Service needs no ports. */
function portsOf(service: Service, pod: Pod): readonly Port[] | undefined {
  const wanted = service.spec?.ports ?? []
  if (wanted.length === 0) return hasClusterIp(service) ? undefined : []
  const ports = wanted.flatMap((port): Port[] => {
    const number = portNumberOf(pod, port)
    const { name, protocol, appProtocol } = port
    if (number === undefined) return []
    return [{ ...(name && { name }), port: number, ...(protocol && { protocol }), ...(appProtocol && { appProtocol }) }]
  })
  return ports.length === 0 ? undefined : ports
}

/** At most 1000 addresses, ready ones first: the limit of Kubernetes for one object. */
function truncate(subsets: Subset[]): Subset[] {
  const count = (list: readonly unknown[] | undefined) => list?.length ?? 0
  const total = subsets.reduce((sum, one) => sum + count(one.addresses) + count(one.notReadyAddresses), 0)
  if (total <= maxAddresses) return subsets
  let left = maxAddresses
  const take = (list: readonly Address[] | undefined) => {
    const taken = (list ?? []).slice(0, left)
    left -= taken.length
    return taken
  }
  const ready = subsets.map(({ addresses }) => take(addresses))
  const notReady = subsets.map(({ notReadyAddresses }) => take(notReadyAddresses))
  return subsets.flatMap(({ ports }, index) => {
    const [addresses, others] = [ready[index]!, notReady[index]!]
    if (addresses.length + others.length === 0) return []
    return [
      {
        ...(addresses.length > 0 && { addresses }),
        ...(others.length > 0 && { notReadyAddresses: others }),
        ...(ports !== undefined && { ports }),
      },
    ]
  })
}
