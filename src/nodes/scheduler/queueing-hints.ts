// Which of the pods that found no place may find one after a change.
import { matches } from './affinity-terms.ts'
import type { ClusterState } from './cluster-state.ts'
import { filterNode } from './filters.ts'
import type { NodeState } from './node-state.ts'
import type { PodTraits } from './pod-counts.ts'
import type { QueuedPod } from './scheduling-queue.ts'

const emptyState = {}

/** Rules about other pods look at more than one node: a change anywhere may help. */
const dependsOnOtherPods = ({ rules }: QueuedPod) => rules === undefined || rules.has('PodTopologySpread') || rules.has('InterPodAffinity')

/** The node has come, has changed, or has lost pods. */
export function isUnblockedByNode(pod: QueuedPod, node: NodeState): boolean {
  return dependsOnOtherPods(pod) || filterNode(pod.needs, node, emptyState) === undefined
}

/** A pod that looks like this has found its place, or looks different now. */
export function isUnblockedByPod({ needs, rules }: QueuedPod, traits: PodTraits, state: ClusterState): boolean {
  if (rules === undefined) return false
  if (rules.has('PodTopologySpread') && traits.namespace === needs.namespace) return true
  return rules.has('InterPodAffinity') && needs.affinity.required.some((term) => matches(term, traits, state.namespaceLabels))
}
