// Creates and deletes the pods of a set, and records it as Events.
// Kubernetes: pkg/controller/replicaset.ReplicaSetController.manageReplicas, slowStartBatch
// Kubernetes: pkg/controller.RealPodControl.createPods, RealPodControl.DeletePod
import { pods as podKind } from '../../api/kinds.ts'
import { isNamespaceTerminating, isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Pod, Stored } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { runSlowStart } from '../../runtime/slow-start.ts'

const deletionsPerBatch = 125

interface PodWriter {
  readonly client: Client
  readonly clock: Clock
  readonly recorder: EventRecorder
  readonly namespace: string
  /** The object of the events. */
  readonly subject: KubernetesObject
}

/** `count`: the pods that were created or deleted, which the cache will report. */
interface WrittenPods {
  readonly count: number
  /** The message of the first failure. */
  readonly failure?: string
}

export async function applyCreations(writer: PodWriter, wanted: readonly Pod[]): Promise<WrittenPods> {
  const [first] = wanted
  if (first === undefined) return { count: 0 }
  if (Object.keys(first.metadata?.labels ?? {}).length === 0) return { count: 0, failure: 'unable to create pods, no labels' }
  let count = 0
  const { error } = await runSlowStart(wanted.length, async (index) => {
    if (await applyCreation(writer, wanted[index]!)) count++
  })
  return { count, ...(error !== undefined && { failure: messageOf(error) }) }
}

/** Resolves to false if the namespace is terminating: the set will be deleted with it. */
async function applyCreation({ client, recorder, namespace, subject }: PodWriter, pod: Pod): Promise<boolean> {
  try {
    const { metadata } = await client.create(podKind, namespace, pod, { answer: 'metadata' })
    recorder.record(subject, 'Normal', 'SuccessfulCreate', `Created pod: ${metadata.name}`)
    return true
  } catch (error) {
    if (isNamespaceTerminating(error)) return false
    recorder.record(subject, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`)
    throw error
  }
}

export async function applyDeletions(writer: PodWriter, surplus: readonly Stored<Pod>[]): Promise<WrittenPods> {
  const deletions: Promise<boolean | string>[] = []
  for (const pod of surplus) {
    deletions.push(applyDeletion(writer, pod))
    // The server stores these while the next requests are made.
    if (deletions.length % deletionsPerBatch === 0) await new Promise<void>((resolve) => void writer.clock.after(0, resolve))
  }
  const results = await Promise.all(deletions)
  const failure = results.find((result) => typeof result === 'string')
  return { count: results.filter((result) => result === true).length, ...(failure !== undefined && { failure }) }
}

/** Resolves to false if the pod is already gone, and to a message if it cannot be deleted. */
async function applyDeletion({ client, recorder, namespace, subject }: PodWriter, pod: Stored<Pod>): Promise<boolean | string> {
  const { name, uid } = pod.metadata
  try {
    await client.delete(podKind, { namespace, name }, { preconditions: { uid } })
    recorder.record(subject, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`)
    return true
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return false
    recorder.record(subject, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`)
    return `unable to delete pods: ${messageOf(error)}`
  }
}
