// Scaling: every active set gets its part of what the Deployment gains or loses, so that a scale in the middle of a
// rollout does not hurry it along. Under TerminationComplete a scale-up takes as many steps as the terminating pods ask
// for (KEP-5882); until it is done, the sets that are owed something remember where they came from.
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
import { availableReplicas, byAge, isActive, maxRevision, type SortedSets, sizeOf, statusReplicas, totalSize } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

/** Left half scaled by an earlier step. */
export const isPending = (set: ReplicaSet): boolean => countOf(set, replicasBeforeScaleAnnotation) !== undefined

/** Has not had its part of the Deployment's present size. */
function isStale(set: ReplicaSet, deployment: Deployment): boolean {
  // As it nearly always is, and then there is nothing to read.
  if (annotationOf(set, desiredReplicasAnnotation) === String(replicasOf(deployment))) return false
  const desired = countOf(set, desiredReplicasAnnotation)
  return desired !== undefined && desired !== replicasOf(deployment)
}

/** How many replicas a pending scale still owes; 0 where none is pending. */
export function replicasOwed(deployment: Deployment, sets: readonly ReplicaSet[]): number {
  if (!sets.some(isPending)) return 0
  const active = sets.filter(isActive)
  const wanted = active.length > 1 ? maxReplicas(deployment) : replicasOf(deployment)
  return Math.max(0, wanted - totalSize(active))
}

/** Was last sized for another maximum than the Deployment's present one. */
function isMaxStale(set: ReplicaSet, deployment: Deployment): boolean {
  const max = countOf(set, maxReplicasAnnotation)
  return max !== undefined && max !== maxReplicas(deployment)
}

const isPaused = ({ spec }: Deployment) => spec?.paused === true

/**
 * Is there something to scale before any rollout goes on? Only another spec.replicas is a scale, or, where no rollout
 * follows because the Deployment is paused, another maxSurge.
 */
export function isScaling(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  // A Recreate rollout empties all sets but one, whatever their sizes: there is nothing to keep in proportion.
  if (!isRollingUpdate(deployment) && sets.filter(isActive).length > 1) return false
  const isDue = (set: ReplicaSet) => isStale(set, deployment) || (isPaused(deployment) && isMaxStale(set, deployment))
  return sets.some((set) => isPending(set) || (isActive(set) && isDue(set)))
}

/**
 * Whether a rollout takes the place of a pending scale: what the scale still owes becomes part of the rollout, whose new
 * set has first call on the room. So it is when the template has changed since the scale began: the new set does not
 * exist, has no pods, or has not got the highest revision yet. And so it is when the deadline has passed in the middle of
 * a rollout, for a pod that never ends would hold up the rollout as well.
 */
export function isScaleSuperseded(deployment: Deployment, { newSet, oldSets }: SortedSets): boolean {
  if (isPaused(deployment) || !(oldSets.some(isPending) || (newSet !== undefined && isPending(newSet)))) return false
  if (newSet === undefined || !isActive(newSet)) return true
  if (isTimedOut(deployment) && oldSets.some(isActive)) return true
  const revision = revisionOf(newSet)
  return revision !== undefined && revision <= maxRevision(oldSets)
}

const isTimedOut = ({ status }: Deployment) => conditionOf(status?.conditions, 'Progressing')?.reason === progressReasons.timedOut

/** The set with nothing owed to it. */
export const withoutPendingScale = (set: Stored<ReplicaSet>, deployment: Deployment, settings: DeploymentSettings): Stored<ReplicaSet> =>
  isPending(set) || isActive(set) ? resized(set, sizeOf(set), deployment, settings) : set

/**
 * A rollout uses a changed maxSurge at once: from then on the set's share is measured by it. Otherwise the next pause
 * would be taken for a scale. Without TerminationComplete a pause is no different, and the set stays as in Kubernetes.
 */
export function withPresentMax(set: Stored<ReplicaSet>, deployment: Deployment, { policy }: DeploymentSettings): Stored<ReplicaSet> {
  if (policy !== 'TerminationComplete' || !isActive(set) || isPending(set) || !isMaxStale(set, deployment)) return set
  return withAnnotations(set, { [maxReplicasAnnotation]: String(maxReplicas(deployment)) })
}

/** The set at that size, with all its part of the Deployment's size: nothing is pending. */
export function resized<T extends ReplicaSet>(set: T, replicas: number, deployment: Deployment, settings: DeploymentSettings): T {
  return withAnnotations(atSize(set, replicas, settings), {
    [desiredReplicasAnnotation]: String(replicasOf(deployment)),
    [maxReplicasAnnotation]: String(maxReplicas(deployment)),
    [replicasBeforeScaleAnnotation]: undefined,
  })
}

/** The set at that size, still owed something: what its share is measured by stays as it was. */
function partlyResized(set: Stored<ReplicaSet>, replicas: number, { base, maxBefore }: Share, settings: DeploymentSettings) {
  return withAnnotations(atSize(set, replicas, settings), {
    [replicasBeforeScaleAnnotation]: String(base),
    ...(maxBefore !== undefined && { [maxReplicasAnnotation]: String(maxBefore) }),
  })
}

/**
 * Between this write and the set's next report nobody sees what it does: pods beyond its size may turn into terminating
 * ones, and what it gains comes on top of them. 5 → 2 → 4 before the set reports: 5 pods, of which 3 terminate, and 2 more.
 */
function atSize<T extends ReplicaSet>(set: T, replicas: number, { policy }: DeploymentSettings): T {
  const size = sizeOf(set)
  if (size === replicas) return set
  const mayHave = replicasAtThisMoment(set) + (replicas > size ? replicas - size : 0)
  const isPlain = mayHave <= Math.max(replicas, statusReplicas(set))
  return withAnnotations<T>(
    { ...set, spec: { ...set.spec, replicas } },
    { [unreportedReplicasAnnotation]: policy !== 'TerminationComplete' || isPlain ? undefined : String(mayHave) },
  )
}

/** The sets as they should be after this step, in the order in which they must be written. Sets that stay are left out. */
export function planScale(snapshot: DeploymentSnapshot, sorted: SortedSets, settings: DeploymentSettings): readonly Stored<ReplicaSet>[] {
  const { newSet, oldSets } = sorted
  const all = newSet === undefined ? oldSets : [...oldSets, newSet]
  const planned = planActive(snapshot, sorted, all, settings)
  const changed = planned.filter((next) => !all.includes(next))
  // A pending scale of a set that takes no part any more is moot.
  const touched = new Set(planned.map(({ metadata }) => metadata.uid))
  const cleared = all
    .filter((set) => isPending(set) && !touched.has(set.metadata.uid))
    .map((set) => withAnnotations(set, { [replicasBeforeScaleAnnotation]: undefined }))
  return [...changed, ...cleared]
}

function planActive(
  snapshot: DeploymentSnapshot,
  { newSet, oldSets }: SortedSets,
  all: readonly Stored<ReplicaSet>[],
  settings: DeploymentSettings,
): readonly Stored<ReplicaSet>[] {
  const { deployment } = snapshot
  const active = all.filter(isActive)
  const room = settings.policy === 'TerminationComplete' ? roomAtThisMoment(snapshot) : undefined
  if (active.length <= 1) {
    const only = active[0] ?? newSet ?? [...oldSets].sort(byAge).at(-1)
    if (only === undefined) return []
    const next = planOnlySet(only, deployment, room, settings)
    // An old set takes what room there is; the rest is for the new set, whose rollout comes next.
    return [only === newSet || isPaused(deployment) ? next : withoutPendingScale(next, deployment, settings)]
  }
  if (newSet !== undefined && isSaturated(newSet, deployment, all))
    return oldSets.filter(isActive).map((set) => resized(set, 0, deployment, settings))
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
    return isDone ? resized(set, size, deployment, settings) : partlyResized(set, size, shares[index]!, settings)
  })
}

/**
 * The status is written when all sets of a step are: as long as it speaks of an older generation, the first step of the
 * newest scale is not done, whatever has become of it.
 */
const isFirstStep = ({ metadata, status }: Deployment) => (status?.observedGeneration ?? 0) < (metadata?.generation ?? 0)

function shareOf(set: Stored<ReplicaSet>, deployment: Deployment): Share {
  const before = countOf(set, replicasBeforeScaleAnnotation)
  return {
    size: sizeOf(set),
    base: before ?? sizeOf(set),
    // Zero means that somebody has changed it: then the Deployment's pods are the best guess.
    maxBefore: countOf(set, maxReplicasAnnotation) || deployment.status?.replicas || undefined,
    isPending: before !== undefined,
    isStale: isStale(set, deployment),
  }
}

/** The only set takes the whole size, no surge. */
function planOnlySet(set: Stored<ReplicaSet>, deployment: Deployment, room: number | undefined, settings: DeploymentSettings) {
  const [size, wanted] = [sizeOf(set), replicasOf(deployment)]
  if (size === wanted) {
    const isDue = isPending(set) || isStale(set, deployment)
    return isDue ? resized(set, size, deployment, settings) : withPresentMax(set, deployment, settings)
  }
  const next = room === undefined ? wanted : Math.min(wanted, size + Math.max(0, room))
  if (wanted < size || next === wanted) return resized(set, wanted, deployment, settings)
  return partlyResized(set, next, shareOf(set, deployment), settings)
}

/**
 * The new set has all pods, and they are available: then old sets that come in from elsewhere are emptied. Not while a
 * scale is half done: the new set may have had its part before the old ones.
 */
function isSaturated(newSet: Stored<ReplicaSet>, deployment: Deployment, all: readonly Stored<ReplicaSet>[]): boolean {
  const replicas = replicasOf(deployment)
  if (sizeOf(newSet) !== replicas || availableReplicas(newSet) !== replicas) return false
  if (countOf(newSet, desiredReplicasAnnotation) !== replicas) return false
  return !all.some((set) => isPending(set) || (isActive(set) && isFirstStep(deployment) && isStale(set, deployment)))
}
