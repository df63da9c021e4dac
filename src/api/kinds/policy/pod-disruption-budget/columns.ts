import { ageColumn, ageOf, integer, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { PodDisruptionBudget } from '../../../types.ts'

export const podDisruptionBudgetColumns: Columns<PodDisruptionBudget> = {
  definitions: [
    nameColumn,
    text('Min Available', 'How many pods must stay available.'),
    text('Max Unavailable', 'How many pods may be unavailable.'),
    integer('Allowed Disruptions', 'How many pods may be evicted right now.'),
    ageColumn,
  ],
  cells: (budget, nowMs) => [
    nameOf(budget),
    String(budget.spec?.minAvailable ?? 'N/A'),
    String(budget.spec?.maxUnavailable ?? 'N/A'),
    budget.status?.disruptionsAllowed ?? 0,
    ageOf(budget, nowMs),
  ],
}
