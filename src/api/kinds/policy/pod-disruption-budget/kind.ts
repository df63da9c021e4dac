// Kubernetes: pkg/registry/policy/poddisruptionbudget.podDisruptionBudgetStrategy.*, podDisruptionBudgetStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printPodDisruptionBudget
import { ageColumn, columnsOf, integer, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PodDisruptionBudget } from '../../../types.ts'
import { validatePodDisruptionBudget, validatePodDisruptionBudgetStatusUpdate, validatePodDisruptionBudgetUpdate } from './validation.ts'

export const podDisruptionBudgets: Kind<PodDisruptionBudget> = {
  ...resource('policy.PodDisruptionBudget'),
  strategy: {
    names: 'path-segment',
    generation: true,
    generationChanges: isSpecChanged,
    unconditionalUpdate: false,
    ...ownStatus('policy.PodDisruptionBudgetStatus'),
    metadata: { anyFinalizer: true, onCreate: 'separately', onUpdate: [], onStatusUpdate: [] },
    validate: validatePodDisruptionBudget,
    validateUpdate: validatePodDisruptionBudgetUpdate,
    validateStatusUpdate: validatePodDisruptionBudgetStatusUpdate,
  },
  columns: columnsOf([
    nameColumn,
    text('Min Available', 'How many pods must stay available.', ({ spec }) => String(spec?.minAvailable ?? 'N/A')),
    text('Max Unavailable', 'How many pods may be unavailable.', ({ spec }) => String(spec?.maxUnavailable ?? 'N/A')),
    integer('Allowed Disruptions', 'How many pods may be evicted right now.', ({ status }) => status?.disruptionsAllowed ?? 0),
    ageColumn,
  ]),
}
