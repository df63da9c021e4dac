import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceSlice } from '../../../types.ts'
import { resourceSliceColumns } from './columns.ts'
import { defaultResourceSlice } from './defaults.ts'
import { resourceSliceTypes } from './schema.ts'
import { validateResourceSlice } from './validation.ts'

export const resourceSlices: Kind<ResourceSlice> = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  namespaced: false,
  type: 'resource.ResourceSlice',
  types: resourceSliceTypes,
  strategy: {
    names: 'dns-subdomain',
    generation: true,
    default: defaultResourceSlice,
    validate: validateResourceSlice,
  },
  selectableFields: { 'spec.driver': ({ spec }) => spec?.driver ?? '', 'spec.nodeName': ({ spec }) => spec?.nodeName ?? '' },
  columns: resourceSliceColumns,
  returnsDeletedObject: true,
}
