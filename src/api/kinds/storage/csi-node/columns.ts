import { ageColumn, columnsOf, integer, nameColumn } from '../../../machinery/columns/cells.ts'
import type { CsiNode } from '../../../types.ts'

export const csiNodeColumns = columnsOf<CsiNode>([
  nameColumn,
  integer('Drivers', 'How many drivers the node has.', ({ spec }) => (spec?.drivers ?? []).length),
  ageColumn,
])
