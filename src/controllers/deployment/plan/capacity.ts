// How many pods a Deployment may have at this moment (KEP-5882), and how many more may be created.
import type { Pod, ReplicaSet } from '../../../api/types.ts'
import { terminatingAsActiveOf } from '../../shared/plan/annotations.ts'
import { isActive, isTerminating } from '../../shared/plan/pod-state.ts'
import { countOf, unreportedReplicasAnnotation } from './annotations.ts'
import { maxReplicas } from './fenceposts.ts'
import { sizeOf, statusReplicas } from './replica-sets.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

type TerminatingSource = Pick<
  DeploymentSnapshot,
  'replicaSets' | 'podsOf' | 'deletedPodsOf' | 'strays' | 'isStuck' | 'countTerminatingPods' | 'gates'
>

/**
 * The number of terminating pods of a ReplicaSet; 0 if it was never observed, undefined if its status does not contain it.
 */
export function terminatingReplicas(set: ReplicaSet, { deletedPodsOf, countTerminatingPods }: TerminatingSource): number | undefined {
  if (countTerminatingPods) return deletedPodsOf(set.metadata?.uid ?? '').filter(isTerminating).length
  return set.status?.terminatingReplicas ?? ((set.status?.observedGeneration ?? 0) === 0 ? 0 : undefined)
}

/** Includes the pods that no ReplicaSet counts. Undefined if a ReplicaSet does not report the number. */
export function totalTerminating(sets: readonly ReplicaSet[], source: TerminatingSource): number | undefined {
  let total = source.strays.filter(isTerminating).length
  for (const set of sets) {
    const terminating = terminatingReplicas(set, source)
    if (terminating === undefined) return undefined
    total += terminating
  }
  return total
}

/** The terminating pods that hold room; undefined if a ReplicaSet does not report the number. */
export function totalHolding(sets: readonly ReplicaSet[], source: TerminatingSource): number | undefined {
  const terminating = totalTerminating(sets, source)
  return terminating === undefined ? undefined : Math.max(0, terminating - stuckPods(sets, source).length)
}

const none: readonly Pod[] = []

/** The terminating pods that no longer hold room. */
export function stuckPods(sets: readonly ReplicaSet[], source: TerminatingSource): readonly Pod[] {
  const { isStuck } = source
  return isStuck === undefined ? none : terminatingPods(sets, source).filter(isStuck)
}

/** The terminating pods of these ReplicaSets and of deleted ones. */
export function terminatingPods(sets: readonly ReplicaSet[], { deletedPodsOf, strays }: TerminatingSource): readonly Pod[] {
  const found: Pod[] = []
  for (const set of sets) for (const pod of deletedPodsOf(set.metadata?.uid ?? '')) if (isTerminating(pod)) found.push(pod)
  for (const pod of strays) if (isTerminating(pod)) found.push(pod)
  return found
}

/** Whether the status of the ReplicaSet reflects its current size. */
export const isObserved = ({ metadata, status }: ReplicaSet): boolean => (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0)

/**
 * The pods that a ReplicaSet has or may create by itself, without terminating ones: its size if it has fewer pods, its pods if
 * it has not been scaled down yet. One that was resized to 5 and then to 2 before it updated its status may have 5.
 */
export function replicasAtThisMoment(set: ReplicaSet): number {
  const unreported = isObserved(set) ? 0 : (countOf(set, unreportedReplicasAnnotation) ?? 0)
  return Math.max(sizeOf(set), statusReplicas(set), unreported)
}

/**
 * Whether the ReplicaSet counts its terminating pods as replicas. One that has not observed its current spec may still act on an
 * older one without terminatingAsActive. One that this sync turns it on for has not observed it either, and one that this sync
 * turns it off for replaces its terminating pods as soon as it has.
 */
function isWaitingForTerminating(set: ReplicaSet, { gates, replicaSets }: TerminatingSource): boolean {
  if (!gates.TerminatingAsActive || !isObserved(set) || terminatingAsActiveOf(set).value !== true) return false
  const stored = replicaSets.find(({ metadata }) => metadata.uid === set.metadata?.uid)
  return stored !== undefined && terminatingAsActiveOf(stored).value === true
}

/**
 * The pods of the ReplicaSet that are not terminating. Where terminating pods are counted from the cache, so are these: a status that
 * is newer than the cache lacks pods whose deletion the cache has not observed.
 */
const observedReplicas = (set: ReplicaSet, { podsOf, countTerminatingPods }: TerminatingSource): number =>
  countTerminatingPods ? Math.max(statusReplicas(set), podsOf(set.metadata?.uid ?? '').filter(isActive).length) : statusReplicas(set)

/**
 * Undefined if the number of terminating pods is unknown. A ReplicaSet of 5 with 4 pods and a terminating one counts as 6, since
 * it creates the fifth pod at once; as 5 if it waits for the terminating one.
 */
function podsAtThisMoment(sets: readonly ReplicaSet[], source: TerminatingSource): number | undefined {
  const { strays, isStuck = () => false } = source
  let total = strays.filter((pod) => !isStuck(pod)).length
  for (const set of sets) {
    const terminating = terminatingReplicas(set, source)
    if (terminating === undefined) return undefined
    const holding = Math.max(0, terminating - stuckPods([set], { ...source, strays: none }).length)
    const observed = observedReplicas(set, source)
    total += isWaitingForTerminating(set, source)
      ? Math.max(sizeOf(set), observed + holding)
      : Math.max(replicasAtThisMoment(set), observed) + holding
  }
  return total
}

/**
 * How many pods may be created now under TerminationComplete, if the ReplicaSets are written as in `sets`; 0 if the number of terminating pods is unknown. Never negative: a
 * scale-up does not turn into a scale-down because too many pods still exist.
 */
export function roomAtThisMoment(snapshot: DeploymentSnapshot, sets: readonly ReplicaSet[]): number {
  const pods = podsAtThisMoment(sets, snapshot)
  return pods === undefined ? 0 : Math.max(0, maxReplicas(snapshot.deployment) - pods)
}
