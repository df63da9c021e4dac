import { ageColumn, columnsOf, integer, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Scale } from '../../../types.ts'

export const scaleColumns = columnsOf<Scale>([
  text('Name', 'The name of the object that is scaled.', nameOf),
  integer('Desired', 'How many replicas there are to be.', ({ spec }) => spec?.replicas ?? 0),
  integer('Available', 'How many replicas there are.', ({ status }) => status?.replicas ?? 0),
  ageColumn,
])
