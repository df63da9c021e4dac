import { fillObject } from '../../../machinery/fields.ts'
import type { PriorityClass, Writable } from '../../../types.ts'

export function defaultPriorityClass(priorityClass: Writable<PriorityClass>): void {
  fillObject('scheduling.PriorityClass', priorityClass, { preemptionPolicy: 'PreemptLowerPriority' })
}
