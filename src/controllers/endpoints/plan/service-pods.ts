// Which pods are behind a Service, and at which ports.
// Kubernetes: k8s.io/endpointslice.getEndpointPorts, getEndpointAddresses, getAddressTypesForService, FindPort
// Kubernetes: k8s.io/endpointslice/util.ShouldPodBeInEndpoints, ShouldSetHostname
import type { Pod, Service, Stored } from '../../../api/types.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'

export type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number]

export const headlessLabel = 'service.kubernetes.io/headless'

/** Not set: the Service is headless, or ExternalName. */
export const hasClusterIp = ({ spec }: Service) => !!spec?.clusterIP && spec.clusterIP !== 'None'

/** Terminated pods and pods without an address never are. */
export const hasAddress = (pod: Pod) => !isTerminal(pod) && (!!pod.status?.podIP || (pod.status?.podIPs ?? []).length > 0)

/** The first address of the family. */
export function addressOf({ status }: Pod, family: string): string | undefined {
  const addresses = status?.podIPs?.map(({ ip }) => ip) ?? (status?.podIP ? [status.podIP] : [])
  return addresses.find((address) => address.includes(':') === (family === 'IPv6'))
}

/** The families that a Service has addresses of; before its defaults, that of its address. */
export function familiesOf({ spec }: Service): readonly string[] {
  if ((spec?.ipFamilies ?? []).length > 0) return spec!.ipFamilies!
  return [spec?.clusterIP?.includes(':') ? 'IPv6' : 'IPv4']
}

/** The number of a target port in this pod; undefined when the pod has no port of that name. */
export function portNumberOf(pod: Pod, { targetPort, port, protocol }: ServicePort): number | undefined {
  if (targetPort === undefined || targetPort === 0 || targetPort === '') return port
  if (typeof targetPort === 'number') return targetPort
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  for (const { ports } of [...(pod.spec?.containers ?? []), ...sidecars])
    for (const one of ports ?? []) if (one.name === targetPort && one.protocol === protocol) return one.containerPort
  return undefined
}

/** The name that the pod has in the domain of a headless Service. */
export function hostnameOf({ metadata, spec }: Pod, service: Service): string | undefined {
  const isInDomain = spec?.subdomain === service.metadata?.name && metadata?.namespace === service.metadata?.namespace
  return spec?.hostname && isInDomain ? spec.hostname : undefined
}

export const podReference = ({ metadata }: Stored<Pod>) => ({
  kind: 'Pod',
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  name: metadata.name,
  uid: metadata.uid,
})
