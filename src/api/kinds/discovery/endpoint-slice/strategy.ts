// Kubernetes: pkg/registry/discovery/endpointslice.endpointSliceStrategy.*
import { isEqualJson } from '../../../../base/json.ts'
import { fill } from '../../../machinery/fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { EndpointSlice, Writable } from '../../../types.ts'
import { validateEndpointSlice, validateEndpointSliceUpdate } from './validation.ts'

export const endpointSliceStrategy: Strategy<EndpointSlice> = {
  generation: true,
  // A change of labels counts: they name the Service that the slice belongs to.
  generationChanges: (next, current) =>
    !isEqualJson(contents(next), contents(current)) || !isEqualJson(next.metadata?.labels ?? {}, current.metadata?.labels ?? {}),
  default(slice) {
    if (slice.ports) slice.ports = slice.ports.map((port) => fill('discovery.EndpointPort', port, { name: '', protocol: 'TCP' }))
  },
  prepareForCreate: prepare,
  prepareForUpdate: prepare,
  metadata: { onUpdate: ['as new'] },
  validate: validateEndpointSlice,
  validateUpdate: validateEndpointSliceUpdate,
  warnings: (slice, current) =>
    current === undefined && slice.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
}

const contents = ({ addressType, endpoints, ports }: EndpointSlice) => ({ addressType, endpoints: endpoints ?? [], ports: ports ?? [] })

function prepare(slice: Nullable<Writable<EndpointSlice>>): void {
  for (const endpoint of slice.endpoints ?? []) delete endpoint.deprecatedTopology
  // Protobuf does not distinguish an empty list from none: Kubernetes returns a slice without endpoints or ports with null.
  if (slice.endpoints?.length === 0) slice.endpoints = null
  if (slice.ports?.length === 0) slice.ports = null
}

type Nullable<T> = { [Field in keyof T]: T[Field] | null }
