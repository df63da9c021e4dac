// The history of a DaemonSet's templates.
// Kubernetes: pkg/controller/daemon.DaemonSetsController.constructHistory, DaemonSetsController.cleanupHistory
// Kubernetes: pkg/controller/daemon.DaemonSetsController.dedupCurHistories, maxRevision, getPatch
import type { DaemonSet, Stored } from '../../../api/types.ts'
import { newControllerRevision, type Revision, revisionText, sortRevisions, textOf } from '../../shared/plan/revision.ts'
import { revisionHash } from '../../shared/plan/revision-hash.ts'
import { revisionLabel } from './pods.ts'

interface HistoryPlan {
  /** The revision of the template; absent if it has to be created. */
  readonly current?: Revision
  /** Other revisions of the same template: their pods get the current hash, and they are deleted. */
  readonly duplicates: readonly Revision[]
  /** From the oldest to the newest. */
  readonly old: readonly Revision[]
  /** The minimum number of the current revision. */
  readonly number: number
}

export function planHistory(set: Stored<DaemonSet>, revisions: readonly Revision[]): HistoryPlan {
  const text = revisionText(set)
  const same: Revision[] = []
  const old: Revision[] = []
  for (const revision of sortRevisions(revisions)) (textOf(revision) === text ? same : old).push(revision)
  const number = (old.at(-1)?.revision ?? 0) + 1
  const current = same.at(-1)
  return { ...(current !== undefined && { current }), duplicates: same.slice(0, -1), old, number }
}

export function newRevision(owner: Stored<DaemonSet>, number: number) {
  const hash = revisionHash(revisionText(owner), owner.status?.collisionCount)
  const name = `${owner.metadata.name}-${hash}`
  return newControllerRevision({ owner, kind: 'DaemonSet', name, hash, hashLabel: revisionLabel, number })
}

/** The oldest revisions without pods, except the newest `limit`. */
export function planHistoryLimit(old: readonly Revision[], liveHashes: ReadonlySet<string>, limit: number): readonly Revision[] {
  const surplus = old.length - limit
  if (surplus <= 0) return []
  return old.filter(({ metadata }) => !liveHashes.has(metadata.labels?.[revisionLabel] ?? '')).slice(0, surplus)
}
