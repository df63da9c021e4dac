// Which changes of a pod concern the set that it belongs to. The rest (a node was assigned, a container started) costs
// no sync.
import type { Pod, Stored } from '../../../api/types.ts'
import { hasSameLabels } from '../../../base/label-selector.ts'
import { isTerminal, readyCondition } from '../../shared/plan/pod-state.ts'

/** Whether the set would count the pod in another way than before. Its owner is compared elsewhere. */
export function isCountedOtherwise(current: Stored<Pod>, previous: Stored<Pod>): boolean {
  if ((current.metadata.deletionTimestamp === undefined) !== (previous.metadata.deletionTimestamp === undefined)) return true
  if (isTerminal(current) !== isTerminal(previous)) return true
  const [ready, before] = [readyCondition(current), readyCondition(previous)]
  if (ready?.status !== before?.status || ready?.lastTransitionTime !== before?.lastTransitionTime) return true
  return !hasSameLabels(current.metadata.labels, previous.metadata.labels)
}
