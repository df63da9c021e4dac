// Kubernetes: pkg/printers/internalversion.printPriorityClass
import { ageColumn, boolean, columnsOf, integer, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PriorityClass } from '../../../types.ts'
import { priorityClassStrategy } from './strategy.ts'

export const priorityClasses: Kind<PriorityClass> = {
  ...resource('scheduling.PriorityClass'),
  strategy: priorityClassStrategy,
  columns: columnsOf([
    nameColumn,
    integer('Value', 'The priority: more is more important.', ({ value }) => value ?? 0),
    boolean('Global-Default', 'Whether pods that name no class get this one.', ({ globalDefault }) => globalDefault ?? false),
    ageColumn,
    text('PreemptionPolicy', 'Whether its pods may push others out.', ({ preemptionPolicy }) => preemptionPolicy ?? ''),
  ]),
}
