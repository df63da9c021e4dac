import { ageColumn, ageOf, nameColumn, nameOf, shortList, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { EndpointSlice } from '../../../types.ts'

export const endpointSliceColumns: Columns<EndpointSlice> = {
  definitions: [
    nameColumn,
    text('AddressType', 'What its addresses are.'),
    text('Ports', 'The ports of every endpoint.'),
    text('Endpoints', 'The addresses.'),
    ageColumn,
  ],
  cells: (slice, nowMs) => [
    nameOf(slice),
    slice.addressType ?? '',
    shortList((slice.ports ?? []).map(({ port, name }) => (port !== undefined ? String(port) : (name ?? '*')))),
    shortList((slice.endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
    ageOf(slice, nowMs),
  ],
}
