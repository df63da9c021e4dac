// Queueing hints: whether a change may make an unschedulable pod schedulable.
import { matches } from './affinity-terms.ts'
import type { ClusterState } from './cluster-state.ts'
import { filterNode } from './filters.ts'
import type { NodeState } from './node-state.ts'
import type { PodTraits } from './pod-counts.ts'
import type { QueuedPod } from './scheduling-queue.ts'

const emptyState = {}

/** With rules about other pods, a change on any node or of a namespace may help. */
export const dependsOnOtherPods = ({ rules }: QueuedPod) =>
  rules === undefined || rules.has('PodTopologySpread') || rules.has('InterPodAffinity')

/** The node was added, was changed, or has fewer pods. */
export function isUnblockedByNode(pod: QueuedPod, node: NodeState): boolean {
  return dependsOnOtherPods(pod) || filterNode(pod.needs, node, emptyState) === undefined
}

/** A pod with these traits was placed, or has changed to them. */
export function isUnblockedByPod({ needs, rules }: QueuedPod, traits: PodTraits, state: ClusterState): boolean {
  if (rules === undefined) return false
  if (rules.has('PodTopologySpread') && traits.namespace === needs.namespace) return true
  return rules.has('InterPodAffinity') && needs.affinity.required.some((term) => matches(term, traits, state.namespaceLabels))
}
