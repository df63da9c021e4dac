// Which changes of a pod make its owner reconcile, and how soon. Other changes (a container started) cost no sync.
// Kubernetes: pkg/controller/replicaset.ReplicaSetController.updatePod
import type { Pod, Stored } from '../../../api/types.ts'
import { hasSameLabels } from '../../../base/label-selector.ts'
import { isTerminal, readyCondition } from './pod-state.ts'

/** Whether a count in the owner's status may change. A change of the owner itself is not checked. */
export function affectsCounts(current: Stored<Pod>, previous: Stored<Pod>): boolean {
  if ((current.metadata.deletionTimestamp === undefined) !== (previous.metadata.deletionTimestamp === undefined)) return true
  if (isTerminal(current) !== isTerminal(previous)) return true
  const [readySince, before] = [readyTimeOf(current), readyTimeOf(previous)]
  if (readySince !== before) return true
  return !hasSameLabels(current.metadata.labels, previous.metadata.labels)
}

/** Since when the pod has been ready. Undefined if it is not, or if nothing is known about it yet. */
function readyTimeOf(pod: Pod): string | undefined {
  const condition = readyCondition(pod)
  return condition?.status === 'True' ? (condition.lastTransitionTime ?? '') : undefined
}

/** The same for owners that also act on phases, nodes, pods that are not ready and containers that cannot start. */
export function affectsCountsOrState(current: Stored<Pod>, previous: Stored<Pod>): boolean {
  return (
    affectsCounts(current, previous) ||
    readyCondition(current)?.status !== readyCondition(previous)?.status ||
    readyCondition(current)?.lastTransitionTime !== readyCondition(previous)?.lastTransitionTime ||
    current.status?.phase !== previous.status?.phase ||
    current.spec?.nodeName !== previous.spec?.nodeName ||
    waitingReason(current) !== waitingReason(previous)
  )
}

const waitingReason = ({ status }: Pod) =>
  status?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state?.waiting?.reason

/** How long changes are collected before the owner is reconciled: a reconcile takes time in proportion to `count` objects. */
export function batchDelayMs(count: number): number {
  return count < 200 ? 0 : Math.min(count / 100, 50)
}
