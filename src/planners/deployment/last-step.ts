// Whether a step is the last one for now, so that nobody has to look at what it wrote only to find that all is well.
import type { ReplicaSet, Stored } from '../../api/types.ts'
import type { DeploymentStatus } from './conditions.ts'
import { isRollingUpdate } from './fenceposts.ts'
import { planCleanup } from './history.ts'
import { withCarriedSettings } from './new-set.ts'
import { isComplete } from './progress.ts'
import { sizeOf } from './replica-sets.ts'
import { nextNewSize, planShrinkOld } from './rolling.ts'
import { allSets, type Step, type StepResult } from './step.ts'

/**
 * True: as long as the copies show what the step has written and nothing else, and its time to wake up has not come,
 * another look would write nothing. False where that is not known; in the middle of a rolling update it always is.
 */
export function isLastStep(step: Step, { isRollout, created, changed = [], deleted = [] }: StepResult, status: DeploymentStatus): boolean {
  const { snapshot, settings, sorted } = step
  const { deployment } = snapshot
  if (!isRollout || !isRollingUpdate(deployment) || snapshot.countTerminatingPods) return false
  if (sorted.newSet === undefined || created !== undefined || deleted.length > 0) return false
  // A set that has only just taken over a setting or a revision may come to stand elsewhere among the others.
  if (!step.isInStep) return false
  let { newSet, oldSets } = sorted
  if (changed.length > 0) {
    const seen = (set: Stored<ReplicaSet>) => {
      const next = changed.find(({ metadata }) => metadata.uid === set.metadata.uid)
      return next === undefined ? set : asStored(next)
    }
    newSet = seen(newSet)
    oldSets = oldSets.map(seen)
    const sets = allSets({ newSet, oldSets })
    if (sets.some((set) => withCarriedSettings(snapshot, set) !== set)) return false
    if (nextNewSize(snapshot, newSet, sets, settings) !== sizeOf(newSet)) return false
    if (planShrinkOld(snapshot, newSet, oldSets).length > 0) return false
  }
  return !isComplete(deployment, status, settings) || planCleanup(snapshot, oldSets, settings).length === 0
}

/** The server counts every change of a spec. */
const asStored = (set: Stored<ReplicaSet>): Stored<ReplicaSet> => ({
  ...set,
  metadata: { ...set.metadata, generation: (set.metadata.generation ?? 0) + 1 },
})
