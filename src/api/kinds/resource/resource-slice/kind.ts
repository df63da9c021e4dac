import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceSlice } from '../../../types.ts'
import { resourceSliceColumns } from './columns.ts'
import { resourceSliceTypes } from './schema.ts'
import { resourceSliceStrategy } from './strategy.ts'

export const resourceSlices: Kind<ResourceSlice> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  namespaced: false,
  type: 'resource.ResourceSlice',
  types: resourceSliceTypes,
  strategy: resourceSliceStrategy,
  columns: resourceSliceColumns,
  returnsDeletedObject: true,
}
