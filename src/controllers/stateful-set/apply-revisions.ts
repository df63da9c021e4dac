// Adopts, creates, renumbers and deletes the ControllerRevisions of a StatefulSet.
// Kubernetes: pkg/controller/statefulset.defaultStatefulSetControl.AdoptOrphanRevisions, defaultStatefulSetControl.truncateHistory
// Kubernetes: pkg/controller/statefulset.defaultStatefulSetControl.getStatefulSetRevisions
import { controllerRevisions, statefulSets } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { ControllerRevision, StatefulSet, Stored } from '../../api/types.ts'
import { type LabelRequirements, matchesLabels } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import type { Informer } from '../../runtime/informer.ts'
import { applyOwnership } from '../shared/adoption.ts'
import { type Revision, revisionText, sortRevisions, templateOf, textOf } from '../shared/plan/revision.ts'
import { newRevision, planHistoryLimit, planUpdateRevision } from './plan/revisions.ts'
import type { RevisionInUse } from './plan/snapshot.ts'

export interface RevisionsInUse {
  /** Sorted, without a revision that was created in this sync. */
  readonly all: readonly Revision[]
  readonly current: RevisionInUse
  readonly update: RevisionInUse
  readonly collisionCount: number
}

/** Ensures that the template has a revision, and finds the current revision of the pods. */
export async function applyRevisions(
  client: Client,
  revisions: Informer<ControllerRevision>,
  set: Stored<StatefulSet>,
  requirements: LabelRequirements,
): Promise<RevisionsInUse> {
  const { uid, namespace = '' } = set.metadata
  const isWanted = ({ metadata }: Revision) => matchesLabels(requirements, metadata.labels)
  const all = sortRevisions(
    await applyOwnership({ client, resource: statefulSets, owner: set }, controllerRevisions, {
      owned: revisions.byIndex('owner', uid).filter(isWanted),
      adopt: revisions
        .byIndex('orphan', namespace)
        .filter((revision) => isWanted(revision) && revision.metadata.deletionTimestamp === undefined),
      // Unlike pods, a revision is never released.
      release: [],
    }),
  )
  const { revision, collisionCount } = await applyUpdateRevision(client, set, all)
  const update: RevisionInUse = { name: revision.metadata.name, template: set.spec?.template }
  const current = all.find(({ metadata }) => metadata.name === set.status?.currentRevision)
  return {
    all,
    current:
      current === undefined || current.metadata.name === update.name
        ? update
        : { name: current.metadata.name, template: templateOf(current) },
    update,
    collisionCount,
  }
}

interface UpdateRevision {
  readonly revision: Revision
  readonly collisionCount: number
}

async function applyUpdateRevision(client: Client, set: Stored<StatefulSet>, all: readonly Revision[]): Promise<UpdateRevision> {
  let collisionCount = set.status?.collisionCount ?? 0
  const plan = planUpdateRevision(set, all)
  if (plan.action === 'keep') return { revision: plan.revision, collisionCount }
  if (plan.action === 'renumber')
    return { revision: await client.update(controllerRevisions, { ...plan.revision, revision: plan.number }), collisionCount }
  const namespace = set.metadata.namespace ?? ''
  for (;;) {
    const made = newRevision(set, plan.number, collisionCount)
    try {
      return { revision: await client.create(controllerRevisions, namespace, made), collisionCount }
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw error
      // It was created before, and the cache has not observed it yet; or another template has the same hash.
      const revision = await client.get(controllerRevisions, { namespace, name: made.metadata.name })
      if (textOf(revision) === revisionText(set)) return { revision, collisionCount }
      collisionCount++
    }
  }
}

export async function applyHistoryLimit(
  client: Client,
  { all, current, update }: RevisionsInUse,
  podRevisions: readonly string[],
  limit: number,
): Promise<void> {
  for (const { metadata } of planHistoryLimit(all, new Set([current.name, update.name, ...podRevisions]), limit))
    await client.delete(controllerRevisions, { namespace: metadata.namespace ?? '', name: metadata.name })
}
