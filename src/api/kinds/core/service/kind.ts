// Kubernetes: pkg/printers/internalversion.printService
// Kubernetes: pkg/registry/core/service.SelectableFields
// Kubernetes: pkg/apis/core/v1.AddFieldLabelConversionsForService
import { ageColumn, columnsOf, labelsCell, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Service } from '../../../types.ts'
import { serviceStrategy } from './strategy.ts'

export const services: Kind<Service> = {
  ...resource('core.Service'),
  strategy: serviceStrategy,
  selectableFields: {
    'spec.clusterIP': ({ spec }) => spec?.clusterIP ?? '',
    'spec.type': ({ spec }) => spec?.type ?? '',
  },
  columns: columnsOf([
    nameColumn,
    text('Type', 'How the service can be reached.', ({ spec }) => spec?.type ?? ''),
    text('Cluster-IP', 'Its address inside of the cluster.', ({ spec }) => spec?.clusterIPs?.[0] ?? '<none>'),
    text('External-IP', 'Its addresses outside of the cluster.', externalAddresses),
    text('Port(s)', 'The ports that it offers.', servicePorts),
    ageColumn,
    text('Selector', 'Which pods are behind it.', ({ spec }) => labelsCell(spec?.selector), 1),
  ]),
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
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
