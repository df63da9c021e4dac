// Scaling: every active ReplicaSet gets its share of what the Deployment gains or loses, so that a scale during a rollout does
// not change the progress of the rollout. Under TerminationComplete a scale-up may take several steps, as pods terminate
// (KEP-5882); until it is done, the ReplicaSets that have not received their whole share store their size before the scale.
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import {
  annotationOf,
  countOf,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  replicasBeforeScaleAnnotation,
  revisionOf,
  unreportedReplicasAnnotation,
  withAnnotations,
} from './annotations.ts'
import { replicasAtThisMoment, roomAtThisMoment } from './capacity.ts'
import { conditionOf, progressReasons } from './conditions.ts'
import { isRollingUpdate, maxReplicas, replicasOf } from './fenceposts.ts'
import { nextSizes, type Share } from './proportions.ts'
import { isWaitingForOldPods } from './recreate.ts'
import { availableReplicas, byAge, isActive, maxRevision, type SortedSets, sizeOf, statusReplicas, totalSize } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

/**
 * Scaled partly by an earlier step. Its annotations desired-replicas and max-replicas are still those before the scale; if they are those
 * of the Deployment, the scale was taken back, or an older kubectl has copied the annotation.
 */
export function isPending(set: ReplicaSet, deployment: Deployment): boolean {
  if (countOf(set, replicasBeforeScaleAnnotation) === undefined) return false
  return (
    countOf(set, desiredReplicasAnnotation) !== replicasOf(deployment) || countOf(set, maxReplicasAnnotation) !== maxReplicas(deployment)
  )
}

/** The ReplicaSet without the annotation of a scale that is not pending. Its size stays the same. */
export const withoutStaleScale = (set: Stored<ReplicaSet>, deployment: Deployment): Stored<ReplicaSet> =>
  annotationOf(set, replicasBeforeScaleAnnotation) === undefined || isPending(set, deployment)
    ? set
    : withAnnotations(set, { [replicasBeforeScaleAnnotation]: undefined })

/** What a ReplicaSet gets with its adoption, which is not a scale: its size, whatever it was for, is its share. */
export const adoptedAnnotations = (deployment: Deployment) => ({
  [desiredReplicasAnnotation]: String(replicasOf(deployment)),
  [maxReplicasAnnotation]: String(maxReplicas(deployment)),
  [replicasBeforeScaleAnnotation]: null,
})

/** Has not received its share of the current spec.replicas. */
function isStale(set: ReplicaSet, deployment: Deployment): boolean {
  // The common case, without parsing.
  if (annotationOf(set, desiredReplicasAnnotation) === String(replicasOf(deployment))) return false
  const desired = countOf(set, desiredReplicasAnnotation)
  return desired !== undefined && desired !== replicasOf(deployment)
}

/** How many replicas a pending scale has yet to add; 0 if none is pending. */
export function replicasOwed(deployment: Deployment, sets: readonly ReplicaSet[]): number {
  if (!sets.some((set) => isPending(set, deployment))) return 0
  const active = sets.filter(isActive)
  const wanted = active.length > 1 ? maxReplicas(deployment) : replicasOf(deployment)
  return Math.max(0, wanted - totalSize(active))
}

/** Was last scaled for another maximum than the current one. */
function isMaxStale(set: ReplicaSet, deployment: Deployment): boolean {
  const max = countOf(set, maxReplicasAnnotation)
  return max !== undefined && max !== maxReplicas(deployment)
}

const isPaused = ({ spec }: Deployment) => spec?.paused === true

/**
 * Whether to scale before the rollout continues. Only a change of spec.replicas is a scale or, while the Deployment is paused and
 * no rollout follows, a change of maxSurge.
 */
export function isScaling(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  // A Recreate rollout scales all ReplicaSets but one to 0: there are no proportions to keep.
  if (!isRollingUpdate(deployment) && sets.filter(isActive).length > 1) return false
  const isDue = (set: ReplicaSet) => isStale(set, deployment) || (isPaused(deployment) && isMaxStale(set, deployment))
  return sets.some((set) => isPending(set, deployment) || (isActive(set) && isDue(set)))
}

/**
 * Whether a rollout replaces a pending scale: the replicas that the scale has yet to add become part of the rollout, whose new
 * ReplicaSet gets the room first. It does if the template has changed since the scale began: the new ReplicaSet does not exist,
 * has size 0, or does not have the highest revision yet. It also does if the deadline is exceeded during a rollout, because a pod
 * that never terminates would block the rollout as well.
 */
export function isScaleSuperseded(deployment: Deployment, { newSet, oldSets }: SortedSets): boolean {
  const isOwed = (set: ReplicaSet) => isPending(set, deployment)
  if (isPaused(deployment) || !(oldSets.some(isOwed) || (newSet !== undefined && isOwed(newSet)))) return false
  if (newSet === undefined || !isActive(newSet)) return true
  if (isTimedOut(deployment) && oldSets.some(isActive)) return true
  const revision = revisionOf(newSet)
  return revision !== undefined && revision <= maxRevision(oldSets)
}

const isTimedOut = ({ status }: Deployment) => conditionOf(status?.conditions, 'Progressing')?.reason === progressReasons.timedOut

/** The ReplicaSet with its scale marked as done. */
export const withoutPendingScale = (
  set: Stored<ReplicaSet>,
  snapshot: DeploymentSnapshot,
  settings: DeploymentSettings,
): Stored<ReplicaSet> => (isPending(set, snapshot.deployment) || isActive(set) ? resized(set, sizeOf(set), snapshot, settings) : set)

/**
 * A rollout applies a changed maxSurge at once, so it becomes the base of the share. Otherwise the next pause would look like a
 * scale. Without TerminationComplete the annotation stays as in Kubernetes, where a pause makes no difference.
 */
export function withCurrentMax(set: Stored<ReplicaSet>, deployment: Deployment, { policy }: DeploymentSettings): Stored<ReplicaSet> {
  if (policy !== 'TerminationComplete' || !isActive(set) || isPending(set, deployment) || !isMaxStale(set, deployment)) return set
  return withAnnotations(set, { [maxReplicasAnnotation]: String(maxReplicas(deployment)) })
}

/** The ReplicaSet with that size, and no pending scale. */
export function resized<T extends ReplicaSet>(set: T, replicas: number, snapshot: DeploymentSnapshot, settings: DeploymentSettings): T {
  const { deployment } = snapshot
  return withAnnotations(atSize(set, replicas, snapshot, settings), {
    [desiredReplicasAnnotation]: String(replicasOf(deployment)),
    [maxReplicasAnnotation]: String(maxReplicas(deployment)),
    [replicasBeforeScaleAnnotation]: undefined,
  })
}

/** The ReplicaSet with that size, and a pending scale: the base of its share stays the same. */
function partlyResized(
  set: Stored<ReplicaSet>,
  replicas: number,
  { base, maxBefore }: Share,
  snapshot: DeploymentSnapshot,
  settings: DeploymentSettings,
) {
  return withAnnotations(atSize(set, replicas, snapshot, settings), {
    [replicasBeforeScaleAnnotation]: String(base),
    ...(maxBefore !== undefined && { [maxReplicasAnnotation]: String(maxBefore) }),
  })
}

/**
 * Between this write and the next status of the ReplicaSet, its pods are unknown: those beyond its size, adopted ones included, may
 * already terminate, and new ones are added to them. 5 → 2 → 4 before the next status: 5 pods, of which 3 terminate, and 2 new ones.
 */
function atSize<T extends ReplicaSet>(set: T, replicas: number, snapshot: DeploymentSnapshot, { policy }: DeploymentSettings): T {
  const size = sizeOf(set)
  if (size === replicas) return set
  const mayHave = replicasAtThisMoment(set, snapshot) + (replicas > size ? replicas - size : 0)
  const isPlain = mayHave <= Math.max(replicas, statusReplicas(set))
  return withAnnotations<T>(
    { ...set, spec: { ...set.spec, replicas } },
    { [unreportedReplicasAnnotation]: policy !== 'TerminationComplete' || isPlain ? undefined : String(mayHave) },
  )
}

/** The ReplicaSets that this step changes, in the order of the writes. */
export function planScale(snapshot: DeploymentSnapshot, sorted: SortedSets, settings: DeploymentSettings): readonly Stored<ReplicaSet>[] {
  const { newSet, oldSets } = sorted
  const all = newSet === undefined ? oldSets : [...oldSets, newSet]
  const planned = planActive(snapshot, sorted, all, settings)
  const changed = planned.filter((next) => !all.includes(next))
  // A ReplicaSet that is not part of this scale no longer has a pending one.
  const touched = new Set(planned.map(({ metadata }) => metadata.uid))
  const cleared = all
    .filter((set) => isPending(set, snapshot.deployment) && !touched.has(set.metadata.uid))
    .map((set) => withAnnotations(set, { [replicasBeforeScaleAnnotation]: undefined }))
  return [...changed, ...cleared]
}

/**
 * While a Deployment is paused, the pods that are missing from spec.replicas are distributed in proportion to the sizes. A scale that was
 * taken back may have left too many.
 */
export function planFilling(snapshot: DeploymentSnapshot, sorted: SortedSets, settings: DeploymentSettings): readonly Stored<ReplicaSet>[] {
  const { deployment } = snapshot
  const all = [...sorted.oldSets, ...(sorted.newSet === undefined ? [] : [sorted.newSet])]
  const active = all.filter(isActive)
  const [total, replicas] = [totalSize(all), replicasOf(deployment)]
  if (active.length <= 1) return total === replicas ? [] : planScale(snapshot, sorted, settings)
  const isTakenBack = snapshot.replicaSets.some((set) => annotationOf(set, replicasBeforeScaleAnnotation) !== undefined)
  const isTooLarge = total > maxReplicas(deployment) && isTakenBack
  if ((total >= replicas && !isTooLarge) || !isRollingUpdate(deployment)) return []
  const max = isTooLarge ? maxReplicas(deployment) : replicas
  const newestFirst = [...active].sort((a, b) => byAge(b, a))
  const sets = newestFirst.map((set) => ({ size: sizeOf(set), base: sizeOf(set), maxBefore: total, isPending: false, isStale: false }))
  const sizes = nextSizes({ sets, replicas, max, room: roomAtThisMoment(snapshot, all), isFirstStep: false })
  return sizes.flatMap(({ index, size }) => {
    const set = newestFirst[index]!
    return size === sizeOf(set) ? [] : [resized(set, size, snapshot, settings)]
  })
}

function planActive(
  snapshot: DeploymentSnapshot,
  { newSet, oldSets }: SortedSets,
  all: readonly Stored<ReplicaSet>[],
  settings: DeploymentSettings,
): readonly Stored<ReplicaSet>[] {
  const { deployment } = snapshot
  const active = all.filter(isActive)
  const room = settings.policy === 'TerminationComplete' ? roomAtThisMoment(snapshot, all) : undefined
  if (active.length <= 1) {
    const only = active[0] ?? newSet ?? [...oldSets].sort(byAge).at(-1)
    if (only === undefined) return []
    // A Recreate whose old pods have not terminated, as after a change from RollingUpdate, does not add new ones yet.
    const isHeld = room !== undefined && only === newSet && !isRollingUpdate(deployment) && isWaitingForOldPods(snapshot, oldSets, settings)
    const next = planOnlySet(only, snapshot, isHeld ? 0 : room, settings)
    // An old ReplicaSet uses the room there is; the rest is for the new one, whose rollout follows.
    return [only === newSet || isPaused(deployment) ? next : withoutPendingScale(next, snapshot, settings)]
  }
  if (newSet !== undefined && isSaturated(newSet, deployment, all))
    return oldSets.filter(isActive).map((set) => resized(set, 0, snapshot, settings))
  if (!isRollingUpdate(deployment)) return []
  const newestFirst = [...active].sort((a, b) => byAge(b, a))
  const shares = newestFirst.map((set) => shareOf(set, deployment))
  const sizes = nextSizes({
    sets: shares,
    replicas: replicasOf(deployment),
    max: maxReplicas(deployment),
    room,
    isFirstStep: isFirstStep(deployment),
  })
  return sizes.map(({ index, size, isDone }) => {
    const set = newestFirst[index]!
    return isDone ? resized(set, size, snapshot, settings) : partlyResized(set, size, shares[index]!, snapshot, settings)
  })
}

/**
 * The status is written after all ReplicaSets of a step. While it has observed an older generation, the first step of the newest
 * scale is not done, even if parts of it are.
 */
const isFirstStep = ({ metadata, status }: Deployment) => (status?.observedGeneration ?? 0) < (metadata?.generation ?? 0)

function shareOf(set: Stored<ReplicaSet>, deployment: Deployment): Share {
  const before = isPending(set, deployment) ? countOf(set, replicasBeforeScaleAnnotation) : undefined
  return {
    size: sizeOf(set),
    base: before ?? sizeOf(set),
    // Zero is not a value that a controller writes: then the pods of the Deployment are the best guess.
    maxBefore: countOf(set, maxReplicasAnnotation) || deployment.status?.replicas || undefined,
    isPending: before !== undefined,
    isStale: isStale(set, deployment),
  }
}

/** A single ReplicaSet gets spec.replicas, without surge. */
function planOnlySet(set: Stored<ReplicaSet>, snapshot: DeploymentSnapshot, room: number | undefined, settings: DeploymentSettings) {
  const { deployment } = snapshot
  const [size, wanted] = [sizeOf(set), replicasOf(deployment)]
  if (size === wanted) {
    const isDue = isPending(set, deployment) || isStale(set, deployment)
    return isDue ? resized(set, size, snapshot, settings) : withCurrentMax(set, deployment, settings)
  }
  const next = room === undefined ? wanted : Math.min(wanted, size + Math.max(0, room))
  if (wanted < size || next === wanted) return resized(set, wanted, snapshot, settings)
  const isScaled = isPending(set, deployment) || isStale(set, deployment) || isMaxStale(set, deployment)
  // No scale: a paused Deployment fills up.
  if (!isScaled) return resized(set, next, snapshot, settings)
  return partlyResized(set, next, shareOf(set, deployment), snapshot, settings)
}

/**
 * The new ReplicaSet has all pods, and they are available: then old ReplicaSets, which may have been adopted, are scaled to 0. Not
 * while a scale is partly done: the new ReplicaSet may have received its share before the old ones.
 */
function isSaturated(newSet: Stored<ReplicaSet>, deployment: Deployment, all: readonly Stored<ReplicaSet>[]): boolean {
  const replicas = replicasOf(deployment)
  if (sizeOf(newSet) !== replicas || availableReplicas(newSet) !== replicas) return false
  if (countOf(newSet, desiredReplicasAnnotation) !== replicas) return false
  return !all.some((set) => isPending(set, deployment) || (isActive(set) && isFirstStep(deployment) && isStale(set, deployment)))
}
