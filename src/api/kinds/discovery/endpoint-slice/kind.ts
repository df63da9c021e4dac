import type { Kind } from '../../../machinery/kind.ts'
import type { EndpointSlice } from '../../../types.ts'
import { endpointSliceColumns } from './columns.ts'
import { endpointSliceTypes } from './schema.ts'
import { endpointSliceStrategy } from './strategy.ts'

export const endpointSlices: Kind<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  type: 'discovery.EndpointSlice',
  types: endpointSliceTypes,
  strategy: endpointSliceStrategy,
  columns: endpointSliceColumns,
}
