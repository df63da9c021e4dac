// Does to the pods of a Job what a plan says, and tells of it.
import { pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Job, Pod, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { withoutTrackingPatch } from '../../planners/job/claim.ts'
import type { JobPlan } from '../../planners/job/plan.ts'
import { isTracked, type JobPod } from '../../planners/job/pods.ts'
import type { StepOutcome } from '../../planners/job/status.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import type { Expectations } from '../../runtime/expectations.ts'
import { type Informer, keyOf } from '../../runtime/informer.ts'
import { runSlowStart } from '../../runtime/slow-start.ts'
import { findUnsureCreations, isUnsure } from '../../runtime/unsure-creations.ts'
import type { OwnWrites } from './own-writes.ts'

export interface JobWriter {
  readonly client: Client
  readonly recorder: EventRecorder
  readonly expectations: Expectations
  readonly writes: OwnWrites
  readonly pods: Informer<Pod>
  readonly key: string
  readonly job: Stored<Job>
}

export interface AppliedStep extends StepOutcome {
  readonly failedCreations: number
  /** The first failure: the step is to be taken again after the status is written. */
  readonly error?: unknown
}

export async function applyStep(writer: JobWriter, { creations, deletions, releaseFirst }: JobPlan): Promise<AppliedStep> {
  if (creations.length > 0) return applyCreations(writer, creations)
  const results = await Promise.all(deletions.map((pod) => applyDeletion(writer, pod, releaseFirst)))
  const error = results.find((result) => result !== undefined)
  return {
    created: 0,
    failedCreations: 0,
    deleted: deletions.filter((_, index) => results[index] === undefined),
    ...(error !== undefined && { error }),
  }
}

async function applyCreations(writer: JobWriter, creations: readonly Pod[]): Promise<AppliedStep> {
  const { client, recorder, expectations, key, job } = writer
  expectations.expectCreations(key, creations.length)
  let failedCreations = 0
  let unsure = 0
  const { successes, error } = await runSlowStart(creations.length, async (index) => {
    try {
      const { metadata } = await client.create(podKind, job.metadata.namespace, creations[index]!)
      recorder.record(job, 'Normal', 'SuccessfulCreate', `Created pod: ${metadata.name}`)
    } catch (error) {
      failedCreations++
      if (isUnsure(error)) unsure++
      if (!isNamespaceTerminating(error)) recorder.record(job, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`)
      throw error
    }
  })
  for (let missing = creations.length - successes - unsure; missing > 0; missing--) expectations.creationObserved(key)
  if (unsure > 0)
    await findUnsureCreations({ ...writer, namespace: job.metadata.namespace ?? '', ownerUid: job.metadata.uid, pod: creations[0]! })
  // Nothing can be created in a namespace that goes, and trying again will not help.
  return { created: successes, deleted: [], failedCreations, ...(error !== undefined && !isNamespaceTerminating(error) && { error }) }
}

/** Resolves to the failure, or undefined. A pod that is gone is as good as deleted. */
async function applyDeletion(writer: JobWriter, pod: JobPod, releaseFirst: boolean): Promise<unknown> {
  const { client, recorder, writes, key, job } = writer
  const { name, uid, namespace = '' } = pod.metadata
  if (releaseFirst) {
    const failure = await applyRelease(writer, pod)
    if (failure !== undefined) return failure
  }
  writes.markDeleted(key, uid)
  try {
    await client.delete(podKind, { namespace, name }, { preconditions: { uid } })
    recorder.record(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`)
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) {
      writes.unmarkDeleted(key, uid)
      recorder.record(job, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`)
      return error
    }
  }
  settle(writer, pod)
  return undefined
}

/** Removes the tracking finalizer. Resolves to the failure, or undefined. */
export async function applyRelease(writer: JobWriter, pod: JobPod): Promise<unknown> {
  const { client, writes, key } = writer
  const { name, uid, namespace = '' } = pod.metadata
  if (!isTracked(pod)) return undefined
  writes.markReleased(key, uid)
  try {
    await client.patch(podKind, { namespace, name }, 'strategic', withoutTrackingPatch)
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) {
      writes.unmarkReleased(key, uid)
      return error
    }
  }
  settle(writer, pod)
  return undefined
}

/** The copy may have shown the change already, before it was known to be ours. */
function settle({ writes, pods, key }: JobWriter, { metadata }: JobPod): void {
  const cached = pods.get(keyOf({ metadata }))
  writes.observePod(key, metadata.uid, cached?.metadata.uid === metadata.uid ? cached : undefined)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const isNamespaceTerminating = (error: unknown) =>
  isStatusError(error) && error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true
