// Kubernetes: pkg/registry/policy/poddisruptionbudget.podDisruptionBudgetStrategy.*, podDisruptionBudgetStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printPodDisruptionBudget
import { ageColumn, columnsOf, integer, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, invalid, shownAs } from '../../../machinery/field-error.ts'
import { goJson } from '../../../machinery/go-text.ts'
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { validateConditions } from '../../../machinery/validation/conditions.ts'
import { addIntOrPercentErrors, addNegatives, addOver100Percent } from '../../../machinery/validation/counts.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { validateLabelSelector } from '../../../machinery/validation/metadata.ts'
import { shownSelector } from '../../../machinery/validation/shown-struct.ts'
import type { PodDisruptionBudget } from '../../../types.ts'

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

// Kubernetes: pkg/apis/policy/validation.ValidatePodDisruptionBudget, ValidatePodDisruptionBudgetStatusUpdate
// Kubernetes: pkg/apis/policy/validation.ValidatePodDisruptionBudgetSpec
export function validatePodDisruptionBudget({ spec }: PodDisruptionBudget): FieldError[] {
  return validateSpec(spec, false)
}

export function validatePodDisruptionBudgetUpdate(next: PodDisruptionBudget, current: PodDisruptionBudget): FieldError[] {
  return validateSpec(next.spec, validateLabelSelector(current.spec?.selector, '').length > 0)
}

function validateSpec(spec: PodDisruptionBudget['spec'], allowInvalidValues: boolean): FieldError[] {
  const errors: FieldError[] = []
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec ?? {}
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    // The order of Kubernetes' internal type, which is not that of the API.
    const shown = {
      MinAvailable: minAvailable,
      Selector: shownSelector(selector),
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
    }
    errors.push(invalid('spec', shownAs(goJson(shown)), 'minAvailable and maxUnavailable cannot be both set'))
  }
  addIntOrPercentErrors(errors, minAvailable, 'spec.minAvailable')
  addOver100Percent(errors, minAvailable, 'spec.minAvailable')
  addIntOrPercentErrors(errors, maxUnavailable, 'spec.maxUnavailable')
  addOver100Percent(errors, maxUnavailable, 'spec.maxUnavailable')
  errors.push(...validateLabelSelector(selector, 'spec.selector', { allowInvalidValues }))
  const policyPath = 'spec.unhealthyPodEvictionPolicy'
  addUnsupported(errors, unhealthyPodEvictionPolicy, 'policy.PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy', policyPath)
  return errors
}

export function validatePodDisruptionBudgetStatusUpdate(next: PodDisruptionBudget): FieldError[] {
  const status: Partial<NonNullable<PodDisruptionBudget['status']>> = next.status ?? {}
  const errors = validateConditions(status.conditions, 'status.conditions')
  addNegatives(errors, status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'])
  return errors
}
