// The revision of the current template, and which old revisions to delete.
// Kubernetes: pkg/controller/statefulset.defaultStatefulSetControl.getStatefulSetRevisions, defaultStatefulSetControl.truncateHistory
// Kubernetes: pkg/controller/statefulset.setMatchesLatestExistingRevision, newRevision, nextRevision
import type { StatefulSet, Stored } from '../../../api/types.ts'
import { newControllerRevision, type Revision, revisionText, type Templated, textOf } from '../../shared/plan/revision.ts'
import { revisionHash, revisionName } from '../../shared/plan/revision-hash.ts'

/** The hash in the name of a revision, as a label. */
const revisionHashLabel = 'controller.kubernetes.io/hash'

type UpdateRevisionPlan =
  | { readonly action: 'keep'; readonly revision: Revision }
  /** A former template is used again: its revision becomes the newest. */
  | { readonly action: 'renumber'; readonly revision: Revision; readonly number: number }
  | { readonly action: 'create'; readonly number: number }

/** `revisions` are sorted. */
export function planUpdateRevision(owner: Templated, revisions: readonly Revision[]): UpdateRevisionPlan {
  const text = revisionText(owner)
  const newest = revisions.at(-1)
  const number = (newest?.revision ?? 0) + 1
  const same = revisions.findLast((revision) => textOf(revision) === text)
  if (same === undefined) return { action: 'create', number }
  if (newest !== undefined && textOf(newest) === text) return { action: 'keep', revision: newest }
  return { action: 'renumber', revision: same, number }
}

/** Its name contains the hash of the template; `collisions` changes the hash. */
export function newRevision(owner: Stored<StatefulSet>, number: number, collisions: number) {
  const hash = revisionHash(revisionText(owner), collisions)
  const name = revisionName(owner.metadata.name, hash)
  return newControllerRevision({ owner, kind: 'StatefulSet', name, hash, hashLabel: revisionHashLabel, number })
}

/**
 * The oldest revisions that are not in use, except the newest `limit`. `revisions` are sorted; a negative limit keeps all.
 */
export function planHistoryLimit(revisions: readonly Revision[], live: ReadonlySet<string>, limit: number): readonly Revision[] {
  const history = revisions.filter(({ metadata }) => !live.has(metadata.name))
  return limit < 0 || history.length <= limit ? [] : history.slice(0, history.length - limit)
}
