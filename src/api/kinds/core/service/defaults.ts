// Kubernetes: pkg/apis/core/v1.SetDefaults_Service
import { fill, replaceFields } from '../../../machinery/fields.ts'
import type { Service, Writable } from '../../../types.ts'

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
