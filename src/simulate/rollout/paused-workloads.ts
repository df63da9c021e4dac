// Finds Deployments that are paused at the end of a plan: they count as complete with pods of old revisions. Pure.
import type { KubernetesObject } from '../../api/types.ts'
import { type PlannedObject, type PlannedStep, type Target, targetOf } from './plan.ts'

const keyOf = ({ kind, namespace, name }: Target) => `${kind} ${namespace}/${name}`
const isPaused = (object: KubernetesObject) => (object as { readonly spec?: { readonly paused?: unknown } }).spec?.paused === true

/** A note for each of them. `steps` are in the order of their times. */
export function notesOfPaused(steps: readonly PlannedStep[], objects: readonly PlannedObject[]): string[] {
  const paused = new Set<string>()
  const set = (target: Target, isNow: boolean) => void (isNow ? paused.add(keyOf(target)) : paused.delete(keyOf(target)))
  const take = ({ object }: PlannedObject) => object.kind === 'Deployment' && set(targetOf(object), isPaused(object))
  objects.forEach(take)
  for (const { action } of steps) {
    if (action.type === 'apply') action.objects.forEach(take)
    else if (action.type === 'pause') set(action.target, true)
    else if (action.type === 'resume' || action.type === 'delete') set(action.target, false)
  }
  return [...paused].map((name) => `${name} stays paused: it counts as complete when its pods are available, also those of old revisions`)
}
