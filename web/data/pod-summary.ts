// What the page shows of a pod.
import type { ContainerStatus, Pod } from './objects.ts'

/** In stacking order, as in the reports of simulations. A finished pod (Succeeded or Failed) has no state: it holds nothing. */
export const podStates = ['ready', 'starting', 'pending', 'terminating'] as const
export type PodState = (typeof podStates)[number]

export function stateOf({ metadata, spec, status }: Pod): PodState | undefined {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined
  if (metadata.deletionTimestamp !== undefined) return 'terminating'
  if (spec?.nodeName === undefined || spec.nodeName === '') return 'pending'
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ? 'ready' : 'starting'
}

/** Why a pod is not ready, in the words of its conditions and containers. Empty for a ready pod. */
export function reasonOf(pod: Pod, nowMs: number): string {
  const state = stateOf(pod)
  if (state === 'ready') return ''
  if (state === undefined) return pod.status?.phase === 'Failed' ? (pod.status.reason ?? 'Failed') : 'Completed'
  if (state === 'terminating') return terminationOf(pod, nowMs)
  const gates = pod.spec?.schedulingGates ?? []
  if (gates.length > 0) return `Waits for scheduling gates: ${gates.map(({ name }) => name).join(', ')}`
  const unscheduled = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  if (state === 'pending')
    return unscheduled === undefined ? 'Waits for the scheduler' : (unscheduled.message ?? unscheduled.reason ?? 'Unschedulable')
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
  return (
    statuses.map(problemOf).find((problem) => problem !== undefined) ??
    (pod.status?.phase === 'Running' ? 'Running, not ready' : 'Starting')
  )
}

function problemOf({ name, state }: ContainerStatus): string | undefined {
  const waiting = state?.['waiting']
  if (waiting !== undefined && waiting.reason !== undefined && !['ContainerCreating', 'PodInitializing'].includes(waiting.reason))
    return `${waiting.reason} (${name})${waiting.message ? `: ${waiting.message}` : ''}`
  const ended = state?.['terminated']
  return ended !== undefined && ended.reason !== undefined && ended.reason !== 'Completed' ? `${ended.reason} (${name})` : undefined
}

/** The deletion started `grace` before deletionTimestamp. */
export function terminatingForMs({ metadata }: Pod, nowMs: number): number {
  const end = Date.parse(metadata.deletionTimestamp ?? '')
  return Number.isNaN(end) ? 0 : Math.max(0, nowMs - (end - (metadata.deletionGracePeriodSeconds ?? 0) * 1000))
}

function terminationOf(pod: Pod, nowMs: number): string {
  const seconds = Math.round(terminatingForMs(pod, nowMs) / 1000)
  const grace = pod.metadata.deletionGracePeriodSeconds ?? 0
  return seconds > grace + 1
    ? `Terminating for ${seconds}s, ${seconds - grace}s beyond its grace period of ${grace}s`
    : `Terminating for ${seconds}s of ${grace}s`
}

export const restartsOf = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce((sum, { restartCount = 0 }) => sum + restartCount, 0)
