// The hints of an endpoint for `spec.trafficDistribution` of its Service: which zone or node its traffic should come from.
// Kubernetes: k8s.io/endpointslice/trafficdist.ReconcileHints
// Kubernetes: k8s.io/endpointslice.Reconciler.validTrafficDistribution, hintsEnabled
import type { EndpointSlice, Service } from '../../../api/types.ts'

type Endpoint = NonNullable<EndpointSlice['endpoints']>[number]

const topologyAnnotations = ['service.kubernetes.io/topology-mode', 'service.kubernetes.io/topology-aware-hints']
const closeDistributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']

interface Place {
  readonly ready: boolean
  readonly nodeName: string | undefined
  readonly zone: string | undefined
}

/** Only ready endpoints have hints. The older annotations for topology-aware routing have priority over the field. */
export function planHints({ metadata, spec }: Service, { ready, nodeName, zone }: Place): Pick<Endpoint, 'hints'> {
  const { trafficDistribution } = spec ?? {}
  if (!ready || trafficDistribution === undefined || !closeDistributions.includes(trafficDistribution)) return {}
  if (topologyAnnotations.some((name) => isAuto(metadata?.annotations?.[name]))) return {}
  const node = trafficDistribution === 'PreferSameNode' ? nodeName : undefined
  if (!zone && !node) return {}
  return { hints: { ...(node && { forNodes: [{ name: node }] }), ...(zone && { forZones: [{ name: zone }] }) } }
}

const isAuto = (value: string | undefined) => value === 'Auto' || value === 'auto'
