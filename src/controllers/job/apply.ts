// Creates and deletes the pods of a Job, and records Events.
// Kubernetes: pkg/controller/job.Controller.manageJob, Controller.deleteJobPods, Controller.deleteActivePods
// Kubernetes: pkg/controller.RealPodControl.createPods
import { pods as podKind } from '../../api/kinds.ts'
import { isNamespaceTerminating, isStatusError } from '../../api/machinery/status-error.ts'
import type { Job, Pod, Stored } from '../../api/types.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { runSlowStart } from '../../runtime/slow-start.ts'
import type { JobPlan } from './plan/plan.ts'
import { isTracked, type JobPod, withoutTrackingPatch } from './plan/pods.ts'
import type { StepOutcome } from './plan/status.ts'

export interface JobWriter {
  readonly client: Client
  readonly recorder: EventRecorder
  readonly job: Stored<Job>
}

export interface AppliedStep extends StepOutcome {
  readonly failedCreations: number
  /** The first failure: the sync is retried after the status was written. */
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
  const { client, recorder, job } = writer
  let failedCreations = 0
  const { successes, error } = await runSlowStart(creations.length, async (index) => {
    try {
      const { metadata } = await client.create(podKind, job.metadata.namespace, creations[index]!, { answer: 'metadata' })
      recorder.record(job, 'Normal', 'SuccessfulCreate', `Created pod: ${metadata.name}`)
    } catch (error) {
      failedCreations++
      if (!isNamespaceTerminating(error)) recorder.record(job, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`)
      throw error
    }
  })
  // Nothing can be created in a terminating namespace: a retry would not help.
  return { created: successes, deleted: [], failedCreations, ...(error !== undefined && !isNamespaceTerminating(error) && { error }) }
}

/** Resolves to the failure, or undefined. A pod that no longer exists counts as deleted. */
async function applyDeletion(writer: JobWriter, pod: JobPod, releaseFirst: boolean): Promise<unknown> {
  const { client, recorder, job } = writer
  const { name, uid, namespace = '' } = pod.metadata
  if (releaseFirst) {
    const failure = await applyRelease(writer, pod)
    if (failure !== undefined) return failure
  }
  try {
    await client.delete(podKind, { namespace, name }, { preconditions: { uid } })
    recorder.record(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`)
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) {
      recorder.record(job, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`)
      return error
    }
  }
  return undefined
}

/** Removes the tracking finalizer. Resolves to the failure, or undefined. */
export async function applyRelease({ client }: Pick<JobWriter, 'client'>, pod: JobPod): Promise<unknown> {
  const { name, namespace = '' } = pod.metadata
  if (!isTracked(pod)) return undefined
  try {
    await client.patch(podKind, { namespace, name }, 'strategic', withoutTrackingPatch)
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) return error
  }
  return undefined
}
