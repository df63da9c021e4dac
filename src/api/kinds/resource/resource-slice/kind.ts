import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { ResourceSlice } from '../../../types.ts'
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
  columns: columnsOf([
    nameColumn,
    text('Node', 'The node that has the devices.', ({ spec }) => spec?.nodeName ?? ''),
    text('Driver', 'The driver of the devices.', ({ spec }) => spec?.driver ?? ''),
    text('Pool', 'The pool that the slice belongs to.', ({ spec }) => spec?.pool?.name ?? ''),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}
