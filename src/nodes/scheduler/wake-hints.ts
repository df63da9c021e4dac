// Which of the pods that found no place may find one after a change.
import { isMeant } from './affinity-terms.ts'
import type { ClusterState } from './cluster-state.ts'
import { judgeNode } from './filters.ts'
import type { NodeState } from './node-state.ts'
import type { PodLook } from './pod-group.ts'
import type { QueuedPod } from './scheduling-queue.ts'

const noView = {}

/** Rules about other pods look at more than one node: a change anywhere may help. */
const looksAround = ({ rules }: QueuedPod) => rules === undefined || rules.has('PodTopologySpread') || rules.has('InterPodAffinity')

/** The node has come, has changed, or has lost pods. */
export function isHelpedByNode(pod: QueuedPod, node: NodeState): boolean {
  return looksAround(pod) || judgeNode(pod.needs, node, noView) === undefined
}

/** A pod that looks like this has found its place, or looks different now. */
export function isHelpedByPod({ needs, rules }: QueuedPod, look: PodLook, state: ClusterState): boolean {
  if (rules === undefined) return false
  if (rules.has('PodTopologySpread') && look.namespace === needs.namespace) return true
  return rules.has('InterPodAffinity') && needs.affinity.required.some((term) => isMeant(term, look, state.namespaceLabels))
}
