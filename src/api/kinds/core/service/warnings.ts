// Kubernetes: pkg/api/service.GetWarningsForService
import { ipWarnings } from '../../../machinery/validation/ip-warnings.ts'
import type { Service } from '../../../types.ts'

export function serviceWarnings(service: Service): string[] {
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
