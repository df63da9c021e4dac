import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ResourceSlice } from '../../../types.ts'

export const resourceSliceColumns: Columns<ResourceSlice> = {
  definitions: [
    nameColumn,
    text('Node', 'The node that has the devices.'),
    text('Driver', 'The driver of the devices.'),
    text('Pool', 'The pool that the slice belongs to.'),
    ageColumn,
  ],
  cells: (object, nowMs) => [
    nameOf(object),
    object.spec?.nodeName ?? '',
    object.spec?.driver ?? '',
    object.spec?.pool?.name ?? '',
    ageOf(object, nowMs),
  ],
}
