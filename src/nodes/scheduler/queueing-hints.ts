// Queueing hints: whether a change may make an unschedulable pod schedulable.
// Kubernetes: pkg/scheduler/framework/plugins/noderesources.Fit.isSchedulableAfterAssignedPodDelete, Fit.isSchedulableAfterNodeChange
// Kubernetes: pkg/scheduler/framework/plugins/nodeaffinity.NodeAffinity.isSchedulableAfterNodeChange
// Kubernetes: pkg/scheduler/framework/plugins/tainttoleration.TaintToleration.isSchedulableAfterNodeChange
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.isSchedulableAfterAssignedPodChange
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.isSchedulableAfterAssignedPodChange
// Kubernetes: pkg/scheduler/framework/plugins/nodeports.NodePorts.isSchedulableAfterAssignedPodDeleted
import { matches } from './affinity-terms.ts'
import type { ClusterState } from './cluster-state.ts'
import { filterNode } from './filters.ts'
import type { NodeState } from './node-state.ts'
import type { PodTraits } from './pod-counts.ts'
import type { QueuedPod } from './scheduling-queue.ts'

const emptyState = {}

/** A pod that was refused because of other pods: a change of any node or namespace may help it. */
export const dependsOnOtherPods = ({ plugins }: QueuedPod) =>
  plugins === undefined || plugins.has('PodTopologySpread') || plugins.has('InterPodAffinity')

/** The node was added, was changed, or has fewer pods. */
export function isUnblockedByNode(pod: QueuedPod, node: NodeState): boolean {
  return dependsOnOtherPods(pod) || filterNode(pod.needs, node, emptyState) === undefined
}

/** A pod with these traits was placed, or has changed to them. */
export function isUnblockedByPod({ needs, plugins }: QueuedPod, traits: PodTraits, state: ClusterState): boolean {
  if (plugins === undefined) return false
  if (plugins.has('PodTopologySpread') && traits.namespace === needs.namespace) return true
  return plugins.has('InterPodAffinity') && needs.affinity.required.some((term) => matches(term, traits, state.namespaceLabels))
}
