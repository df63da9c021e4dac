// Plans scale-down: which nodes are underutilized and have only pods that fit on other nodes. Leaves the state unchanged.
// Ours: cluster-autoscaler is another program.
import { controllerOf } from '../../api/machinery/owners.ts'
import type { PodDisruptionBudget, Stored } from '../../api/types.ts'
import type { ClusterState } from '../scheduler/cluster-state.ts'
import { splitByBudgets } from '../scheduler/disruption-budgets.ts'
import { filterNode, preFilter } from '../scheduler/filters.ts'
import type { NodeState } from '../scheduler/node-state.ts'
import type { PodNeeds } from '../scheduler/pod-needs.ts'

interface ScaleDownOptions {
  /** Nodes of autoscaled groups, in order of preference for removal. */
  readonly candidates: readonly NodeState[]
  readonly state: ClusterState
  readonly budgets: readonly Stored<PodDisruptionBudget>[]
  /** A node that is being drained takes no more pods. */
  isDraining(node: string): boolean
}

export interface UnneededNode {
  readonly node: NodeState
  /** The pods that must be evicted. Pods of DaemonSets are not. */
  readonly pods: readonly PodNeeds[]
}

/** A node is utilized if this share of its cpu or memory is requested. */
const utilizationThreshold = 0.5
/** The maximum number of nodes with pods to examine in one evaluation. */
const maxNonEmptyCandidates = 30

const disabledAnnotation = 'cluster-autoscaler.kubernetes.io/scale-down-disabled'
const safeAnnotation = 'cluster-autoscaler.kubernetes.io/safe-to-evict'

export function planScaleDown({ candidates, state, budgets, isDraining }: ScaleDownOptions): UnneededNode[] {
  const unneeded: UnneededNode[] = []
  const leaving = new Set<NodeState>()
  const receiving = new Set<string>()
  const moved: { readonly needs: PodNeeds; readonly from: string }[] = []
  let examined = 0

  /** Moves all pods or none. */
  const move = (pods: readonly PodNeeds[], from: NodeState): boolean => {
    const targets: string[] = []
    leaving.add(from)
    for (const needs of pods) {
      state.remove(needs.uid)
      moved.push({ needs, from: from.name })
      const preFilterState = preFilter(needs, state)
      const target = state.nodes.find(
        (node) => !leaving.has(node) && !isDraining(node.name) && filterNode(needs, node, preFilterState) === undefined,
      )
      if (target === undefined) {
        for (const other of moved.splice(moved.length - targets.length - 1)) state.place(other.needs, other.from)
        leaving.delete(from)
        return false
      }
      state.place(needs, target.name)
      targets.push(target.name)
    }
    for (const name of targets) receiving.add(name)
    return true
  }

  try {
    for (const node of candidates) {
      if (isDraining(node.name) || receiving.has(node.name) || !isUnderutilized(node)) continue
      if (node.node?.metadata.annotations?.[disabledAnnotation] === 'true') continue
      const pods = movablePods(node)
      if (pods === undefined || splitByBudgets(pods, budgets).violating.length > 0) continue
      if (pods.length > 0 && ++examined > maxNonEmptyCandidates) continue
      if (move(pods, node)) unneeded.push({ node, pods })
    }
  } finally {
    for (const { needs, from } of moved.reverse()) state.place(needs, from)
  }
  return unneeded
}

function isUnderutilized({ cpu, memory, allocatable }: NodeState): boolean {
  return cpu < utilizationThreshold * allocatable.cpu && memory < utilizationThreshold * allocatable.memory
}

/** The pods that can run on another node. Undefined: one pod must not be moved, because it has no controller or by its annotation. */
export function movablePods({ pods }: NodeState): PodNeeds[] | undefined {
  const movable: PodNeeds[] = []
  for (const { needs } of pods.values()) {
    const { annotations = {} } = needs.pod.metadata
    const owner = controllerOf(needs.pod)
    if (owner?.kind === 'DaemonSet' || owner?.kind === 'Node') continue
    const isSafe = annotations[safeAnnotation]
    if (isSafe === 'false' || (owner === undefined && isSafe !== 'true')) return undefined
    movable.push(needs)
  }
  return movable
}
