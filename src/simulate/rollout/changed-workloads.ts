// Which workloads a plan changes: the settings that are compared or searched are theirs.

import type { KubernetesObject } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import { type Action, type ActionType, type Plan, type PlannedObject, targetOf } from './plan.ts'
import { isWorkload } from './workload-kinds.ts'

const rolloutTypes = new Set<ActionType>(['image', 'scale', 'restart', 'pause', 'resume', 'undo'])

/** All workloads where no step changes one: then they are simulated from their creation, or something happens to their pods. */
export function changedWorkloads({ objects, steps }: Pick<Plan, 'objects' | 'steps'>): PlannedObject[] {
  const workloads = objects.filter(isWorkload)
  const changed = workloads.filter(({ object }) => steps.some(({ action }) => isChangedBy(action, object)))
  return changed.length === 0 ? workloads : changed
}

function isChangedBy(action: Action, object: KubernetesObject): boolean {
  const target = targetOf(object)
  if (action.type === 'apply')
    return action.objects.some(({ object: next }) => isEqualJson(targetOf(next), target) && !isEqualJson(next, object))
  return rolloutTypes.has(action.type) && 'target' in action && isEqualJson(action.target, target)
}
