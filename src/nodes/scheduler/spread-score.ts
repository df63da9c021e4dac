// Scores topology spread: fewer matching pods in a domain are better, by the soft constraints of the pod, or else by the default
// ones.
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.PreScore, PodTopologySpread.initPreScoreState
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.Score, PodTopologySpread.NormalizeScore
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.topologyNormalizingWeight, scoreForCount
import { addCount } from '../../base/maps.ts'
import type { ClusterState } from './cluster-state.ts'
import type { NodeState } from './node-state.ts'
import type { PodNeeds } from './pod-needs.ts'
import { defaultSpreadConstraints, hostKey, podsCountedBySpread, type SpreadConstraint } from './spread-constraints.ts'
import { hasAllKeys, isIncluded } from './topology-spread.ts'

const maxScore = 100
const none: readonly boolean[] = []

export function scoreSpread(needs: PodNeeds, nodes: readonly NodeState[], state: ClusterState): Float64Array | undefined {
  const { hard, soft } = needs.spread
  const isDefault = hard.length === 0 && soft.length === 0
  const constraints = isDefault ? defaultConstraints(needs, state) : soft
  if (constraints.length === 0) return undefined
  // Nodes without a topology label are ignored, unless the constraints are the default ones.
  const isIgnored = isDefault ? none : nodes.map((node) => !hasAllKeys(constraints, node))
  const scores = new Float64Array(nodes.length)
  for (const constraint of constraints) addConstraint(scores, constraint, needs, nodes, isIgnored, state)
  let lowest = Number.POSITIVE_INFINITY
  let highest = 0
  for (let i = 0; i < scores.length; i++) {
    if (isIgnored[i]) continue
    scores[i] = Math.round(scores[i]!)
    lowest = Math.min(lowest, scores[i]!)
    highest = Math.max(highest, scores[i]!)
  }
  for (let i = 0; i < scores.length; i++)
    scores[i] = isIgnored[i] ? 0 : highest === 0 ? maxScore : Math.floor((maxScore * (highest + lowest - scores[i]!)) / highest)
  return scores
}

function defaultConstraints({ pod }: PodNeeds, state: ClusterState): readonly SpreadConstraint[] {
  const selector = state.defaultSelector(pod)
  return selector === undefined || selector.length === 0 ? [] : defaultSpreadConstraints(selector)
}

function addConstraint(
  scores: Float64Array,
  constraint: SpreadConstraint,
  needs: PodNeeds,
  nodes: readonly NodeState[],
  isIgnored: readonly boolean[],
  state: ClusterState,
): void {
  const { topologyKey, selector, maxSkew } = constraint
  const pods = state.counts.countsOf(podsCountedBySpread(needs.namespace, selector))
  const isByHost = topologyKey === hostKey
  const counts = isByHost ? undefined : countDomains(constraint, needs, state)
  const domains = new Set<string>()
  let size = 0
  for (let i = 0; i < nodes.length; i++) {
    if (isIgnored[i]) continue
    if (isByHost) size++
    else domains.add(nodes[i]!.label(topologyKey) ?? '')
  }
  // With more domains each holds fewer pods: the weight compensates.
  const weight = Math.log((isByHost ? size : domains.size) + 2)
  for (let i = 0; i < nodes.length; i++) {
    if (isIgnored[i]) continue
    const node = nodes[i]!
    const value = node.label(topologyKey)
    if (value === undefined) continue
    scores[i]! += (counts === undefined ? pods.on(node) : (counts.get(value) ?? 0)) * weight + maxSkew - 1
  }
}

function countDomains(constraint: SpreadConstraint, needs: PodNeeds, state: ClusterState): ReadonlyMap<string, number> {
  const { topologyKey, selector, ignoresAffinity, honoursTaints } = constraint
  const pods = state.counts.countsOf(podsCountedBySpread(needs.namespace, selector))
  if ((needs.nodes === undefined || ignoresAffinity) && !honoursTaints) return pods.in(topologyKey)
  const counts = new Map<string, number>()
  for (const [node, count] of pods.entries()) {
    const value = node.label(topologyKey)
    if (value !== undefined && isIncluded(constraint, needs, node)) addCount(counts, value, count)
  }
  return counts
}
