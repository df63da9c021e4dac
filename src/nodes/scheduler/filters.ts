// Whether a node takes a pod: the rules in Kubernetes' order, the first that refuses gives the reason.

import { isNodeWanted } from '../../api/kinds/core/node/node-requirement.ts'
import type { ClusterState } from './cluster-state.ts'
import type { NodeState } from './node-state.ts'
import { type AffinityView, isRefusedByAffinity, viewAffinity } from './pod-affinity.ts'
import type { PodNeeds } from './pod-needs.ts'
import { cordonTaint, isTolerated } from './taints.ts'
import { isRefusedBySpread, type SpreadView, viewSpread } from './topology-spread.ts'
import { lackingRefusal, type Refusal, refusals } from './verdicts.ts'

/** What is the same for all nodes while one pod is placed. Valid until the state changes. */
export interface ClusterView {
  /** Absent: the pod has no such rules. */
  readonly spread?: SpreadView
  readonly affinity?: AffinityView
}

export function viewCluster(needs: PodNeeds, state: ClusterState): ClusterView {
  const spread = viewSpread(needs, state)
  const affinity = viewAffinity(needs, state)
  return { ...(spread && { spread }), ...(affinity && { affinity }) }
}

/** Undefined: the node takes it. */
export function judgeNode(needs: PodNeeds, node: NodeState, view: ClusterView): Refusal | undefined {
  if (node.isCordoned && !isTolerated(needs.tolerations, cordonTaint)) return refusals.cordoned
  for (const taint of node.hardTaints) if (!isTolerated(needs.tolerations, taint)) return refusals.tainted
  if (needs.nodes !== undefined && !isNodeWanted(needs.nodes, node.name, node.labels)) return refusals.unwanted
  if (needs.ports.length > 0 && !node.areFree(needs.ports)) return refusals.portTaken
  if (!hasRoom(needs, node)) return describeLack(needs, node)
  if (view.spread !== undefined) {
    const refusal = isRefusedBySpread(view.spread, node)
    if (refusal !== undefined) return refusal
  }
  return view.affinity === undefined ? undefined : isRefusedByAffinity(view.affinity, node)
}

/**
 * As `judgeNode`, and also with the pods that wait for room on this node and are as important as this one: their room is
 * not given away.
 */
export function judgeWithNominated(needs: PodNeeds, node: NodeState, view: ClusterView, state: ClusterState): Refusal | undefined {
  if (state.hasNominations) {
    const waiting = [...state.nominatedTo(node.name)].filter(
      ({ uid, priority }) => uid !== needs.uid && priority >= needs.priority && state.placed(uid) === undefined,
    )
    if (waiting.length > 0) {
      for (const other of waiting) state.place(other, node.name)
      const refusal = judgeNode(needs, node, viewCluster(needs, state))
      for (const { uid } of waiting) state.remove(uid)
      if (refusal !== undefined) return refusal
    }
  }
  return judgeNode(needs, node, view)
}

function hasRoom({ requests }: PodNeeds, { room, allocatable, scalars }: NodeState): boolean {
  if (room[0]! < 1) return false
  if (requests.cpu > room[1]! && requests.cpu > 0) return false
  if (requests.memory > room[2]! && requests.memory > 0) return false
  if (requests.storage > room[3]! && requests.storage > 0) return false
  if (requests.scalars !== undefined)
    for (const [resource, amount] of requests.scalars)
      if (amount > (allocatable.scalars?.get(resource) ?? 0) - (scalars.get(resource) ?? 0)) return false
  return true
}

/** Everything that is lacking. A pod that is larger than the whole node is not helped by an empty one. */
function describeLack({ requests }: PodNeeds, node: NodeState): Refusal {
  const { allocatable } = node
  const reasons: string[] = []
  let isCurable = true
  if (node.pods.size + 1 > allocatable.pods) reasons.push('Too many pods')
  const check = (resource: string, wanted: number, whole: number, used: number) => {
    if (wanted <= 0 || wanted <= whole - used) return
    reasons.push(`Insufficient ${resource}`)
    if (wanted > whole) isCurable = false
  }
  check('cpu', requests.cpu, allocatable.cpu, node.cpu)
  check('memory', requests.memory, allocatable.memory, node.memory)
  check('ephemeral-storage', requests.storage, allocatable.storage, node.storage)
  for (const [resource, amount] of requests.scalars ?? [])
    check(resource, amount, allocatable.scalars?.get(resource) ?? 0, node.scalars.get(resource) ?? 0)
  return lackingRefusal(reasons, isCurable)
}
