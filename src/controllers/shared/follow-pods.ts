// Which changes of a pod concern its owner, and how long they gather.
import type { Pod, Stored } from '../../api/types.ts'
import { isCountedOtherwise } from '../replica-set/plan/pod-change.ts'

/** Whether the owner would count the pod otherwise, or find it on another node. */
export function isMovedOrCountedOtherwise(current: Stored<Pod>, previous: Stored<Pod>): boolean {
  return (
    isCountedOtherwise(current, previous) ||
    current.status?.phase !== previous.status?.phase ||
    current.spec?.nodeName !== previous.spec?.nodeName ||
    waitingReason(current) !== waitingReason(previous)
  )
}

const waitingReason = ({ status }: Pod) =>
  status?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state?.waiting?.reason

/** How long changes gather before the owner is reconciled: a reconcile takes time in proportion to its pods. */
export function gatherMs(podCount: number): number {
  return podCount < 200 ? 0 : Math.min(podCount / 100, 50)
}
