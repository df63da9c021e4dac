// How many pods a Deployment may have at this moment (KEP-5882), and how many more there is room for.
import type { Pod, ReplicaSet } from '../../../api/types.ts'
import { terminatingAsActiveOf } from '../../shared/plan/annotations.ts'
import { isTerminating } from '../../shared/plan/pod-state.ts'
import { countOf, unreportedReplicasAnnotation } from './annotations.ts'
import { maxReplicas } from './fenceposts.ts'
import { sizeOf, statusReplicas } from './replica-sets.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

type TerminatingSource = Pick<DeploymentSnapshot, 'deletedPodsOf' | 'strays' | 'isStuck' | 'countTerminatingPods' | 'gates'>

/**
 * The terminating pods of a set. A set that was never observed has none. Undefined: it was observed, and does not say.
 */
export function terminatingReplicas(set: ReplicaSet, { deletedPodsOf, countTerminatingPods }: TerminatingSource): number | undefined {
  if (countTerminatingPods) return deletedPodsOf(set.metadata?.uid ?? '').filter(isTerminating).length
  return set.status?.terminatingReplicas ?? ((set.status?.observedGeneration ?? 0) === 0 ? 0 : undefined)
}

/** With the pods that no set counts. Undefined when a set does not say. */
export function totalTerminating(sets: readonly ReplicaSet[], source: TerminatingSource): number | undefined {
  let total = source.strays.filter(isTerminating).length
  for (const set of sets) {
    const terminating = terminatingReplicas(set, source)
    if (terminating === undefined) return undefined
    total += terminating
  }
  return total
}

/** The terminating pods that hold room; undefined when a set does not say. */
export function totalHolding(sets: readonly ReplicaSet[], source: TerminatingSource): number | undefined {
  const terminating = totalTerminating(sets, source)
  return terminating === undefined ? undefined : Math.max(0, terminating - stuckPods(sets, source).length)
}

const none: readonly Pod[] = []

/** The terminating pods that hold no room any more. */
export function stuckPods(sets: readonly ReplicaSet[], source: TerminatingSource): readonly Pod[] {
  const { isStuck } = source
  return isStuck === undefined ? none : terminatingPods(sets, source).filter(isStuck)
}

/** The terminating pods of these sets, and of those that were deleted. */
export function terminatingPods(sets: readonly ReplicaSet[], { deletedPodsOf, strays }: TerminatingSource): readonly Pod[] {
  return [...sets.flatMap((set) => deletedPodsOf(set.metadata?.uid ?? '')), ...strays].filter(isTerminating)
}

/** Has the set acted on its present size, and reported? */
export const isObserved = ({ metadata, status }: ReplicaSet): boolean => (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0)

/**
 * The pods that a set has or may make by itself, terminating ones aside: its size where it has not reached it, its pods
 * where it has not yet been cut down to it. A set that was told 5 and then 2 before it could report may have 5.
 */
export function replicasAtThisMoment(set: ReplicaSet): number {
  const unreported = isObserved(set) ? 0 : (countOf(set, unreportedReplicasAnnotation) ?? 0)
  return Math.max(sizeOf(set), statusReplicas(set), unreported)
}

/**
 * Whether the set makes no pod as long as its terminating ones fill its size. A set that has not observed its present
 * spec may still act on one without that.
 */
const isWaitingForTerminating = (set: ReplicaSet, { gates }: TerminatingSource): boolean =>
  gates.TerminatingAsActive && isObserved(set) && terminatingAsActiveOf(set).value === true

/**
 * Undefined when the terminating pods are not known. A set of 5 with 4 pods and a terminating one: 6, for it makes its
 * fifth pod at once; 5 where it waits for the terminating one.
 */
export function podsAtThisMoment(sets: readonly ReplicaSet[], source: TerminatingSource): number | undefined {
  const { strays, isStuck = () => false } = source
  let total = strays.filter((pod) => !isStuck(pod)).length
  for (const set of sets) {
    const terminating = terminatingReplicas(set, source)
    if (terminating === undefined) return undefined
    const holding = Math.max(0, terminating - stuckPods([set], { ...source, strays: none }).length)
    total += isWaitingForTerminating(set, source)
      ? Math.max(sizeOf(set), statusReplicas(set) + holding)
      : replicasAtThisMoment(set) + holding
  }
  return total
}

/**
 * How many pods may be added now under TerminationComplete. None when the terminating pods are not known. Never
 * negative: a scale-up does not turn into a scale-down because too many pods are still there.
 */
export function roomAtThisMoment(snapshot: DeploymentSnapshot, sets: readonly ReplicaSet[] = snapshot.replicaSets): number {
  const pods = podsAtThisMoment(sets, snapshot)
  return pods === undefined ? 0 : Math.max(0, maxReplicas(snapshot.deployment) - pods)
}
