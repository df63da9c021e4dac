import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { VolumeAttributesClass } from '../../../types.ts'

export const volumeAttributesClassColumns = columnsOf<VolumeAttributesClass>([
  nameColumn,
  text('DriverName', 'The driver that it is for.', ({ driverName }) => driverName ?? ''),
  ageColumn,
])
