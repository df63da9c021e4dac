// Writes the decisions of the scheduler. A failed write is harmless: the pod returns to the queue.
// Kubernetes: pkg/scheduler.Scheduler.bind, Scheduler.handleSchedulingFailure, updatePod
// Kubernetes: pkg/scheduler/framework/preemption.Executor.prepareCandidate, clearNominatedNodeName
// Kubernetes: pkg/scheduler/framework/plugins/defaultbinder.DefaultBinder.Bind
import { pods as podKind } from '../../api/kinds.ts'
import type { Pod, Stored } from '../../api/types.ts'
import { type Clock, formatTime } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'

const refOf = ({ metadata }: Stored<Pod>) => ({ namespace: metadata.namespace ?? '', name: metadata.name })

export async function applyBinding(client: Client, pod: Stored<Pod>, node: string): Promise<void> {
  const { namespace, name } = refOf(pod)
  await client.createSubresource(podKind, { namespace, name }, 'binding', {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace, uid: pod.metadata.uid },
    target: { kind: 'Node', name: node },
  })
}

export interface SchedulingFailure {
  readonly reason: 'Unschedulable' | 'SchedulerError'
  readonly message: string
  /** null removes the nomination; absent leaves it unchanged. */
  readonly nominatedNodeName?: string | null
}

/** Whether the status of the pod already contains the failure. */
export function isKnownFailure({ status }: Stored<Pod>, { reason, message, nominatedNodeName }: SchedulingFailure): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled')
  return (
    condition?.status === 'False' &&
    condition.reason === reason &&
    condition.message === message &&
    (nominatedNodeName === undefined || (nominatedNodeName ?? '') === (status?.nominatedNodeName ?? ''))
  )
}

export async function applyFailure(client: Client, clock: Clock, pod: Stored<Pod>, failure: SchedulingFailure): Promise<void> {
  const { reason, message, nominatedNodeName } = failure
  const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  const lastTransitionTime = before?.status === 'False' && before.lastTransitionTime ? before.lastTransitionTime : formatTime(clock.now())
  const condition = { type: 'PodScheduled', status: 'False', lastTransitionTime, reason, message }
  await patchCondition(client, pod, condition, nominatedNodeName === undefined ? {} : { nominatedNodeName })
}

async function patchCondition(client: Client, pod: Stored<Pod>, condition: object, more: object = {}): Promise<void> {
  const { uid, generation } = pod.metadata
  const observed = generation === undefined ? {} : { observedGeneration: generation }
  const status = { conditions: [{ lastProbeTime: null, ...condition, ...observed }], ...more }
  await client.patch(podKind, refOf(pod), 'strategic', { metadata: { uid }, status }, { subresource: 'status' })
}

/** Sets the condition DisruptionTarget on the victim, then deletes it. */
export async function applyPreemption(client: Client, clock: Clock, victim: Stored<Pod>, schedulerName: string): Promise<void> {
  await patchCondition(client, victim, {
    type: 'DisruptionTarget',
    status: 'True',
    lastTransitionTime: formatTime(clock.now()),
    reason: 'PreemptionByScheduler',
    message: `${schedulerName}: preempting to accommodate a higher priority pod`,
  })
  await client.delete(podKind, refOf(victim), { preconditions: { uid: victim.metadata.uid } })
}

export async function clearNomination(client: Client, pod: Stored<Pod>): Promise<void> {
  const { uid } = pod.metadata
  await client.patch(podKind, refOf(pod), 'merge', { metadata: { uid }, status: { nominatedNodeName: null } }, { subresource: 'status' })
}
