import { ageColumn, ageOf, labelsCell, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Service } from '../../../types.ts'

export const serviceColumns: Columns<Service> = {
  definitions: [
    nameColumn,
    text('Type', 'How the service can be reached.'),
    text('Cluster-IP', 'Its address inside of the cluster.'),
    text('External-IP', 'Its addresses outside of the cluster.'),
    text('Port(s)', 'The ports that it offers.'),
    ageColumn,
    text('Selector', 'Which pods are behind it.', 1),
  ],
  cells: (service, nowMs) => [
    nameOf(service),
    service.spec?.type ?? '',
    service.spec?.clusterIPs?.[0] ?? '<none>',
    externalAddresses(service),
    servicePorts(service),
    ageOf(service, nowMs),
    labelsCell(service.spec?.selector),
  ],
}

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
