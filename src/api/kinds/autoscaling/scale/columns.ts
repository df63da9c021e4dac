import { ageColumn, ageOf, integer, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Scale } from '../../../types.ts'

export const scaleColumns: Columns<Scale> = {
  definitions: [
    text('Name', 'The name of the object that is scaled.'),
    integer('Desired', 'How many replicas there are to be.'),
    integer('Available', 'How many replicas there are.'),
    ageColumn,
  ],
  cells: (scale, nowMs) => [nameOf(scale), scale.spec?.replicas ?? 0, scale.status?.replicas ?? 0, ageOf(scale, nowMs)],
}
