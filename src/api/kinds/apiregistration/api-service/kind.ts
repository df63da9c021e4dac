import type { Kind } from '../../../machinery/kind.ts'
import type { ApiService } from '../../../types.ts'
import { apiServiceColumns } from './columns.ts'
import { apiServiceTypes } from './schema.ts'
import { apiServiceStrategy } from './strategy.ts'

export const apiServices: Kind<ApiService> = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'apiregistration.APIService',
  types: apiServiceTypes,
  strategy: apiServiceStrategy,
  subresources: { status: true },
  columns: apiServiceColumns,
}
