// Chooses the node for a pod, or explains why there is none.
// Kubernetes: pkg/scheduler.Scheduler.schedulePod, Scheduler.findNodesThatFitPod, Scheduler.findNodesThatPassFilters
// Kubernetes: pkg/scheduler.Scheduler.evaluateNominatedNode, Scheduler.numFeasibleNodesToFind
// Kubernetes: pkg/scheduler/framework.Diagnosis, FitError.Error
import type { Random } from '../../base/random.ts'
import type { ClusterState } from './cluster-state.ts'
import { filterNodeWithNominated, type PreFilterState, preFilter } from './filters.ts'
import { scoreNodes } from './node-scores.ts'
import type { NodeState } from './node-state.ts'
import type { PodNeeds } from './pod-needs.ts'
import { conflictingNodeNames, noNodes, type PluginName, Reasons, type Refusal, unrequestedNodes } from './refusals.ts'

interface Placement {
  readonly node: string
}

export interface NoPlacement {
  /** `0/5 nodes are available: …`, without the part about preemption. */
  readonly message: string
  /** The plugins that refused nodes: a change that concerns them may help. Undefined: any change may. */
  readonly plugins: ReadonlySet<PluginName> | undefined
  /** The refusal of each node that was examined. Absent: the cluster has no nodes. */
  readonly refusals?: ReadonlyMap<NodeState, Refusal>
}

/** How many feasible nodes to score: all in small clusters, a tenth in large ones. */
function nodesToCompare(all: number): number {
  return Math.min(all, Math.max(100, Math.floor(all / 10)))
}

/** Changes nothing in the state but the start of the next search. */
export function planPlacement(needs: PodNeeds, state: ClusterState, random: Random): Placement | NoPlacement {
  const all = state.nodes
  if (all.length === 0) return { message: noNodes, plugins: undefined }
  const names = needs.nodes?.names
  if (names !== undefined && names.size === 0)
    return {
      message: `0/${all.length} nodes are available: ${conflictingNodeNames}.`,
      plugins: new Set(['NodeAffinity']),
      refusals: new Map(),
    }
  const preFilterState = preFilter(needs, state)
  const nominated = nominatedNode(needs, preFilterState, state)
  if (nominated !== undefined) return { node: nominated.name }

  const candidates = names === undefined ? all : [...names].sort().flatMap((name) => state.node(name) ?? [])
  const wanted = nodesToCompare(candidates.length)
  const feasible: NodeState[] = []
  const refusals = new Map<NodeState, Refusal>()
  const start = names === undefined ? state.nextStart % all.length : 0
  let examined = 0
  for (; examined < candidates.length && feasible.length < wanted; examined++) {
    const node = candidates[(start + examined) % candidates.length]!
    const refusal = filterNodeWithNominated(needs, node, preFilterState, state)
    if (refusal === undefined) feasible.push(node)
    else refusals.set(node, refusal)
  }
  if (names === undefined) state.nextStart = (start + examined) % all.length
  if (feasible.length > 0) return { node: best(needs, feasible, state, random).name }
  return describe(refusals, all.length)
}

/** The nominated node is tried first. */
function nominatedNode(needs: PodNeeds, preFilterState: PreFilterState, state: ClusterState): NodeState | undefined {
  const name = state.nominationOf(needs.uid)
  const node = name === undefined ? undefined : state.node(name)
  return node !== undefined && filterNodeWithNominated(needs, node, preFilterState, state) === undefined ? node : undefined
}

/** Chooses at random among the nodes with the highest score. */
function best(needs: PodNeeds, nodes: readonly NodeState[], state: ClusterState, random: Random): NodeState {
  if (nodes.length === 1) return nodes[0]!
  const scores = scoreNodes(needs, nodes, state)
  let highest = Number.NEGATIVE_INFINITY
  let equals = 0
  for (const score of scores)
    if (score > highest) {
      highest = score
      equals = 1
    } else if (score === highest) equals++
  let choice = equals === 1 ? 0 : Math.floor(random.next() * equals)
  for (let i = 0; i < nodes.length; i++) if (scores[i] === highest && choice-- === 0) return nodes[i]!
  return nodes[0]!
}

function describe(refusals: ReadonlyMap<NodeState, Refusal>, all: number): NoPlacement {
  const reasons = new Reasons()
  const plugins = new Set<PluginName>()
  for (const refusal of refusals.values()) {
    reasons.add(refusal.reasons)
    plugins.add(refusal.plugin)
  }
  // Nodes that the pod's node affinity excludes by name were not examined.
  if (refusals.size < all) {
    reasons.add([unrequestedNodes], all - refusals.size)
    plugins.add('NodeAffinity')
  }
  return { message: reasons.message(all), plugins, refusals }
}
