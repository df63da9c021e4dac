import { fill } from '../../../machinery/fields.ts'
import type { Endpoints, Writable } from '../../../types.ts'

export function defaultEndpoints(endpoints: Writable<Endpoints>): void {
  for (const subset of endpoints.subsets ?? [])
    if (subset.ports) subset.ports = subset.ports.map((port) => fill('core.EndpointPort', port, { protocol: 'TCP' }))
}
