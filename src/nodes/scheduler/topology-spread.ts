// The PodTopologySpread filter.
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.PreFilter, PodTopologySpread.calPreFilterState
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.Filter, preFilterState.minMatchNum
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.topologySpreadConstraint.matchNodeInclusionPolicies
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.nodeLabelsMatchSpreadConstraints

import { isNodeWanted } from '../../api/kinds/core/node/node-requirement.ts'
import { isTolerated } from '../../api/kinds/core/node/taints.ts'
import type { ClusterState } from './cluster-state.ts'
import type { NodeCounts } from './node-counts.ts'
import type { NodeState } from './node-state.ts'
import { selects } from './pod-counts.ts'
import type { PodNeeds } from './pod-needs.ts'
import { type Refusal, refusals } from './refusals.ts'
import { podsCountedBySpread, type SpreadConstraint } from './spread-constraints.ts'

interface ConstraintState {
  readonly constraint: SpreadConstraint
  /** By domain; an absent domain is empty. */
  readonly counts: ReadonlyMap<string, number>
  /** The minimum over all domains. */
  readonly minCount: number
  /** 1 if the pod matches the constraint itself. */
  readonly own: 0 | 1
}

export type SpreadState = readonly ConstraintState[]

/** Whether the constraint counts pods on the node. */
export function isIncluded({ ignoresAffinity, honoursTaints }: SpreadConstraint, needs: PodNeeds, node: NodeState): boolean {
  if (!ignoresAffinity && needs.nodes !== undefined && !isNodeWanted(needs.nodes, node.name, node.labels)) return false
  return !honoursTaints || node.hardTaints.every((taint) => isTolerated(needs.tolerations, taint))
}

export const hasAllKeys = (constraints: readonly SpreadConstraint[], node: NodeState): boolean =>
  constraints.every(({ topologyKey }) => node.label(topologyKey) !== undefined)

export function preFilterSpread(needs: PodNeeds, state: ClusterState): SpreadState | undefined {
  const { hard } = needs.spread
  if (hard.length === 0) return undefined
  return hard.map((constraint) => {
    const { topologyKey, selector, minDomains } = constraint
    // All nodes with the label are eligible: the counts can be used as they are.
    const isPlain = hard.length === 1 && !constraint.honoursTaints && (needs.nodes === undefined || constraint.ignoresAffinity)
    const pods = state.counts.countsOf(podsCountedBySpread(needs.namespace, selector))
    const counts = isPlain ? pods.in(topologyKey) : countEligible(constraint, needs, pods, state)
    const domains = isPlain ? state.domains(topologyKey).size : counts.size
    let minCount = Number.POSITIVE_INFINITY
    // With fewer domains than minDomains, the minimum is zero.
    if (counts.size < domains || domains < minDomains) minCount = 0
    else for (const count of counts.values()) if (count < minCount) minCount = count
    return { constraint, counts, minCount, own: selects(selector, needs.traits.labels) ? 1 : 0 }
  })
}

/** Including empty domains. */
function countEligible(constraint: SpreadConstraint, needs: PodNeeds, pods: NodeCounts, state: ClusterState): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const node of state.nodes) {
    if (!hasAllKeys(needs.spread.hard, node) || !isIncluded(constraint, needs, node)) continue
    const value = node.label(constraint.topologyKey)!
    counts.set(value, (counts.get(value) ?? 0) + pods.on(node))
  }
  return counts
}

export function filterSpread(preFilterState: SpreadState, node: NodeState): Refusal | undefined {
  for (const { constraint, counts, minCount, own } of preFilterState) {
    const value = node.label(constraint.topologyKey)
    if (value === undefined) return refusals.noTopology
    if ((counts.get(value) ?? 0) + own - minCount > constraint.maxSkew) return refusals.tooSkewed
  }
  return undefined
}
