// ControllerRevisions: the templates that a StatefulSet or DaemonSet has had, as patches that bring them back.
import type { ControllerRevision, KubernetesObject, StatefulSet, Stored } from '../../../api/types.ts'
import { canonicalJson } from './canonical-json.ts'

export type Revision = Stored<ControllerRevision>

/** The pods' template, as it stands in a set. */
export type Template = NonNullable<StatefulSet['spec']>['template']

export interface Templated extends KubernetesObject {
  readonly spec?: { readonly template?: Template }
}

/** The patch that brings the template of `owner` back, as a text. */
export function revisionText({ spec }: Templated): string {
  return canonicalJson({ spec: { template: { ...spec?.template, $patch: 'replace' } } })
}

/** The same as an object, with its keys in the order of the text: kubectl compares bytes. */
export function revisionData(owner: Templated): object {
  return JSON.parse(revisionText(owner)) as object
}

/** Remembered by identity: it is asked for in every sync, and stored objects never change. */
const texts = new WeakMap<object, string>()

/** The text of its data: two revisions with the same one are the same. */
export function textOf(revision: ControllerRevision): string {
  const known = texts.get(revision)
  if (known !== undefined) return known
  const text = canonicalJson(revision.data ?? null)
  texts.set(revision, text)
  return text
}

/** The template that a revision holds; undefined when its data is of another form. */
export function templateOf(revision: ControllerRevision): Template | undefined {
  const template = (revision.data as Templated | undefined)?.spec?.template
  if (template === undefined || template === null || typeof template !== 'object') return undefined
  const { $patch: _, ...plain } = template as Template & { readonly $patch?: string }
  return plain
}

/** From the oldest to the newest; the creation and then the name decide between equal numbers. */
export function sortRevisions<R extends Revision>(revisions: Iterable<R>): R[] {
  return [...revisions].sort(
    (a, b) =>
      a.revision - b.revision ||
      compare(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
      compare(a.metadata.name, b.metadata.name),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
