// Kubernetes: pkg/registry/core/service.svcStrategy.*, serviceStatusStrategy.*
import { isEqualJson } from '../../../../base/json.ts'
import { fill, replaceFields } from '../../../machinery/fields.ts'
import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import { ipWarnings } from '../../../machinery/validation/ip-address.ts'
import type { Service, Writable } from '../../../types.ts'
import { validateService, validateServiceStatusUpdate, validateServiceUpdate } from './validation.ts'

type ServiceSpec = Writable<NonNullable<Service['spec']>>

export const serviceStrategy: Strategy<Service> = {
  names: 'dns-label',
  createOnUpdate: true,
  default: defaultService,
  prepareForCreate(service) {
    service.status = { loadBalancer: {} }
    const { spec } = service
    if (spec?.clusterIP && !spec.clusterIPs?.length)
      service.spec = replaceFields('core.ServiceSpec', spec, { clusterIPs: [spec.clusterIP] })
    dropTrafficPolicy(service)
  },
  prepareForUpdate(next, current) {
    keepStatus(next, current)
    keepAssignedFields(next, current)
    dropFieldsOfOldType(next, current)
    dropTrafficPolicy(next)
  },
  prepareForStatusUpdate: keepSpec,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateServiceStatusUpdate,
  warnings: serviceWarnings,
}

const hasClusterIp = (spec: Service['spec']) => spec?.type !== 'ExternalName'
const hasNodePorts = (spec: Service['spec']) => spec?.type === 'NodePort' || spec?.type === 'LoadBalancer'
const hasHealthCheck = (spec: Service['spec']) => spec?.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'
const isExternal = (spec: Service['spec']) => hasNodePorts(spec) || (spec?.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0)

/** Without a cluster IP there is no traffic inside of the cluster to route. */
function dropTrafficPolicy({ spec }: Writable<Service>): void {
  if (spec?.type === 'ExternalName') delete spec.internalTrafficPolicy
}

/** Keeps assigned values that the writer leaves out. A new clusterIP also replaces clusterIPs, which repeats it. */
function keepAssignedFields(next: Writable<Service>, { spec: before }: Service): void {
  const after = next.spec
  if (!after || !before || !hasClusterIp(before) || !hasClusterIp(after)) return
  const kept: Partial<ServiceSpec> = {}
  const clusterIP = after.clusterIP || before.clusterIP
  if (clusterIP !== undefined && !after.clusterIP) kept.clusterIP = clusterIP
  if (!after.clusterIPs?.length || (clusterIP !== before.clusterIP && isEqualJson(after.clusterIPs, before.clusterIPs))) {
    const clusterIPs = clusterIP === before.clusterIP ? (before.clusterIPs ?? []) : clusterIP ? [clusterIP] : []
    if (clusterIPs.length > 0) kept.clusterIPs = [...clusterIPs]
  }
  if (hasNodePorts(before) && hasNodePorts(after) && after.ports !== undefined) {
    const assigned = new Map((before.ports ?? []).map(({ protocol, port, nodePort }) => [`${protocol}/${port}`, nodePort]))
    kept.ports = after.ports.map((port) => {
      const nodePort = port.nodePort || assigned.get(`${port.protocol}/${port.port}`)
      return nodePort ? replaceFields('core.ServicePort', port, { nodePort }) : port
    })
  }
  if (hasHealthCheck(before) && hasHealthCheck(after) && !after.healthCheckNodePort && before.healthCheckNodePort)
    kept.healthCheckNodePort = before.healthCheckNodePort
  next.spec = replaceFields('core.ServiceSpec', after, kept)
}

/** Drops fields of the old type, except those that the same write changes: validation refuses these. */
function dropFieldsOfOldType(next: Writable<Service>, { spec: before }: Service): void {
  const after = next.spec
  if (!after || !before) return
  const gone: (keyof ServiceSpec)[] = []
  const dropIfSame = (...names: (keyof ServiceSpec)[]) => {
    if (names.every((name) => isEqualJson(after[name], before[name]))) gone.push(...names)
  }
  if (hasClusterIp(before) && !hasClusterIp(after)) {
    dropIfSame('clusterIP', 'clusterIPs')
    dropIfSame('ipFamilies')
    dropIfSame('ipFamilyPolicy')
  }
  if (hasHealthCheck(before) && !hasHealthCheck(after)) dropIfSame('healthCheckNodePort')
  if (before.type === 'LoadBalancer' && after.type !== 'LoadBalancer') {
    dropIfSame('allocateLoadBalancerNodePorts')
    dropIfSame('loadBalancerClass')
  }
  if (isExternal(before) && !isExternal(after)) dropIfSame('externalTrafficPolicy')
  if (hasNodePorts(before) && !hasNodePorts(after) && isSubset(nodePorts(after), nodePorts(before)))
    for (const port of after.ports ?? []) delete port.nodePort
  for (const name of gone) delete after[name]
  if (after.type !== 'LoadBalancer' && next.status?.loadBalancer?.ingress)
    next.status = replaceFields('core.ServiceStatus', next.status, { loadBalancer: {} })
}

const nodePorts = (spec: Service['spec']) => new Set((spec?.ports ?? []).flatMap(({ nodePort }) => nodePort || []))
const isSubset = (part: ReadonlySet<number>, whole: ReadonlySet<number>) => [...part].every((one) => whole.has(one))

// Kubernetes: pkg/apis/core/v1.SetDefaults_Service
const affinitySeconds = 10_800

function defaultService(service: Writable<Service>): void {
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

// Kubernetes: pkg/api/service.GetWarningsForService
function serviceWarnings(service: Service): string[] {
  const { clusterIP, clusterIPs, type, externalIPs, loadBalancerIP, sessionAffinity, externalName, trafficDistribution } =
    service.spec ?? {}
  const annotations = service.metadata?.annotations ?? {}
  const warnings: string[] = []
  const hints = 'service.kubernetes.io/topology-aware-hints'
  if (Object.hasOwn(annotations, hints))
    warnings.push(`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`)
  const headless = type === 'ClusterIP' && clusterIP === 'None'
  if (clusterIP && clusterIP !== 'None')
    for (const [i, ip] of (clusterIPs ?? []).entries()) warnings.push(...ipWarnings(`spec.clusterIPs[${i}]`, ip))
  const many = (externalIPs?.length ?? 0) > 0
  if (headless) {
    if (loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services')
    if (many) warnings.push('spec.externalIPs is ignored for headless services')
    if (sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services')
  }
  for (const [i, ip] of (externalIPs ?? []).entries()) warnings.push(...ipWarnings(`spec.externalIPs[${i}]`, ip))
  if (many && !headless && type !== 'ExternalName')
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters')
  if (loadBalancerIP) warnings.push(...ipWarnings('spec.loadBalancerIP', loadBalancerIP))
  if (type === 'ExternalName' && many) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"')
  if (type !== 'ExternalName' && externalName) warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"')
  if (trafficDistribution === 'PreferClose') warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"')
  return warnings
}
