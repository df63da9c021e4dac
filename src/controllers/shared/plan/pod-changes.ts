// Which changes of a pod make its owner reconcile, and how soon. Other changes (a container started) cost no sync.
import type { Pod, Stored } from '../../../api/types.ts'
import { hasSameLabels } from '../../../base/label-selector.ts'
import { isTerminal, readyCondition } from './pod-state.ts'

/** Whether a count in the owner's status may change. A change of the owner itself is not checked. */
export function affectsCounts(current: Stored<Pod>, previous: Stored<Pod>): boolean {
  if ((current.metadata.deletionTimestamp === undefined) !== (previous.metadata.deletionTimestamp === undefined)) return true
  if (isTerminal(current) !== isTerminal(previous)) return true
  const [ready, before] = [readyCondition(current), readyCondition(previous)]
  if (ready?.status !== before?.status || ready?.lastTransitionTime !== before?.lastTransitionTime) return true
  return !hasSameLabels(current.metadata.labels, previous.metadata.labels)
}

/** The same for owners that also act on phases, nodes and containers that cannot start. */
export function affectsCountsOrState(current: Stored<Pod>, previous: Stored<Pod>): boolean {
  return (
    affectsCounts(current, previous) ||
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
