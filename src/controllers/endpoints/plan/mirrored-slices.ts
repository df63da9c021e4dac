// The EndpointSlices of Endpoints that a client maintains, for a Service without a selector: clients that read slices only find these endpoints too.
// Kubernetes: pkg/controller/endpointslicemirroring.reconciler.reconcile, reconciler.reconcileByPortMapping, newEndpointSlice
// Kubernetes: pkg/controller/endpointslicemirroring.addressToEndpoint, epPortsToEpsPorts, skipMirror, cloneAndRemoveKeys
import { controllerReference } from '../../../api/machinery/owners.ts'
import type { EndpointSlice, Endpoints, Service, Stored } from '../../../api/types.ts'
import { isEqualJson } from '../../../base/json.ts'
import { managedByLabel, type SliceActions, serviceNameLabel } from './endpoint-slices.ts'
import { packSubsets } from './packed-subsets.ts'
import { triggerTimeAnnotation } from './trigger-time.ts'

export const mirroredByController = 'endpointslicemirroring-controller.k8s.io'
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror'
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'
const notCopied = [triggerTimeAnnotation, 'kubectl.kubernetes.io/last-applied-configuration']
const maxEndpoints = 1000

interface MirrorPlan extends SliceActions {
  /** The message of a warning on the source: addresses beyond the limit are not mirrored. */
  readonly warning: string | undefined
}

/** `existing` are the slices that mirror these Endpoints. */
export function planMirroredSlices(
  source: Stored<Endpoints>,
  service: Stored<Service> | undefined,
  existing: readonly Stored<EndpointSlice>[],
): MirrorPlan {
  const { wanted, skipped } = isMirrored(source, service) ? slicesOf(source) : { wanted: [], skipped: 0 }
  const free = [...existing]
  const create: EndpointSlice[] = []
  const update: Stored<EndpointSlice>[] = []
  for (const slice of wanted) {
    const at = free.findIndex(({ addressType, ports }) => addressType === slice.addressType && isEqualJson(ports ?? [], slice.ports))
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
  const warning = `A max of ${maxEndpoints} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`
  return { create, update, remove: free, warning: skipped > 0 ? warning : undefined }
}

function isMirrored({ metadata }: Stored<Endpoints>, service: Stored<Service> | undefined): boolean {
  if (service === undefined || Object.keys(service.spec?.selector ?? {}).length > 0) return false
  return metadata.labels?.[skipLabel] !== 'true' && metadata.annotations?.[leaderAnnotation] === undefined
}

function slicesOf({ metadata, subsets, ...rest }: Stored<Endpoints>): { wanted: EndpointSlice[]; skipped: number } {
  const labels = { ...metadata.labels, [managedByLabel]: mirroredByController, [serviceNameLabel]: metadata.name }
  const annotations = Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !notCopied.includes(name)))
  const head = {
    generateName: `${metadata.name}-`,
    namespace: metadata.namespace ?? '',
    labels,
    annotations,
    ownerReferences: [controllerReference('v1', 'Endpoints', { metadata, ...rest } as Stored<Endpoints>)],
  }
  let skipped = 0
  const wanted = packSubsets(subsets ?? []).flatMap(({ entries, ports }) => {
    // The limit is for the subset; ready addresses come first.
    const ordered = [...entries.filter(({ ready }) => ready), ...entries.filter(({ ready }) => !ready)]
    const mirrored = ordered.slice(0, maxEndpoints)
    skipped += ordered.length - mirrored.length
    return ['IPv4', 'IPv6'].flatMap((addressType): EndpointSlice[] => {
      const all = mirrored.filter(({ address }) => address.ip.includes(':') === (addressType === 'IPv6'))
      if (all.length === 0) return []
      const endpoints = all.map(({ address: { ip, hostname, nodeName, targetRef }, ready }) => ({
        addresses: [ip],
        conditions: { ready },
        ...(hostname && { hostname }),
        ...(targetRef && { targetRef }),
        ...(nodeName && { nodeName }),
      }))
      const shown = ports.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
        name,
        port,
        protocol,
        ...(appProtocol && { appProtocol }),
      }))
      return [{ metadata: head, addressType, endpoints, ports: shown }]
    })
  })
  return { wanted, skipped }
}
