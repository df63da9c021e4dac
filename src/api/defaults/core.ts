// The kinds of core/v1 that run nothing themselves.

import { fill, fillMap, fillObject, replaceFields } from '../machinery/fields.ts'
import type {
  EndpointSlice,
  Endpoints,
  LimitRange,
  Namespace,
  Node,
  PriorityClass,
  ResourceQuota,
  Secret,
  Service,
  Writable,
} from '../types.ts'
import { roundResources } from './resources.ts'

const affinitySeconds = 10_800

export function defaultService(service: Writable<Service>): void {
  const asked: Partial<NonNullable<typeof service.spec>> = service.spec ?? {}
  const type = asked.type ?? 'ClusterIP'
  const external = type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && (asked.externalIPs?.length ?? 0) > 0)
  const byClient = asked.sessionAffinity === 'ClientIP' && asked.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  const spec = fill('core.ServiceSpec', service.spec, {
    type,
    sessionAffinity: 'None',
    ...(external && { externalTrafficPolicy: 'Cluster' }),
    ...(type !== 'ExternalName' && { internalTrafficPolicy: 'Cluster' }),
    ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
  })
  if (spec.ports)
    spec.ports = spec.ports.map((port) => {
      const targetPort = port.targetPort === 0 || port.targetPort === '' ? undefined : port.targetPort
      return fill('core.ServicePort', { ...port, targetPort } as typeof port, { protocol: 'TCP', targetPort: port.port })
    })
  service.spec =
    spec.sessionAffinity === 'None' && spec.sessionAffinityConfig !== undefined
      ? replaceFields('core.ServiceSpec', spec, { sessionAffinityConfig: undefined })
      : byClient
        ? replaceFields('core.ServiceSpec', spec, { sessionAffinityConfig: { clientIP: { timeoutSeconds: affinitySeconds } } })
        : spec
  const ingress = service.status?.loadBalancer?.ingress
  if (type === 'LoadBalancer' && ingress)
    service.status!.loadBalancer!.ingress = ingress.map((one) => (one.ip ? fill('core.LoadBalancerIngress', one, { ipMode: 'VIP' }) : one))
}

/** `stringData` is written into `data`, over what is there, and is never stored. */
export function defaultSecret(secret: Writable<Secret>): void {
  const { stringData } = secret
  if (stringData !== undefined) {
    const encoded: Record<string, string> = Object.create(null) as Record<string, string>
    for (const [key, text] of Object.entries(stringData)) encoded[key] = toBase64(text)
    delete secret.stringData
    if (Object.keys(encoded).length > 0) {
      const data = fillMap(encoded, secret.data ?? {})
      delete secret.data
      fillObject('core.Secret', secret, { data })
    }
  }
  fillObject('core.Secret', secret, { type: 'Opaque' })
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let encoded = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b, c] = [bytes[at]!, bytes[at + 1], bytes[at + 2]]
    encoded += alphabet[a >> 2]! + alphabet[((a & 3) << 4) | ((b ?? 0) >> 4)]!
    encoded += b === undefined ? '=' : alphabet[((b & 15) << 2) | ((c ?? 0) >> 6)]!
    encoded += c === undefined ? '=' : alphabet[c & 63]!
  }
  return encoded
}

const nameLabel = 'kubernetes.io/metadata.name'

/** Every namespace carries its own name as a label. One that is still to be named gets it when it has its name. */
export function defaultNamespace(namespace: Writable<Namespace>): void {
  const name = namespace.metadata?.name
  const labels = namespace.metadata?.labels
  if (name && labels?.[nameLabel] !== name)
    namespace.metadata = replaceFields('meta.ObjectMeta', namespace.metadata, { labels: fillMap({ [nameLabel]: name }, labels ?? {}) })
  if (!namespace.spec) namespace.spec = {}
  namespace.status = fill('core.NamespaceStatus', namespace.status, { phase: 'Active' })
}

export function defaultNode(node: Writable<Node>): void {
  if (node.spec) {
    // podCIDR is the first of podCIDRs; where they differ, podCIDR counts.
    const { podCIDR, podCIDRs } = node.spec
    const first = podCIDRs?.[0] || undefined
    if (podCIDR !== first) node.spec = replaceFields('core.NodeSpec', node.spec, podCIDR ? { podCIDRs: [podCIDR] } : { podCIDR: first })
  }
  const status = node.status
  if (!status) return
  roundResources(status.capacity)
  roundResources(status.allocatable)
  if (status.capacity && !status.allocatable) node.status = fill('core.NodeStatus', status, { allocatable: { ...status.capacity } })
}

interface LimitRangeItem {
  type: string
  max?: Record<string, string>
  min?: Record<string, string>
  default?: Record<string, string>
  defaultRequest?: Record<string, string>
  maxLimitRequestRatio?: Record<string, string>
}

export function defaultLimitRange(limitRange: Writable<LimitRange>): void {
  if (!limitRange.spec?.limits) return
  const items = limitRange.spec.limits as unknown as LimitRangeItem[]
  limitRange.spec.limits = items.map(defaultLimitRangeItem) as unknown as typeof limitRange.spec.limits
}

/** For containers: a limit where only a maximum is given, a request where only a limit or a minimum is. */
function defaultLimitRangeItem(item: LimitRangeItem): LimitRangeItem {
  for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) roundResources(list)
  if (item.type !== 'Container') return item
  const limits = fillMap(item.default, item.max ?? {})
  const requests = fillMap(fillMap(item.defaultRequest, limits), item.min ?? {})
  return replaceFields('core.LimitRangeItem', item, {
    default: Object.keys(limits).length > 0 ? limits : undefined,
    defaultRequest: Object.keys(requests).length > 0 ? requests : undefined,
  })
}

export function defaultResourceQuota(quota: Writable<ResourceQuota>): void {
  roundResources(quota.spec?.hard)
  roundResources(quota.status?.hard)
  roundResources(quota.status?.used)
}

export function defaultEndpoints(endpoints: Writable<Endpoints>): void {
  for (const subset of endpoints.subsets ?? [])
    if (subset.ports) subset.ports = subset.ports.map((port) => fill('core.EndpointPort', port, { protocol: 'TCP' }))
}

export function defaultEndpointSlice(slice: Writable<EndpointSlice>): void {
  if (slice.ports) slice.ports = slice.ports.map((port) => fill('discovery.EndpointPort', port, { name: '', protocol: 'TCP' }))
}

export function defaultPriorityClass(priorityClass: Writable<PriorityClass>): void {
  fillObject('scheduling.PriorityClass', priorityClass, { preemptionPolicy: 'PreemptLowerPriority' })
}
