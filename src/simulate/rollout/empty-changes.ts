// Finds changes that change nothing, such as the image that a workload has already: a simulation of them proves nothing.
import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '../../api/types.ts'
import { type PlannedObject, type PlannedStep, type Target, targetOf } from './plan.ts'
import { templateOf } from './prepare.ts'

/** A note for each step that leaves the given objects as they are. */
export function notesOfEmptyChanges(steps: readonly PlannedStep[], given: readonly PlannedObject[]): string[] {
  return steps.flatMap(({ action }) => {
    if (action.type === 'image') {
      const { target, container, image } = action
      return imageOf(objectAt(given, target), container) === image
        ? [`the change changes nothing: ${target.kind} ${target.name} has the image ${image} already`]
        : []
    }
    if (action.type !== 'apply') return []
    return action.objects.length > 0 && action.objects.every(({ object }) => isDeepStrictEqual(object, objectAt(given, targetOf(object))))
      ? ['the change changes nothing: the manifests are the same']
      : []
  })
}

function objectAt(objects: readonly PlannedObject[], target: Target): KubernetesObject | undefined {
  return objects.find(({ object }) => isDeepStrictEqual(targetOf(object), target))?.object
}

/** Without the name of a container, that of the first. */
function imageOf(object: KubernetesObject | undefined, container: string | undefined): unknown {
  const containers = (object && templateOf(object)?.spec?.containers) ?? []
  return containers.find(({ name }) => container === undefined || name === container)?.['image']
}
