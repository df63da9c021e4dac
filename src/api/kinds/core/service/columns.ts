import { ageColumn, columnsOf, labelsCell, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Service } from '../../../types.ts'

export const serviceColumns = columnsOf<Service>([
  nameColumn,
  text('Type', 'How the service can be reached.', ({ spec }) => spec?.type ?? ''),
  text('Cluster-IP', 'Its address inside of the cluster.', ({ spec }) => spec?.clusterIPs?.[0] ?? '<none>'),
  text('External-IP', 'Its addresses outside of the cluster.', externalAddresses),
  text('Port(s)', 'The ports that it offers.', servicePorts),
  ageColumn,
  text('Selector', 'Which pods are behind it.', ({ spec }) => labelsCell(spec?.selector), 1),
])

function externalAddresses(service: Service): string {
  const { type, externalIPs = [], externalName } = service.spec ?? {}
  if (type === 'ExternalName') return externalName ?? ''
  if (type === 'ClusterIP' || type === 'NodePort') return externalIPs.join(',') || '<none>'
  if (type !== 'LoadBalancer') return '<unknown>'
  const points = (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter((one) => one !== '')
  return [...[...new Set(points)].sort(), ...externalIPs].join(',') || '<pending>'
}

function servicePorts(service: Service): string {
  const ports = (service.spec?.ports ?? []).map(
    ({ port, nodePort = 0, protocol }) => `${port}${nodePort > 0 ? `:${nodePort}` : ''}/${protocol}`,
  )
  return ports.join(',') || '<none>'
}
