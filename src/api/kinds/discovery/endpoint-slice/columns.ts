import { ageColumn, columnsOf, nameColumn, shortList, text } from '../../../machinery/columns/cells.ts'
import type { EndpointSlice } from '../../../types.ts'

export const endpointSliceColumns = columnsOf<EndpointSlice>([
  nameColumn,
  text('AddressType', 'What its addresses are.', ({ addressType }) => addressType ?? ''),
  text('Ports', 'The ports of every endpoint.', ({ ports }) =>
    shortList((ports ?? []).map(({ port, name }) => (port !== undefined ? String(port) : (name ?? '*')))),
  ),
  text('Endpoints', 'The addresses.', ({ endpoints }) => shortList((endpoints ?? []).flatMap(({ addresses }) => addresses ?? []))),
  ageColumn,
])
