import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { VolumeAttributesClass } from '../../../types.ts'

export const volumeAttributesClassColumns: Columns<VolumeAttributesClass> = {
  definitions: [nameColumn, text('DriverName', 'The driver that it is for.'), ageColumn],
  cells: (object, nowMs) => [nameOf(object), object.driverName ?? '', ageOf(object, nowMs)],
}
