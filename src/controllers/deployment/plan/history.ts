// Revisions, and how many old sets are kept for their sake.
import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { type AnnotationChanges, annotationOf, revisionAnnotation, revisionHistoryAnnotation, revisionOf } from './annotations.ts'
import { isObserved, terminatingReplicas } from './capacity.ts'
import { byAge, sizeOf, statusReplicas } from './replica-sets.ts'
import type { DeploymentSettings } from './settings.ts'
import type { DeploymentSnapshot } from './snapshot.ts'

const unchanged: AnnotationChanges = {}
const keepAll = 2 ** 31 - 1
const longestHistory = 2000

/**
 * The new set has the highest revision. A set that had one before comes back: its old revision goes into its history,
 * which loses its oldest entries when it grows too long.
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
  while (length > longestHistory && start < entries.length) length -= entries[start++]!.length + 1
  if (length > longestHistory) return changes
  return { ...changes, [revisionHistoryAnnotation]: [...entries.slice(start), before].join(',') }
}

/** The old sets beyond the history limit, the oldest revisions first; only such as are empty and have said so. */
export function planCleanup(
  snapshot: DeploymentSnapshot,
  oldSets: readonly Stored<ReplicaSet>[],
  { policy }: DeploymentSettings,
): readonly Stored<ReplicaSet>[] {
  const limit = snapshot.deployment.spec?.revisionHistoryLimit
  if (limit === undefined || limit === keepAll) return []
  const alive = oldSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  if (alive.length <= limit) return []
  const isEmpty = (set: Stored<ReplicaSet>) => statusReplicas(set) === 0 && sizeOf(set) === 0 && isObserved(set)
  // With its set, a terminating pod would no longer be counted. Kubernetes lets it go; a status that counts every pod
  // (KEP-3973) does not. Only TerminationComplete also waits for a set that does not say.
  const isGone = (set: Stored<ReplicaSet>) =>
    (terminatingReplicas(set, snapshot) ?? (policy === 'TerminationComplete' ? Number.NaN : 0)) === 0
  return [...alive]
    .sort(byRevision)
    .slice(0, alive.length - limit)
    .filter((set) => isEmpty(set) && isGone(set))
}

function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [revisionA, revisionB] = [revisionOf(a), revisionOf(b)]
  if (revisionA === undefined || revisionB === undefined || revisionA === revisionB) return byAge(a, b)
  return revisionA < revisionB ? -1 : 1
}
