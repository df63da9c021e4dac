// The annotations by which a Deployment and its ReplicaSets remember what no field holds.
import type { ReplicaSet, Stored } from '../../../api/types.ts'

export const revisionAnnotation = 'deployment.kubernetes.io/revision'
/** The revisions that a set had before, `1,3,5`. */
export const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history'
/** The Deployment's size when the set was last scaled for it: where it differs, a scale is under way. */
export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas'
/** The Deployment's size and surge at that time: what a set's share is measured by. */
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas'
/** KEP-5882: the set's size when a scale began that could not be finished yet. */
export const replicasBeforeScaleAnnotation = 'deployment.kubernetes.io/replicaset-replicas-before-scale'
/**
 * How many pods a set may have, on top of the terminating ones that it has reported, where neither its size nor its
 * status says so: it was told two sizes before it reported once. It counts until the set has observed its present
 * generation; then its status is the truth.
 */
export const unreportedReplicasAnnotation = 'rollcall.dev/unreported-replicas'
export const rollbackToAnnotation = 'deprecated.deployment.rollback.to'
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** These belong to the object that they are on: neither a new set nor a rollback takes them over. */
export const ownAnnotations: ReadonlySet<string> = new Set([
  lastAppliedAnnotation,
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  rollbackToAnnotation,
  replicasBeforeScaleAnnotation,
  unreportedReplicasAnnotation,
])

type Annotated = { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } }

export function annotationOf({ metadata }: Annotated, key: string): string | undefined {
  const annotations = metadata?.annotations
  return annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined
}

const largestCount = 2 ** 31 - 1

/** A count of replicas in an annotation; undefined when it is absent or no such number. */
export function countOf(object: Annotated, key: string): number | undefined {
  const text = annotationOf(object, key)
  if (text === undefined || !/^[0-9]{1,10}$/.test(text)) return undefined
  const count = Number(text)
  return count <= largestCount ? count : undefined
}

/** The revision; 0 where there is none, undefined where it is no number. */
export function revisionOf(object: Annotated): bigint | undefined {
  const text = annotationOf(object, revisionAnnotation)
  return text === undefined ? 0n : parseRevision(text)
}

/** Revisions have 64 bits, and people use them all. */
export function parseRevision(text: string): bigint | undefined {
  // The few revisions of a Deployment are read at every look.
  const known = parsed.get(text)
  if (known !== undefined) return known
  if (!/^[+-]?[0-9]{1,19}$/.test(text)) return undefined
  const revision = BigInt(text.replace('+', ''))
  if (BigInt.asIntN(64, revision) !== revision) return undefined
  if (parsed.size >= mostParsed) parsed.clear()
  parsed.set(text, revision)
  return revision
}

const parsed = new Map<string, bigint>()
const mostParsed = 256

export const nextRevision = (revision: bigint): bigint => BigInt.asIntN(64, revision + 1n)

export type AnnotationChanges = Readonly<Record<string, string | undefined>>

/** The annotations with these changes; an undefined value removes one. The same object when nothing changes. */
export function changedAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  changes: AnnotationChanges,
): Readonly<Record<string, string>> | undefined {
  let next: Record<string, string> | undefined
  for (const key of Object.keys(changes)) {
    const value = changes[key]
    const current = annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined
    if (current === value) continue
    next ??= { ...annotations }
    if (value === undefined) delete next[key]
    else next[key] = value
  }
  return next ?? annotations
}

/** The set with these changes, or the same object. */
export function withAnnotations<T extends ReplicaSet | Stored<ReplicaSet>>(set: T, changes: AnnotationChanges): T {
  const annotations = changedAnnotations(set.metadata?.annotations, changes)
  return annotations === set.metadata?.annotations ? set : { ...set, metadata: { ...set.metadata, annotations } }
}
