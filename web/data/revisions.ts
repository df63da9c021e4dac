// The revisions of a workload with their differences, and the workload as it was before its last rollout.
import type { ClusterState, Workload } from './cluster-state.ts'
import { differencesOf } from './differences.ts'
import { type AnyObject, type Container, controllerOf, type Fields } from './objects.ts'
import { type PodCounts, podStates } from './pod-summary.ts'
import type { RevisionRow } from './views.ts'

interface Revision {
  readonly object: AnyObject
  readonly revision: number
  readonly template: Fields | undefined
}

const templateOf = (spec: Fields | undefined) => spec?.['template'] as Fields | undefined

/** The newest first. */
function sourcesOf(state: ClusterState, workload: Workload): Revision[] {
  const { kind, object } = workload
  const found: Revision[] = []
  if (kind === 'Deployment') {
    for (const uid of state.ownersOf(workload)) {
      const replicaSet = state.replicaSets.get(uid)
      if (replicaSet !== undefined)
        found.push({ object: replicaSet, revision: state.revisionOf(uid, ''), template: templateOf(replicaSet.spec) })
    }
  } else
    for (const one of state.controllerRevisions.values())
      if (controllerOf(one)?.uid === object.metadata.uid)
        found.push({
          object: one,
          revision: (one as { readonly revision?: number }).revision ?? 0,
          template: templateOf((one as { readonly data?: { readonly spec?: Fields } }).data?.spec),
        })
  return found.sort((a, b) => b.revision - a.revision)
}

export function revisionsOf(state: ClusterState, workload: Workload): RevisionRow[] {
  const sources = sourcesOf(state, workload)
  const { layers } = state.countsOf(workload)
  return sources.map(({ object: one, revision, template }, index) => ({
    revision,
    name: one.metadata.name,
    isCurrent: index === 0,
    images: ((template?.['spec'] as { readonly containers?: readonly Container[] } | undefined)?.containers ?? []).map(
      ({ image = '' }) => image,
    ),
    createdMs: Date.parse(one.metadata.creationTimestamp ?? '') || 0,
    pods: Object.fromEntries(podStates.map((podState) => [podState, layers.get(`${revision}-${podState}`) ?? 0])) as PodCounts,
    differences: sources[index + 1] === undefined ? [] : differencesOf(withoutHash(sources[index + 1]!.template), withoutHash(template)),
  }))
}

/** The template without the label of its revision, which always differs. */
function withoutHash(template: Fields | undefined): Fields {
  const metadata = template?.['metadata'] as { readonly labels?: Readonly<Record<string, string>> } | undefined
  const { 'pod-template-hash': _, ...labels } = metadata?.labels ?? {}
  return { ...template, metadata: { ...metadata, labels } }
}

/** The workload with the template of the previous revision, and the size that it had when the page was opened. Undefined if neither differs. */
export function beforeRollout(state: ClusterState, workload: Workload, after: AnyObject, firstDesired: number | undefined): unknown {
  const [, previous] = sourcesOf(state, workload)
  const hasSize = workload.kind === 'Deployment' || workload.kind === 'StatefulSet'
  const replicas = hasSize ? (firstDesired ?? after.spec?.['replicas']) : undefined
  if (previous?.template === undefined && (replicas === undefined || replicas === after.spec?.['replicas'])) return undefined
  return {
    ...after,
    spec: {
      ...after.spec,
      ...(previous?.template !== undefined && { template: withoutHash(previous.template) }),
      ...(replicas !== undefined && { replicas }),
    },
  }
}
