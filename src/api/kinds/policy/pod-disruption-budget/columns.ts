import { ageColumn, columnsOf, integer, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { PodDisruptionBudget } from '../../../types.ts'

export const podDisruptionBudgetColumns = columnsOf<PodDisruptionBudget>([
  nameColumn,
  text('Min Available', 'How many pods must stay available.', ({ spec }) => String(spec?.minAvailable ?? 'N/A')),
  text('Max Unavailable', 'How many pods may be unavailable.', ({ spec }) => String(spec?.maxUnavailable ?? 'N/A')),
  integer('Allowed Disruptions', 'How many pods may be evicted right now.', ({ status }) => status?.disruptionsAllowed ?? 0),
  ageColumn,
])
