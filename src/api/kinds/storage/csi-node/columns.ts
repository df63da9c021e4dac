import { ageColumn, ageOf, integer, nameColumn, nameOf } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { CsiNode } from '../../../types.ts'

export const csiNodeColumns: Columns<CsiNode> = {
  definitions: [nameColumn, integer('Drivers', 'How many drivers the node has.'), ageColumn],
  cells: (object, nowMs) => [nameOf(object), (object.spec?.drivers ?? []).length, ageOf(object, nowMs)],
}
