// Scaling: every active set gets its part of what the Deployment gains or loses, so that a scale in the middle of a
// rollout does not hurry it along. Under TerminationComplete a scale-up takes as many steps as the terminating pods ask
// for (KEP-5882); until it is done, the sets that are owed something remember where they came from.
import type { Deployment, ReplicaSet, Stored } from '../../api/types.ts'
import {
  annotationOf,
  countOf,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  replicasBeforeScaleAnnotation,
  unreportedReplicasAnnotation,
  withAnnotations,
} from './annotations.ts'
import { replicasAtThisMoment, roomAtThisMoment } from './capacity.ts'
import { isRollingUpdate, maxReplicas, replicasOf } from './fenceposts.ts'
import { nextSizes, type Share } from './proportions.ts'
import { availableReplicas, byAge, isActive, type SortedSets, sizeOf, statusReplicas } from './replica-sets.ts'
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

/** Is there something to scale before any rollout goes on? */
export function isScaling(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  // A Recreate rollout empties all sets but one, whatever their sizes: there is nothing to keep in proportion.
  if (!isRollingUpdate(deployment) && sets.filter(isActive).length > 1) return false
  return sets.some((set) => isPending(set) || (isActive(set) && isStale(set, deployment)))
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
    return only === undefined ? [] : [planOnlySet(only, deployment, room, settings)]
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
  if (size === wanted) return isPending(set) || isStale(set, deployment) ? resized(set, size, deployment, settings) : set
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
