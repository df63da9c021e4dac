// Properties of a single pod of a Job.
// Kubernetes: pkg/controller/job.getCompletionIndex, getIndexFailureCount, getNewIndexFailureCounts, hasJobTrackingFinalizer
// Kubernetes: pkg/controller/job.removeTrackingFinalizerPatch, isPodFailed
import type { Pod, Stored } from '../../../api/types.ts'
import { parseOptionalTime, parseTime } from '../../../base/clock.ts'
import { isReady, readyCondition } from '../../shared/plan/pod-state.ts'

export type JobPod = Stored<Pod>

/** Prevents the removal of a finished pod until its Job has counted it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking'
/** A strategic merge patch that removes it. */
export const withoutTrackingPatch = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } }
/** The key of an annotation and of a label. */
export const completionIndexKey = 'batch.kubernetes.io/job-completion-index'
export const indexFailureCountKey = 'batch.kubernetes.io/job-index-failure-count'
export const indexIgnoredFailureCountKey = 'batch.kubernetes.io/job-index-ignored-failure-count'

export const phaseOf = ({ status }: Pod) => status?.phase ?? 'Pending'
export const isSucceeded = (pod: Pod) => pod.status?.phase === 'Succeeded'
export const isTracked = ({ metadata }: Pod) => metadata?.finalizers?.includes(trackingFinalizer) === true

/** The syntax that Go accepts. */
const integer = /^[+-]?[0-9]+$/
const maxCount = 2 ** 31 - 1

/** Undefined if the annotation is absent or invalid. */
export function completionIndexOf({ metadata }: Pod): number | undefined {
  const text = annotation(metadata?.annotations, completionIndexKey)
  if (text === undefined || !integer.test(text)) return undefined
  const index = Number(text)
  return index >= 0 && Number.isSafeInteger(index) ? index : undefined
}

/** How many pods of this index failed before this one, without ignored failures. */
export const indexFailureCountOf = ({ metadata }: Pod) => countIn(metadata?.annotations, indexFailureCountKey)
export const indexIgnoredFailureCountOf = ({ metadata }: Pod) => countIn(metadata?.annotations, indexIgnoredFailureCountKey)
export const indexAbsoluteFailureCountOf = (pod: Pod) => indexFailureCountOf(pod) + indexIgnoredFailureCountOf(pod)

function countIn(annotations: Readonly<Record<string, string>> | undefined, key: string): number {
  const text = annotation(annotations, key)
  if (text === undefined || !integer.test(text)) return 0
  const count = Number(text)
  return count >= 0 && count <= maxCount ? count : 0
}

const annotation = (annotations: Readonly<Record<string, string>> | undefined, key: string) =>
  annotations !== undefined && Object.hasOwn(annotations, key) ? annotations[key] : undefined

/**
 * When the pod finished: when its last container terminated; otherwise when it became unready; otherwise when its deletion was
 * requested; otherwise when it was created.
 */
export function finishedAtMs(pod: JobPod): number {
  return finishedAtByContainers(pod) ?? finishedAtByReadiness(pod) ?? finishedAtByDeletion(pod) ?? createdAtMs(pod)
}

function finishedAtByContainers(pod: JobPod): number | undefined {
  const main = latestEnd(pod.status?.containerStatuses ?? [], undefined)
  return latestEnd(sidecarStatuses(pod), main)
}

function sidecarStatuses({ spec, status }: JobPod): ContainerStatuses {
  const names = new Set(spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name))
  return status?.initContainerStatuses?.filter(({ name }) => names.has(name)) ?? []
}

type ContainerStatuses = NonNullable<NonNullable<Pod['status']>['containerStatuses']>

/** Undefined if one of them has not terminated, or reports no time. */
function latestEnd(statuses: ContainerStatuses, before: number | undefined): number | undefined {
  let latest = before
  for (const { state } of statuses) {
    const atMs = parseOptionalTime(state?.terminated?.finishedAt)
    if (atMs === undefined) return undefined
    if (latest === undefined || latest < atMs) latest = atMs
  }
  return latest
}

function finishedAtByReadiness(pod: JobPod): number | undefined {
  const ready = readyCondition(pod)
  return ready?.status === 'False' ? parseOptionalTime(ready.lastTransitionTime) : undefined
}

function finishedAtByDeletion({ metadata }: JobPod): number | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined
  return parseTime(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000
}

const createdAtMs = ({ metadata }: JobPod) => (metadata.creationTimestamp === undefined ? 0 : parseTime(metadata.creationTimestamp))

/** Orders active pods for deletion: pods that have made less progress first. */
export function compareForRemoval(a: JobPod, b: JobPod): number {
  const assignedA = (a.spec?.nodeName ?? '') !== ''
  const assignedB = (b.spec?.nodeName ?? '') !== ''
  if (assignedA !== assignedB) return assignedA ? 1 : -1
  const phases = phaseOrder(a) - phaseOrder(b)
  if (phases !== 0) return phases
  const readyA = isReady(a)
  if (readyA !== isReady(b)) return readyA ? 1 : -1
  if (readyA) {
    const since = readySinceMs(b) - readySinceMs(a)
    if (since !== 0) return since
  }
  return compareRestarts(a, b) || createdAtMs(b) - createdAtMs(a)
}

const phaseOrder = (pod: JobPod) => (phaseOf(pod) === 'Running' ? 2 : phaseOf(pod) === 'Unknown' ? 1 : 0)

function readySinceMs(pod: JobPod): number {
  // Without a time it counts as the latest.
  return parseOptionalTime(readyCondition(pod)?.lastTransitionTime) ?? Number.MAX_SAFE_INTEGER
}

function compareRestarts(a: JobPod, b: JobPod): number {
  const sidecars = () => maxRestarts(sidecarStatuses(b)) - maxRestarts(sidecarStatuses(a))
  return maxRestarts(b.status?.containerStatuses) - maxRestarts(a.status?.containerStatuses) || sidecars()
}

const maxRestarts = (statuses: ContainerStatuses | undefined) =>
  statuses?.reduce((max, { restartCount }) => Math.max(max, restartCount), 0) ?? 0
