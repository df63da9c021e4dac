// A node that tells little: no more of a pod than others decide by. Where time is virtual and nobody looks at single pods,
// most of what a kubelet reports is read by no one.
import type { Pod } from '../../api/types.ts'
import type { ContainerState, PodState } from './pod-state.ts'

/**
 * Whether to report what has become of the pod. What may stay untold: that a pod which has never failed is on its way up,
 * and how one ended that goes in the same moment.
 */
export function isEssentialStatus({ spec, status, metadata }: Pod, state: PodState, isRemoved: boolean): boolean {
  // Whoever holds it back wants to see how it ended.
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
