// The EndpointSlices of Endpoints that a client maintains, for a Service without a selector: clients that read slices only find these endpoints too.
import { controllerReference } from '../../../api/machinery/owners.ts'
import type { EndpointSlice, Endpoints, Service, Stored } from '../../../api/types.ts'
import { isEqualJson } from '../../../base/json.ts'
import { managedByLabel, type SliceActions, serviceNameLabel } from './endpoint-slices.ts'

export const mirroredByController = 'endpointslicemirroring-controller.k8s.io'
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror'
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'
const notCopied = ['endpoints.kubernetes.io/last-change-trigger-time', 'kubectl.kubernetes.io/last-applied-configuration']
const maxEndpoints = 1000

/** `existing` are the slices that mirror these Endpoints. */
export function planMirroredSlices(
  source: Stored<Endpoints>,
  service: Stored<Service> | undefined,
  existing: readonly Stored<EndpointSlice>[],
): SliceActions {
  const wanted = isMirrored(source, service) ? slicesOf(source) : []
  const free = [...existing]
  const create: EndpointSlice[] = []
  const update: Stored<EndpointSlice>[] = []
  for (const slice of wanted) {
    const at = free.findIndex(({ addressType, ports }) => addressType === slice.addressType && isEqualJson(ports, slice.ports))
    const [known] = at < 0 ? [] : free.splice(at, 1)
    if (known === undefined) {
      create.push(slice)
      continue
    }
    const { labels, annotations } = slice.metadata!
    const isSame =
      isEqualJson(known.endpoints, slice.endpoints) &&
      isEqualJson(known.metadata.labels, labels) &&
      isEqualJson(known.metadata.annotations ?? {}, annotations ?? {})
    if (!isSame)
      update.push({ ...known, metadata: { ...known.metadata, labels: labels!, annotations: annotations! }, endpoints: slice.endpoints! })
  }
  return { create, update, remove: free }
}

function isMirrored({ metadata }: Stored<Endpoints>, service: Stored<Service> | undefined): boolean {
  if (service === undefined || Object.keys(service.spec?.selector ?? {}).length > 0) return false
  return metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined
}

function slicesOf({ metadata, subsets, ...rest }: Stored<Endpoints>): EndpointSlice[] {
  const labels = { ...metadata.labels, [managedByLabel]: mirroredByController, [serviceNameLabel]: metadata.name }
  const annotations = Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !notCopied.includes(name)))
  const head = {
    generateName: `${metadata.name}-`,
    namespace: metadata.namespace ?? '',
    labels,
    annotations,
    ownerReferences: [controllerReference('v1', 'Endpoints', { metadata, ...rest } as Stored<Endpoints>)],
  }
  return (subsets ?? []).flatMap(({ addresses, notReadyAddresses, ports }) =>
    ['IPv4', 'IPv6'].flatMap((addressType): EndpointSlice[] => {
      const isOfType = (ip: string) => ip.includes(':') === (addressType === 'IPv6')
      const all = [
        ...(addresses ?? []).map((one) => ({ one, ready: true })),
        ...(notReadyAddresses ?? []).map((one) => ({ one, ready: false })),
      ].filter(({ one }) => isOfType(one.ip))
      if (all.length === 0) return []
      const endpoints = all.slice(0, maxEndpoints).map(({ one: { ip, hostname, nodeName, targetRef }, ready }) => ({
        addresses: [ip],
        conditions: { ready },
        ...(hostname && { hostname }),
        ...(targetRef && { targetRef }),
        ...(nodeName && { nodeName }),
      }))
      const shown = (ports ?? []).map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
        name,
        port,
        protocol,
        ...(appProtocol && { appProtocol }),
      }))
      return [{ metadata: head, addressType, endpoints, ports: shown }]
    }),
  )
}
