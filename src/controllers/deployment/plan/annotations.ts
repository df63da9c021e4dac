// The annotations in which Deployments and ReplicaSets store state that no field holds.
// Kubernetes: pkg/controller/deployment/util.SetNewReplicaSetAnnotations, SetReplicasAnnotations, ReplicasAnnotationsNeedUpdate
// Kubernetes: pkg/controller/deployment/util.copyDeploymentAnnotationsToReplicaSet, skipCopyAnnotation, annotationsToSkip

import type { ReplicaSet, Stored } from '../../../api/types.ts'
import { cached } from '../../../base/cached.ts'

export const revisionAnnotation = 'deployment.kubernetes.io/revision'
/** The former revisions of a ReplicaSet, `1,3,5`. */
export const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history'
/** The Deployment's spec.replicas when the ReplicaSet was last scaled. If it differs now, a scale is in progress. */
export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas'
/** The Deployment's replicas plus surge at that time: the base of the ReplicaSet's share. */
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas'
/** KEP-5882: the size of the ReplicaSet before a scale that is not finished yet. */
export const replicasBeforeScaleAnnotation = 'deployment.kubernetes.io/replicaset-replicas-before-scale'
/**
 * How many pods a ReplicaSet may have, besides the terminating ones in its status, when it was resized twice before it updated
 * its status once: then neither its size nor its status shows them. It counts until the status has observed the current
 * generation.
 */
export const unreportedReplicasAnnotation = 'rollcall.dev/unreported-replicas'
export const rollbackToAnnotation = 'deprecated.deployment.rollback.to'
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** These belong to their object: they are not copied to a new ReplicaSet, nor back by a rollback. */
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

const maxCount = 2 ** 31 - 1

/** A count of replicas in an annotation; undefined when it is absent or invalid. */
export function countOf(object: Annotated, key: string): number | undefined {
  const text = annotationOf(object, key)
  if (text === undefined || !/^[0-9]{1,10}$/.test(text)) return undefined
  const count = Number(text)
  return count <= maxCount ? count : undefined
}

/** 0 without a revision, undefined for an invalid one. */
export function revisionOf(object: Annotated): bigint | undefined {
  const text = annotationOf(object, revisionAnnotation)
  return text === undefined ? 0n : parseRevision(text)
}

/** Revisions are 64-bit integers. Cached: the few revisions of a Deployment are needed in every sync. */
export const parseRevision = cached(256, (text: string): bigint | undefined => {
  if (!/^[+-]?[0-9]{1,19}$/.test(text)) return undefined
  const revision = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, revision) === revision ? revision : undefined
})

export const nextRevision = (revision: bigint): bigint => BigInt.asIntN(64, revision + 1n)

export type AnnotationChanges = Readonly<Record<string, string | undefined>>

/** The annotations with these changes; undefined removes one. The identical object when nothing changes. */
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

/** The ReplicaSet with these changes; the identical object when nothing changes. */
export function withAnnotations<T extends ReplicaSet | Stored<ReplicaSet>>(set: T, changes: AnnotationChanges): T {
  const annotations = changedAnnotations(set.metadata?.annotations, changes)
  return annotations === set.metadata?.annotations ? set : { ...set, metadata: { ...set.metadata, annotations } }
}
