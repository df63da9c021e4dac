// Which pod statuses a node must report if it reports only what controllers act on. In a simulation where single pods are not
// inspected, most status updates of a kubelet have no reader.
// Ours: simulations report what controllers act on.
import type { Pod } from '../../api/types.ts'
import type { ContainerState, PodState } from './pod-state.ts'

/**
 * Whether the status must be reported. Two changes may be omitted: the progress of a pod that starts and has never failed, and the
 * termination of a pod that is removed in the same sync.
 */
export function isEssentialStatus({ spec, status, metadata }: Pod, state: PodState, isRemoved: boolean): boolean {
  // A pod with a finalizer stays, and its owner reads how it ended.
  if (isRemoved) return (metadata?.finalizers?.length ?? 0) > 0
  const isPlain =
    !state.isDone &&
    state.initContainers.length === 0 &&
    state.ephemeralContainers === undefined &&
    state.mountFailures === undefined &&
    !spec?.readinessGates?.length &&
    state.containers.every(isUntroubled)
  return !isPlain || isReadyIn(status) !== state.containers.every(isReady)
}

const isUntroubled = ({ now, last, restartCount }: ContainerState) =>
  last === undefined && restartCount === 0 && (now.at === 'running' || (now.at === 'waiting' && now.reason === undefined))

const isReady = ({ now }: ContainerState) => now.at === 'running' && now.isReady

function isReadyIn(status: Pod['status']): boolean {
  for (const { type, status: value } of status?.conditions ?? []) if (type === 'Ready') return value === 'True'
  return false
}
