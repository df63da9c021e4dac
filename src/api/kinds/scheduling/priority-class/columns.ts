import { ageColumn, ageOf, boolean, integer, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { PriorityClass } from '../../../types.ts'

export const priorityClassColumns: Columns<PriorityClass> = {
  definitions: [
    nameColumn,
    integer('Value', 'The priority: more is more important.'),
    boolean('Global-Default', 'Whether pods that name no class get this one.'),
    ageColumn,
    text('PreemptionPolicy', 'Whether its pods may push others out.'),
  ],
  cells: (priority, nowMs) => [
    nameOf(priority),
    priority.value ?? 0,
    priority.globalDefault ?? false,
    ageOf(priority, nowMs),
    priority.preemptionPolicy ?? '',
  ],
}
