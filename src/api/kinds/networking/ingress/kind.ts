// Kubernetes: pkg/registry/networking/ingress.ingressStrategy.*, ingressStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printIngress
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { Ingress } from '../../../types.ts'
import { ingressWarnings, validateIngress, validateIngressStatusUpdate, validateIngressUpdate } from './validation.ts'

export const ingresses: Kind<Ingress> = {
  ...resource('networking.Ingress'),
  strategy: {
    generation: true,
    ...ownStatus('networking.IngressStatus'),
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateIngress,
    validateUpdate: validateIngressUpdate,
    validateStatusUpdate: validateIngressStatusUpdate,
    warnings: ingressWarnings,
  },
  columns: columnsOf([
    nameColumn,
    text('Class', 'The IngressClass whose controller serves it.', ({ spec }) => spec?.ingressClassName ?? '<none>'),
    text('Hosts', 'The hosts of its rules.', hostsCell),
    text('Address', 'The addresses of the load balancer.', addressCell),
    text('Ports', 'The ports that it opens.', ({ spec }) => ((spec?.tls ?? []).length > 0 ? '80, 443' : '80')),
    ageColumn,
  ]),
}

/** The first three hosts. Kubernetes counts rules without a host as more of them. */
function hostsCell({ spec }: Ingress): string {
  const rules = spec?.rules ?? []
  const hosts: string[] = []
  let hasMore = false
  for (const { host } of rules) {
    hasMore ||= hosts.length === 3
    if (!hasMore && host) hosts.push(host)
  }
  if (hosts.length === 0) return '*'
  return hasMore ? `${hosts.join(',')} + ${rules.length - 3} more...` : hosts.join(',')
}

function addressCell({ status }: Ingress): string {
  const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter((one) => one !== '')
  return [...new Set(addresses)].sort().join(',')
}
