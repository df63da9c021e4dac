// Kubernetes: pkg/printers/internalversion.printEndpointSlice
import { ageColumn, columnsOf, nameColumn, shortList, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { EndpointSlice } from '../../../types.ts'
import { endpointSliceStrategy } from './strategy.ts'

export const endpointSlices: Kind<EndpointSlice> = {
  ...resource('discovery.EndpointSlice'),
  strategy: endpointSliceStrategy,
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
