// Applies the plan for a StatefulSet, and records the Events of Kubernetes.
// Kubernetes: pkg/controller/statefulset.StatefulPodControl.*
import { persistentVolumeClaims, pods } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Pod, StatefulSet, Stored } from '../../api/types.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { runSlowStart } from '../../runtime/slow-start.ts'
import type { ClaimsPlan, OwnersPlan } from './plan/claims.ts'
import type { NamedPod } from './plan/new-pod.ts'
import type { StatefulSetAction, Step } from './plan/snapshot.ts'

interface StatefulSetWriter {
  readonly client: Client
  readonly recorder: EventRecorder
  readonly set: Stored<StatefulSet>
}

/** Throws the first failure; later steps are not applied. */
export async function applySteps(writer: StatefulSetWriter, steps: readonly Step[]): Promise<void> {
  for (const { parallel, actions } of steps) {
    if (!parallel) for (const action of actions) await applyAction(writer, action)
    else {
      const { error } = await runSlowStart(actions.length, (index) => applyAction(writer, actions[index]!))
      if (error !== undefined) throw error
    }
  }
}

async function applyAction(writer: StatefulSetWriter, action: StatefulSetAction): Promise<void> {
  const { pod } = action
  switch (action.type) {
    case 'create-pod':
      return applyCreation(writer, action.pod, action.claims, action.owners)
    case 'complete-claims':
      await applyClaims(writer, action.pod, action.claims)
      return recordingFailure(writer, 'Update', pod, () => applyOwners(writer, action.owners))
    case 'update-pod':
      return applyUpdate(writer, action.pod, action.next, action.claims, action.owners)
    case 'own-claims':
      return applyOwners(writer, action.owners)
    case 'delete-pod':
      return applyDeletion(writer, action.pod)
  }
}

async function applyCreation(writer: StatefulSetWriter, pod: NamedPod, claims: ClaimsPlan, owners: OwnersPlan): Promise<void> {
  const { client, set } = writer
  await recordingFailure(writer, 'Create', pod, () => applyClaims(writer, pod, claims))
  let failure: unknown
  try {
    await client.create(pods, set.metadata.namespace, pod)
  } catch (error) {
    // The pod exists, and the cache has not observed it yet; or it has another owner.
    if (isStatusError(error, 'AlreadyExists')) throw error
    failure = error
  }
  await recordingFailure(writer, 'Update', pod, () => applyOwners(writer, owners))
  recordPod(writer, 'Create', pod, failure)
  if (failure !== undefined) throw failure
}

async function applyUpdate(writer: StatefulSetWriter, pod: Stored<Pod>, next: Stored<Pod>, claims: ClaimsPlan, owners: OwnersPlan) {
  await recordingFailure(writer, 'Update', pod, async () => {
    await applyClaims(writer, pod, claims)
    await applyOwners(writer, owners)
    if (next !== pod) await writer.client.update(pods, next)
  })
  recordPod(writer, 'Update', pod)
}

async function applyDeletion(writer: StatefulSetWriter, pod: Stored<Pod>): Promise<void> {
  const { client } = writer
  const { name, namespace = '', uid, resourceVersion } = pod.metadata
  try {
    await client.delete(pods, { namespace, name }, { preconditions: { uid, resourceVersion } })
  } catch (error) {
    if (isStatusError(error, 'Conflict')) throw error
    if (!isStatusError(error, 'NotFound')) {
      recordPod(writer, 'Delete', pod, error)
      throw error
    }
  }
  recordPod(writer, 'Delete', pod)
}

/** Creates missing claims. Throws if a claim could not be created, or is being deleted. */
async function applyClaims(writer: StatefulSetWriter, pod: AnyPod, { create, beingDeleted }: ClaimsPlan): Promise<void> {
  const { client, set } = writer
  const problems: string[] = []
  for (const claim of create) {
    const name = claim.metadata?.name ?? ''
    try {
      await client.create(persistentVolumeClaims, set.metadata.namespace, claim)
      recordClaim(writer, pod, name)
    } catch (error) {
      problems.push(`failed to create PVC ${name}: ${messageOf(error)}`)
      if (!isStatusError(error, 'AlreadyExists')) recordClaim(writer, pod, name, error)
    }
  }
  for (const name of beingDeleted) problems.push(`pvc ${name} is being deleted`)
  if (problems.length > 0) throw new Error(problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`)
}

async function applyOwners({ client, recorder, set }: StatefulSetWriter, { update, conflicting }: OwnersPlan): Promise<void> {
  for (const name of conflicting)
    recorder.record(
      set,
      'Warning',
      'ConflictingController',
      `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`,
    )
  for (const { claim, ownerReferences } of update) {
    const { ownerReferences: _, ...metadata } = claim.metadata
    try {
      await client.update(persistentVolumeClaims, {
        ...claim,
        metadata: { ...metadata, ...(ownerReferences.length > 0 && { ownerReferences }) },
      })
    } catch (error) {
      if (isStatusError(error, 'Conflict')) throw error
      throw new Error(`could not update claim ${claim.metadata.name} for delete policy ownerRefs: ${messageOf(error)}`)
    }
  }
}

interface AnyPod {
  readonly metadata: { readonly name: string }
}

/** Records a failure to `verb` the pod. A conflict is not recorded: the cache was behind, and the sync is retried. */
async function recordingFailure(writer: StatefulSetWriter, verb: Verb, pod: AnyPod, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!isStatusError(error, 'Conflict')) recordPod(writer, verb, pod, error)
    throw error
  }
}

type Verb = 'Create' | 'Update' | 'Delete'

function recordPod({ recorder, set }: StatefulSetWriter, verb: Verb, { metadata: { name } }: AnyPod, error?: unknown): void {
  const subject = `${verb} Pod ${name} in StatefulSet ${set.metadata.name}`
  if (error === undefined) recorder.record(set, 'Normal', `Successful${verb}`, `${subject} successful`)
  else recorder.record(set, 'Warning', `Failed${verb}`, `${subject} failed error: ${messageOf(error)}`)
}

function recordClaim({ recorder, set }: StatefulSetWriter, pod: AnyPod, claim: string, error?: unknown): void {
  const { name } = pod.metadata
  const end = `Pod ${name} in StatefulSet ${set.metadata.name}`
  if (error === undefined) recorder.record(set, 'Normal', 'SuccessfulCreate', `Create Claim ${claim} ${end} success`)
  else recorder.record(set, 'Warning', 'FailedCreate', `Create Claim ${claim} for ${end} failed error: ${messageOf(error)}`)
}
