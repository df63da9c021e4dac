// How many pods a Deployment may have at this moment (KEP-5882), and how many more may be created.
import type { Pod, ReplicaSet } from '../../../api/types.ts'
import { terminatingAsActiveOf } from '../../shared/plan/annotations.ts'
import { isActive, isTerminal, isTerminating } from '../../shared/plan/pod-state.ts'
import { countOf, unreportedReplicasAnnotation } from './annotations.ts'
import { maxReplicas } from './fenceposts.ts'
import { sizeOf, statusReplicas } from './replica-sets.ts'
import { selectedBySet } from './selection.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

type TerminatingSource = Pick<
  DeploymentSnapshot,
  'replicaSets' | 'podsOf' | 'podCountOf' | 'deletedPodsOf' | 'strays' | 'orphans' | 'isStuck' | 'countTerminatingPods' | 'gates'
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
 * How many pods the ReplicaSet will adopt; its status may already contain some of them. One that is being deleted adopts none. One that
 * does not exist yet adopts them as a part of its size: it creates no pods before.
 */
function adoptableReplicas(set: ReplicaSet, { orphans }: TerminatingSource): number {
  const { uid, deletionTimestamp } = set.metadata ?? {}
  return uid === undefined || deletionTimestamp !== undefined ? 0 : selectedBySet(set, orphans).length
}

/** The terminating pods of the ReplicaSet that hold room, as it reports them; 0 if their number is unknown. */
const holdingReplicas = (set: ReplicaSet, source: TerminatingSource): number =>
  Math.max(0, (terminatingReplicas(set, source) ?? 0) - stuckPods([set], { ...source, strays: none }).length)

/** The pods of the ReplicaSet by its status, without terminating ones, or more if it was resized since. */
const reportedReplicas = (set: ReplicaSet, source: TerminatingSource): number =>
  Math.max(observedReplicas(set, source), isObserved(set) ? 0 : (countOf(set, unreportedReplicasAnnotation) ?? 0))

/**
 * How many more pods than it reports a ReplicaSet has in the cache, since it has adopted them, or replaced terminating ones, after its
 * last status. 0 if its size covers them.
 */
function adoptedReplicas(set: ReplicaSet, source: TerminatingSource): number {
  const { podsOf, podCountOf, isStuck = () => false } = source
  const uid = set.metadata?.uid ?? ''
  const reported = reportedReplicas(set, source) + holdingReplicas(set, source)
  const max = Math.max(reported, sizeOf(set) - adoptableReplicas(set, source))
  // Mostly the number of all pods is enough.
  if (podCountOf(uid) <= max) return 0
  const held = selectedBySet(set, podsOf(uid)).filter((pod) => !isTerminal(pod) && !isStuck(pod)).length
  return held <= max ? 0 : held - reported
}

/** Whether the status of a ReplicaSet lacks pods that hold room. It is about to be updated. */
export const hasUnreportedPods = (set: ReplicaSet, source: TerminatingSource): boolean => adoptedReplicas(set, source) > 0

/** The pods that the ReplicaSet has or is about to adopt, without the terminating ones in its status. */
const existingReplicas = (set: ReplicaSet, source: TerminatingSource): number =>
  reportedReplicas(set, source) + adoptedReplicas(set, source) + adoptableReplicas(set, source)

/**
 * The pods that a ReplicaSet has or may create by itself, without the terminating ones in its status: its size if it has fewer pods, its
 * pods if it has not been scaled down yet. One that was resized to 5 and then to 2 before it updated its status may have 5. One of size 0
 * deletes 4 pods that it adopts: if it is scaled to 4 meanwhile, there are 8.
 */
export const replicasAtThisMoment = (set: ReplicaSet, source: TerminatingSource): number =>
  Math.max(sizeOf(set), existingReplicas(set, source))

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
    if (terminatingReplicas(set, source) === undefined) return undefined
    total += isWaitingForTerminating(set, source) ? podsWithWait(set, source) : podsWithoutWait(set, source)
  }
  return total
}

const podsWithoutWait = (set: ReplicaSet, source: TerminatingSource): number =>
  replicasAtThisMoment(set, source) + holdingReplicas(set, source)

const podsWithWait = (set: ReplicaSet, source: TerminatingSource): number =>
  Math.max(sizeOf(set), existingReplicas(set, source) + holdingReplicas(set, source))

/** How many pods a ReplicaSet creates at once if it no longer waits for its terminating ones. Infinity if their number is unknown. */
export const replacementsWithoutWait = (set: ReplicaSet, source: TerminatingSource): number =>
  terminatingReplicas(set, source) === undefined ? Number.POSITIVE_INFINITY : podsWithoutWait(set, source) - podsWithWait(set, source)

/**
 * How many pods may be created now under TerminationComplete, if the ReplicaSets are written as in `sets`; 0 if the number of terminating pods is unknown. Never negative: a
 * scale-up does not turn into a scale-down because too many pods still exist.
 */
export function roomAtThisMoment(snapshot: DeploymentSnapshot, sets: readonly ReplicaSet[]): number {
  const pods = podsAtThisMoment(sets, snapshot)
  return pods === undefined ? 0 : Math.max(0, maxReplicas(snapshot.deployment) - pods)
}
