// Kubernetes: pkg/registry/scheduling/priorityclass.priorityClassStrategy.*
// Kubernetes: pkg/apis/scheduling/v1.SetDefaults_PriorityClass
import { fillObject } from '../../../machinery/fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { PriorityClass } from '../../../types.ts'
import { validatePriorityClass, validatePriorityClassUpdate } from './validation.ts'

/** Its generation is always 1. */
export const priorityClassStrategy: Strategy<PriorityClass> = {
  generation: true,
  generationChanges: () => false,
  default(priorityClass) {
    fillObject('scheduling.PriorityClass', priorityClass, { preemptionPolicy: 'PreemptLowerPriority' })
  },
  validate: validatePriorityClass,
  validateUpdate: validatePriorityClassUpdate,
}
