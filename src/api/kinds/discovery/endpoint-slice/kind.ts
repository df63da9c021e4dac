// Kubernetes: pkg/printers/internalversion.printEndpointSlice
// Kubernetes: pkg/registry/discovery/endpointslice.endpointSliceStrategy.*
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, columnsOf, nameColumn, shortList, text } from '../../../machinery/columns/cells.ts'
import { fill } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { EndpointSlice, Writable } from '../../../types.ts'
import { validateEndpointSlice, validateEndpointSliceUpdate } from './validation.ts'

export const endpointSlices: Kind<EndpointSlice> = {
  ...resource('discovery.EndpointSlice'),
  strategy: {
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
  },
  columns: columnsOf([
    nameColumn,
    text('AddressType', 'What its addresses are.', ({ addressType }) => addressType ?? ''),
    text('Ports', 'The ports of every endpoint.', ({ ports }) =>
      shortList((ports ?? []).map(({ port, name }) => (port !== undefined ? String(port) : (name ?? '*')))),
    ),
    text('Endpoints', 'The addresses.', ({ endpoints }) => shortList((endpoints ?? []).flatMap(({ addresses }) => addresses ?? []))),
    ageColumn,
  ]),
}

const contents = ({ addressType, endpoints, ports }: EndpointSlice) => ({ addressType, endpoints: endpoints ?? [], ports: ports ?? [] })

function prepare(slice: Writable<EndpointSlice>): void {
  for (const endpoint of slice.endpoints ?? []) delete endpoint.deprecatedTopology
}

type Nullable<T> = { [Field in keyof T]: T[Field] | null }
