// Carries out what the planner decided about evictions: annotations and the controller reference of pods, and Events.
// Ours: surge before eviction exists in Rollcall only.
import { pods as podKind } from '../../api/kinds.ts'
import { controllerReference } from '../../api/machinery/owners.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { Deployment, OwnerReference, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { answerMark, noneOfTheMarks, notReplacing, replacingMark } from './plan/eviction-marks.ts'
import type { EvictionAction } from './plan/evictions.ts'

interface EvictionParts {
  readonly client: Client
  readonly recorder: EventRecorder
  readonly nowMs: number
  readonly timeoutMs: number
}

/** All are tried; rejects with the first failure. */
export async function applyEvictions(
  deployment: Stored<Deployment>,
  actions: readonly EvictionAction[],
  parts: EvictionParts,
): Promise<void> {
  const results = await Promise.allSettled(actions.map((action) => applyEviction(deployment, action, parts)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function applyEviction(deployment: Stored<Deployment>, action: EvictionAction, parts: EvictionParts): Promise<void> {
  const { client, nowMs } = parts
  const { pod } = action
  const { namespace = '', name, uid, resourceVersion } = pod.metadata
  const ref = { namespace, name }
  const patch = (metadata: object) => client.patch(podKind, ref, 'merge', { metadata: { uid, resourceVersion, ...metadata } })
  switch (action.type) {
    case 'replace':
      await patch({
        annotations: replacingMark(nowMs, action.floor, uid),
        ...(action.takesOver && { ownerReferences: ownedBy(pod, ofDeployment(deployment)) }),
      })
      break
    case 'allow':
      await patch({
        annotations: { ...answerMark(nowMs, action.reason), ...(action.reason === 'TimedOut' && notReplacing) },
        ...(action.giveBackTo && { ownerReferences: ownedBy(pod, ofReplicaSet(action.giveBackTo)) }),
      })
      break
    case 'forget':
      await giveBack(client, pod, action.giveBackTo)
      break
    case 'delete':
      await ignoring('NotFound', client.delete(podKind, ref, { preconditions: { uid, resourceVersion } }))
      break
  }
  report(deployment, action, parts)
}

/** Removes the marks of the pod, which belongs to the ReplicaSet again. */
export async function giveBack(client: Client, pod: Stored<Pod>, set: Stored<ReplicaSet> | undefined): Promise<void> {
  const { namespace = '', name, uid, resourceVersion } = pod.metadata
  const ownerReferences = set && ownedBy(pod, ofReplicaSet(set))
  const metadata = { uid, resourceVersion, annotations: noneOfTheMarks, ...(ownerReferences && { ownerReferences }) }
  await ignoring('NotFound', client.patch(podKind, { namespace, name }, 'merge', { metadata }))
}

function report(deployment: Stored<Deployment>, action: EvictionAction, { recorder, timeoutMs }: EvictionParts): void {
  const { pod } = action
  const subject = { ...deployment, kind: 'Deployment', apiVersion: 'apps/v1' }
  const { name } = pod.metadata
  const both = (type: 'Normal' | 'Warning', reason: string, message: string) => {
    recorder.record(pod, type, reason, message)
    recorder.record(subject, type, reason, message)
  }
  if (action.type === 'replace') both('Normal', 'EvictionReplacing', `Pod ${name} is to be evicted: its replacement is created first`)
  else if (action.type === 'allow' && action.reason === 'Replaced')
    both('Normal', 'EvictionAllowed', `Pod ${name} may be evicted: enough other pods are available`)
  else if (action.type === 'allow' && action.reason === 'TimedOut')
    both(
      'Warning',
      'EvictionTimedOut',
      `The eviction of pod ${name} no longer waits: there was ${action.wasReplacing ? 'no available replacement' : 'no room for a replacement'} within ${timeoutMs / 1000} s. Disruption budgets decide about it alone`,
    )
  else if (action.type === 'delete') both('Normal', 'EvictionCleanup', `Deleting pod ${name}, which a rollout has replaced`)
}

/** Without `blockOwnerDeletion`, which would need a permission for the finalizers of Deployments. */
const ofDeployment = (deployment: Stored<Deployment>) => withoutBlock(controllerReference('apps/v1', 'Deployment', deployment))
const ofReplicaSet = (set: Stored<ReplicaSet>) => withoutBlock(controllerReference('apps/v1', 'ReplicaSet', set))
const withoutBlock = ({ blockOwnerDeletion: _, ...reference }: OwnerReference): OwnerReference => reference

/** The owners of the pod with another controller. */
const ownedBy = ({ metadata }: Stored<Pod>, controller: OwnerReference): readonly OwnerReference[] => [
  ...(metadata.ownerReferences ?? []).filter((one) => one.controller !== true),
  controller,
]
