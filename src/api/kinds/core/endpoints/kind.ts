import type { Kind } from '../../../machinery/kind.ts'
import type { Endpoints } from '../../../types.ts'
import { endpointsColumns } from './columns.ts'
import { endpointsTypes } from './schema.ts'
import { endpointsStrategy } from './strategy.ts'

export const endpoints: Kind<Endpoints> = {
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  namespaced: true,
  type: 'core.Endpoints',
  types: endpointsTypes,
  strategy: endpointsStrategy,
  columns: endpointsColumns,
}
