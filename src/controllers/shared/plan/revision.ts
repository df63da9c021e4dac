// ControllerRevisions: the former templates of a StatefulSet or DaemonSet, as patches that restore them.
// Kubernetes: pkg/controller/history.NewControllerRevision, EqualRevision, SortControllerRevisions
// Kubernetes: pkg/controller/statefulset.getPatch, ApplyRevision

import { controllerReference } from '../../../api/machinery/owners.ts'
import type { ControllerRevision, KubernetesObject, StatefulSet, Stored } from '../../../api/types.ts'
import { getOrAdd } from '../../../base/maps.ts'
import { canonicalJson } from './canonical-json.ts'

export type Revision = Stored<ControllerRevision>

/** The pod template of a set. */
export type Template = NonNullable<StatefulSet['spec']>['template']

export interface Templated extends KubernetesObject {
  readonly spec?: { readonly template?: Template }
}

/** The patch that restores the template of `owner`, as canonical JSON. */
export function revisionText({ spec }: Templated): string {
  return canonicalJson({ spec: { template: { ...spec?.template, $patch: 'replace' } } })
}

/** The same as an object, with its keys in canonical order: kubectl compares bytes. */
export function revisionData(owner: Templated): object {
  return JSON.parse(revisionText(owner)) as object
}

interface NewRevision {
  readonly owner: Stored<Templated>
  readonly kind: 'DaemonSet' | 'StatefulSet'
  readonly name: string
  readonly hash: string
  /** The label that carries the hash. */
  readonly hashLabel: string
  readonly number: number
}

/** The revision of the owner's current template. */
export const newControllerRevision = ({ owner, kind, name, hash, hashLabel, number }: NewRevision) => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: {
    name,
    labels: { ...owner.spec?.template?.metadata?.labels, [hashLabel]: hash },
    ...(owner.metadata.annotations !== undefined && { annotations: owner.metadata.annotations }),
    ownerReferences: [controllerReference('apps/v1', kind, owner)],
  },
  data: revisionData(owner),
  revision: number,
})

/** Cached by identity: every sync needs it, and stored objects never change. */
const texts = new WeakMap<object, string>()

/** The data as canonical JSON: equal for equal revisions. */
export function textOf(revision: ControllerRevision): string {
  return getOrAdd(texts, revision, () => canonicalJson(revision.data ?? null))
}

/** The template in a revision; undefined when its data has another form. */
export function templateOf(revision: ControllerRevision): Template | undefined {
  const template = (revision.data as Templated | undefined)?.spec?.template
  if (template === undefined || template === null || typeof template !== 'object') return undefined
  const { $patch: _, ...plain } = template as Template & { readonly $patch?: string }
  return plain
}

/** From the oldest to the newest. Equal numbers are ordered by creation, then by name. */
export function sortRevisions<R extends Revision>(revisions: Iterable<R>): R[] {
  return [...revisions].sort(
    (a, b) =>
      (a.revision ?? 0) - (b.revision ?? 0) ||
      compare(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
      compare(a.metadata.name, b.metadata.name),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
