// Kubernetes: pkg/registry/core/endpoint.endpointsStrategy.*
// Kubernetes: pkg/printers/internalversion.printEndpoints
// Kubernetes: pkg/apis/core/v1.SetDefaults_Endpoints
import { ageColumn, columnsOf, nameColumn, shortList, text } from '../../../machinery/columns/cells.ts'
import { fill } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { ipWarnings } from '../../../machinery/validation/ip-address.ts'
import type { Endpoints } from '../../../types.ts'
import { validateEndpoints, validateEndpointsUpdate } from './validation.ts'

export const endpoints: Kind<Endpoints> = {
  ...resource('core.Endpoints'),
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  strategy: {
    createOnUpdate: true,
    default(endpoints) {
      for (const subset of endpoints.subsets ?? [])
        if (subset.ports) subset.ports = subset.ports.map((port) => fill('core.EndpointPort', port, { protocol: 'TCP' }))
    },
    validate: validateEndpoints,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateEndpointsUpdate,
    warnings(endpoints) {
      if (endpoints.metadata?.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return []
      return (endpoints.subsets ?? []).flatMap(({ addresses, notReadyAddresses }, i) => [
        ...(addresses ?? []).flatMap(({ ip }, j) => ipWarnings(`subsets[${i}].addresses[${j}].ip`, ip)),
        ...(notReadyAddresses ?? []).flatMap(({ ip }, j) => ipWarnings(`subsets[${i}].notReadyAddresses[${j}].ip`, ip)),
      ])
    },
  },
  columns: columnsOf([nameColumn, text('Endpoints', 'The addresses and ports.', endpointsCell), ageColumn]),
}

function endpointsCell({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>'
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`))),
  )
  return all.length === 0 ? '' : shortList(all)
}
