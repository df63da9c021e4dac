// Adopts, creates, merges, renumbers and deletes the ControllerRevisions of a DaemonSet.
// Kubernetes: pkg/controller/daemon.DaemonSetsController.constructHistory, DaemonSetsController.cleanupHistory
// Kubernetes: pkg/controller/daemon.DaemonSetsController.dedupCurHistories, DaemonSetsController.snapshot
import { controllerRevisions, daemonSets, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { ControllerRevision, DaemonSet, Pod, Stored } from '../../api/types.ts'
import { type LabelRequirements, matchesLabels } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import type { Informer } from '../../runtime/informer.ts'
import { applyClaims } from '../shared/adoption.ts'
import { type Revision, revisionText, textOf } from '../shared/plan/revision.ts'
import { revisionLabel } from './plan/pods.ts'
import { newRevision, planHistory, planHistoryLimit } from './plan/revisions.ts'

interface History {
  readonly current: Revision
  /** From the oldest to the newest. */
  readonly old: readonly Revision[]
}

/** Ensures that the template has exactly one revision, newer than all others. */
export async function applyHistory(
  client: Client,
  revisions: Informer<ControllerRevision>,
  set: Stored<DaemonSet>,
  requirements: LabelRequirements,
  readPods: () => Promise<readonly Stored<Pod>[]>,
): Promise<History> {
  const owned = await applyClaims({ client, resource: daemonSets, owner: set }, controllerRevisions, revisions, ({ metadata }) =>
    matchesLabels(requirements, metadata.labels),
  )
  const labelled = await Promise.all(owned.map((revision) => applyLabel(client, revision)))
  const { current, duplicates, old, number } = planHistory(set, labelled)
  if (current === undefined) return { current: await applyNewRevision(client, set, number), old }
  if (duplicates.length > 0) await applyMerge(client, current, duplicates, await readPods())
  if ((current.revision ?? 0) < number) return { current: await client.update(controllerRevisions, { ...current, revision: number }), old }
  return { current, old }
}

/** Pods have the label of their revision. Revisions of old versions of Kubernetes lack it, and get their name, which is unique. */
async function applyLabel(client: Client, revision: Revision): Promise<Revision> {
  const { labels, name } = revision.metadata
  if (labels?.[revisionLabel] !== undefined) return revision
  return client.update(controllerRevisions, {
    ...revision,
    metadata: { ...revision.metadata, labels: { ...labels, [revisionLabel]: name } },
  })
}

async function applyNewRevision(client: Client, set: Stored<DaemonSet>, number: number): Promise<Revision> {
  const { name: setName, namespace = '' } = set.metadata
  const made = newRevision(set, number)
  try {
    return await client.create(controllerRevisions, namespace, made)
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error
    const existing = await client.get(controllerRevisions, { namespace, name: made.metadata.name })
    // It was created before, and the cache has not observed it yet.
    if (textOf(existing) === revisionText(set)) return existing
    // Another template has the same hash: the next sync uses another collision count, and so another name.
    const fresh = await client.get(daemonSets, { namespace, name: setName })
    if (fresh.status?.collisionCount === set.status?.collisionCount)
      await client.updateStatus(daemonSets, {
        ...fresh,
        status: { ...fresh.status!, collisionCount: (fresh.status?.collisionCount ?? 0) + 1 },
      })
    throw error
  }
}

async function applyMerge(client: Client, current: Revision, duplicates: readonly Revision[], pods: readonly Stored<Pod>[]): Promise<void> {
  const hash = current.metadata.labels?.[revisionLabel]
  const merged = new Set(duplicates.map(({ metadata }) => metadata.labels?.[revisionLabel]))
  for (const { metadata } of pods)
    if (merged.has(metadata.labels?.[revisionLabel]))
      await client.patch(podKind, { namespace: metadata.namespace ?? '', name: metadata.name }, 'merge', {
        metadata: { labels: { [revisionLabel]: hash } },
      })
  for (const { metadata } of duplicates)
    await client.delete(controllerRevisions, { namespace: metadata.namespace ?? '', name: metadata.name })
}

export async function applyHistoryLimit(
  client: Client,
  old: readonly Revision[],
  pods: readonly Stored<Pod>[],
  limit: number,
): Promise<void> {
  if (old.length <= limit) return
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[revisionLabel] ?? ''))
  for (const { metadata } of planHistoryLimit(old, live, limit))
    await client.delete(controllerRevisions, { namespace: metadata.namespace ?? '', name: metadata.name })
}
