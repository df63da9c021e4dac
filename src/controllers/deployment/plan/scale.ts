// Scaling: every active ReplicaSet gets its share of what the Deployment gains or loses, so that a scale during a rollout does
// not change the progress of the rollout. Under TerminationComplete a scale-up may take several steps, as pods terminate
// (KEP-5882); until it is done, the ReplicaSets that have not received their whole share store their size before the scale.
// Kubernetes: pkg/controller/deployment.DeploymentController.scale
// Kubernetes: pkg/controller/deployment/util.FindActiveOrLatest, IsSaturated
import type { Deployment, ReplicaSet, Stored } from '../../../api/types.ts'
import { countOf, desiredReplicasAnnotation } from './annotations.ts'
import { isRollingUpdate, maxReplicas, replicasOf } from './fenceposts.ts'
import { nextSizes, type Share } from './proportions.ts'
import { isWaitingForOldPods } from './recreate.ts'
import { availableReplicas, byAge, isActive, type SortedSets, sizeOf, totalSize } from './replica-sets.ts'
import { resized, withCurrentMax, withoutBase, withoutPendingScale } from './resized.ts'
import { hasBase, progressOf, shareOf } from './scale-state.ts'
import { allSets, type Sync } from './step.ts'

/** The ReplicaSets that this step changes, in the order of the writes. */
export function planScale(sync: Sync, sorted: SortedSets): readonly Stored<ReplicaSet>[] {
  const all = allSets(sorted)
  const planned = planActive(sync, sorted, all)
  const changed = planned.filter((next) => !all.includes(next))
  // A ReplicaSet that is not part of this scale no longer has a pending one.
  const touched = new Set(planned.map(({ metadata }) => metadata.uid))
  return [...changed, ...all.filter((set) => hasBase(set) && !touched.has(set.metadata.uid)).map(withoutBase)]
}

function planActive(sync: Sync, { newSet, oldSets }: SortedSets, all: readonly Stored<ReplicaSet>[]): readonly Stored<ReplicaSet>[] {
  const { snapshot, settings, account } = sync
  const { deployment } = snapshot
  const active = all.filter(isActive)
  const room = settings.policy === 'TerminationComplete' ? account.room : undefined
  if (active.length <= 1) {
    const only = active[0] ?? newSet ?? [...oldSets].sort(byAge).at(-1)
    if (only === undefined) return []
    // A Recreate whose old pods have not terminated, as after a change from RollingUpdate, does not add new ones yet.
    const isHeld = room !== undefined && only === newSet && !isRollingUpdate(deployment) && isWaitingForOldPods(sync, oldSets)
    const next = planOnlySet(only, isHeld ? 0 : room, sync)
    // An old ReplicaSet uses the room there is; the rest is for the new one, whose rollout follows.
    return [only === newSet || deployment.spec?.paused === true ? next : withoutPendingScale(next, sync)]
  }
  if (newSet !== undefined && isSaturated(newSet, deployment, all)) return oldSets.filter(isActive).map((set) => resized(set, 0, sync))
  if (!isRollingUpdate(deployment)) return []
  const newestFirst = [...active].sort((a, b) => byAge(b, a))
  const sets = newestFirst.map((set) => shareOf(set, deployment))
  const request = { sets, replicas: replicasOf(deployment), max: maxReplicas(deployment), room, isFirstStep: isFirstStep(deployment) }
  return nextSizes(request).map(({ index, size, isDone }) => {
    const set = newestFirst[index]!
    return resized(set, size, sync, isDone ? undefined : sets[index]!)
  })
}

/**
 * The status is written after all ReplicaSets of a step. While it has observed an older generation, the first step of the newest
 * scale is not done, even if parts of it are.
 */
const isFirstStep = ({ metadata, status }: Deployment) => (status?.observedGeneration ?? 0) < (metadata?.generation ?? 0)

/** A single ReplicaSet gets spec.replicas, without surge. */
function planOnlySet(set: Stored<ReplicaSet>, room: number | undefined, sync: Sync): Stored<ReplicaSet> {
  const { deployment } = sync.snapshot
  const [share, wanted] = [shareOf(set, deployment), replicasOf(deployment)]
  const { size, progress } = share
  if (size === wanted) return progress === 'pending' || progress === 'due' ? resized(set, size, sync) : withCurrentMax(set, sync)
  const next = room === undefined || wanted < size ? wanted : Math.min(wanted, size + room)
  // A ReplicaSet that is done fills up: no scale is pending.
  const isOwed = next < wanted && progress !== 'done'
  return resized(set, next, sync, isOwed ? share : undefined)
}

/**
 * While a Deployment is paused, the pods that are missing from spec.replicas are distributed in proportion to the sizes. A scale that was
 * taken back may have left too many pods.
 */
export function planFilling(sync: Sync, sorted: SortedSets): readonly Stored<ReplicaSet>[] {
  const { deployment } = sync.snapshot
  const all = allSets(sorted)
  const active = all.filter(isActive)
  const [total, replicas, cap] = [totalSize(all), replicasOf(deployment), maxReplicas(deployment)]
  if (active.length <= 1 && total !== replicas) return planScale(sync, sorted)
  const isTooLarge = total > cap && all.some(hasBase)
  if (!isRollingUpdate(deployment) || (total >= replicas && !isTooLarge)) return all.filter(hasBase).map(withoutBase)
  const newestFirst = [...active].sort((a, b) => byAge(b, a))
  const sets = newestFirst.map(sizeOf).map((size): Share => ({ progress: 'done', size, base: size, maxBefore: total }))
  const sizes = nextSizes({ sets, replicas, max: isTooLarge ? cap : replicas, room: sync.account.room, isFirstStep: false })
  return sizes.map(({ index, size }) => {
    const set = newestFirst[index]!
    return size === sizeOf(set) ? withoutBase(set) : resized(set, size, sync)
  })
}

/**
 * The new ReplicaSet has all pods, and they are available: then old ReplicaSets, which may have been adopted, are scaled to 0. Not
 * while a scale is partly done: the new ReplicaSet may have received its share before the old ones.
 */
function isSaturated(newSet: Stored<ReplicaSet>, deployment: Deployment, all: readonly Stored<ReplicaSet>[]): boolean {
  const replicas = replicasOf(deployment)
  if (sizeOf(newSet) !== replicas || availableReplicas(newSet) !== replicas) return false
  if (countOf(newSet, desiredReplicasAnnotation) !== replicas) return false
  return !all.some((set) => {
    const progress = progressOf(set, deployment)
    return progress === 'pending' || (progress === 'due' && isActive(set) && isFirstStep(deployment))
  })
}
