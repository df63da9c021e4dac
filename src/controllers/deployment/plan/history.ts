// Revision numbers, and which old ReplicaSets the history limit removes.
// Kubernetes: pkg/controller/deployment.DeploymentController.cleanupDeployment, DeploymentController.getAllReplicaSetsAndSyncRevision
// Kubernetes: pkg/controller/deployment/util.MaxRevision, SetDeploymentRevision
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { isTerminating } from '../../shared/plan/pod-state.ts'
import { type AnnotationChanges, annotationOf, revisionAnnotation, revisionHistoryAnnotation, revisionOf } from './annotations.ts'
import { accountIn, isObserved } from './capacity.ts'
import { byAge, sizeOf, statusReplicas } from './replica-sets.ts'
import type { Sync } from './step.ts'

const unchanged: AnnotationChanges = {}
const keepAll = 2 ** 31 - 1
const maxHistoryLength = 2000

/**
 * The new ReplicaSet gets the highest revision. If it had one before, that is added to its revision history, which loses its
 * oldest entries when it becomes too long.
 */
export function revisionChanges(set: ReplicaSet, revision: bigint): AnnotationChanges {
  const before = annotationOf(set, revisionAnnotation)
  const current = before === '' ? 0n : revisionOf(set)
  if (current === undefined || current >= revision) return unchanged
  const changes = { [revisionAnnotation]: String(revision) }
  if (before === undefined) return changes
  const history = annotationOf(set, revisionHistoryAnnotation) ?? ''
  if (history === '' || history.startsWith(',')) return { ...changes, [revisionHistoryAnnotation]: before }
  const entries = history.split(',')
  let length = history.length + before.length + 1
  let start = 0
  while (length > maxHistoryLength && start < entries.length) length -= entries[start++]!.length + 1
  if (length > maxHistoryLength) return changes
  return { ...changes, [revisionHistoryAnnotation]: [...entries.slice(start), before].join(',') }
}

/** The old ReplicaSets beyond the history limit, oldest revision first. Only those that are empty according to a current status. */
export function planCleanup(
  { snapshot, settings: { policy }, account }: Sync,
  oldSets: readonly Stored<ReplicaSet>[],
): readonly Stored<ReplicaSet>[] {
  const limit = snapshot.deployment.spec?.revisionHistoryLimit
  if (limit === undefined || limit === keepAll) return []
  const alive = oldSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  if (alive.length <= limit) return []
  const isEmpty = (set: Stored<ReplicaSet>) => statusReplicas(set) === 0 && sizeOf(set) === 0 && isObserved(set)
  // Its terminating pods count until they have terminated (`strays.ts`). Under TerminationComplete, those that the cache has not observed yet
  // would hold no room until it has.
  const isCounted = (set: Stored<ReplicaSet>) =>
    policy !== 'TerminationComplete' ||
    snapshot.deletedPodsOf(set.metadata.uid).filter(isTerminating).length >= (accountIn(account, set).terminating ?? Number.NaN)
  return [...alive]
    .sort(byRevision)
    .slice(0, alive.length - limit)
    .filter((set) => isEmpty(set) && isCounted(set))
}

function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [revisionA, revisionB] = [revisionOf(a), revisionOf(b)]
  if (revisionA === undefined || revisionB === undefined || revisionA === revisionB) return byAge(a, b)
  return revisionA < revisionB ? -1 : 1
}
