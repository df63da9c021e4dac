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
  selectableFields: { 'spec.driver': ({ spec }) => spec?.driver ?? '', 'spec.nodeName': ({ spec }) => spec?.nodeName ?? '' },
  columns: resourceSliceColumns,
  returnsDeletedObject: true,
}
