import { ageColumn, boolean, columnsOf, integer, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { PriorityClass } from '../../../types.ts'

export const priorityClassColumns = columnsOf<PriorityClass>([
  nameColumn,
  integer('Value', 'The priority: more is more important.', ({ value }) => value ?? 0),
  boolean('Global-Default', 'Whether pods that name no class get this one.', ({ globalDefault }) => globalDefault ?? false),
  ageColumn,
  text('PreemptionPolicy', 'Whether its pods may push others out.', ({ preemptionPolicy }) => preemptionPolicy ?? ''),
])
