import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { ResourceSlice } from '../../../types.ts'

export const resourceSliceColumns = columnsOf<ResourceSlice>([
  nameColumn,
  text('Node', 'The node that has the devices.', ({ spec }) => spec?.nodeName ?? ''),
  text('Driver', 'The driver of the devices.', ({ spec }) => spec?.driver ?? ''),
  text('Pool', 'The pool that the slice belongs to.', ({ spec }) => spec?.pool?.name ?? ''),
  ageColumn,
])
