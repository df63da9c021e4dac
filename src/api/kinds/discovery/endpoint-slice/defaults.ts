import { fill } from '../../../machinery/fields.ts'
import type { EndpointSlice, Writable } from '../../../types.ts'

export function defaultEndpointSlice(slice: Writable<EndpointSlice>): void {
  if (slice.ports) slice.ports = slice.ports.map((port) => fill('discovery.EndpointPort', port, { name: '', protocol: 'TCP' }))
}
