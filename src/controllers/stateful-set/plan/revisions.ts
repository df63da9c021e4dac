// Which revision a StatefulSet is at, which it goes to, and which old ones may be forgotten.
import { controllerReference } from '../../../api/machinery/owners.ts'
import type { ControllerRevision, StatefulSet, Stored } from '../../../api/types.ts'
import { type Revision, revisionData, revisionText, type Templated, textOf } from '../../shared/plan/revision.ts'
import { revisionHash, revisionName } from '../../shared/plan/revision-hash.ts'

/** The hash in the name of a revision, as a label. */
export const revisionHashLabel = 'controller.kubernetes.io/hash'

export type UpdateRevisionPlan =
  | { readonly action: 'keep'; readonly revision: Revision }
  /** An older template is back: its revision becomes the newest. */
  | { readonly action: 'renumber'; readonly revision: Revision; readonly number: number }
  | { readonly action: 'create'; readonly number: number }

/** `revisions` are in order. */
export function planUpdateRevision(owner: Templated, revisions: readonly Revision[]): UpdateRevisionPlan {
  const text = revisionText(owner)
  const newest = revisions.at(-1)
  const number = newest === undefined ? 1 : newest.revision + 1
  const same = revisions.findLast((revision) => textOf(revision) === text)
  if (same === undefined) return { action: 'create', number }
  if (newest !== undefined && textOf(newest) === text) return { action: 'keep', revision: newest }
  return { action: 'renumber', revision: same, number }
}

/** Its name holds the hash of the template; more collisions give another name. */
export function newRevision(
  owner: Stored<StatefulSet>,
  number: number,
  collisions: number,
): ControllerRevision & { readonly metadata: { readonly name: string } } {
  const hash = revisionHash(revisionText(owner), collisions)
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: revisionName(owner.metadata.name, hash),
      labels: { ...owner.spec?.template?.metadata?.labels, [revisionHashLabel]: hash },
      ...(owner.metadata.annotations !== undefined && { annotations: owner.metadata.annotations }),
      ownerReferences: [controllerReference('apps/v1', 'StatefulSet', owner)],
    },
    data: revisionData(owner),
    revision: number,
  }
}

/**
 * The oldest of those that are not live, so many that `limit` of them are left. `revisions` are in order; a negative
 * limit keeps all.
 */
export function planForgottenRevisions(revisions: readonly Revision[], live: ReadonlySet<string>, limit: number): readonly Revision[] {
  const history = revisions.filter(({ metadata }) => !live.has(metadata.name))
  return limit < 0 || history.length <= limit ? [] : history.slice(0, history.length - limit)
}
