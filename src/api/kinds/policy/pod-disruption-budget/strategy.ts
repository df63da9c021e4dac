import { isSpecChanged, keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { PodDisruptionBudget } from '../../../types.ts'
import { validatePodDisruptionBudget, validatePodDisruptionBudgetStatusUpdate, validatePodDisruptionBudgetUpdate } from './validation.ts'

export const podDisruptionBudgetStrategy: Strategy<PodDisruptionBudget> = {
  names: 'path-segment',
  generation: true,
  generationChanges: isSpecChanged,
  unconditionalUpdate: false,
  prepareForCreate(budget) {
    budget.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validate: validatePodDisruptionBudget,
  validateUpdate: validatePodDisruptionBudgetUpdate,
  validateStatusUpdate: validatePodDisruptionBudgetStatusUpdate,
}
