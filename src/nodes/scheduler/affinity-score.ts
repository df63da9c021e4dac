// Scores preferred inter-pod affinity: the preferences of the pod, and those of existing pods about it.
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.PreScore, InterPodAffinity.processExistingPod
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.Score, InterPodAffinity.NormalizeScore
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.scoreMap.processTerm
import { podsMatching } from './affinity-terms.ts'
import type { ClusterState } from './cluster-state.ts'
import type { NodeState } from './node-state.ts'
import type { PodNeeds } from './pod-needs.ts'

const maxScore = 100

export function scoreAffinity({ affinity, traits }: PodNeeds, nodes: readonly NodeState[], state: ClusterState): Float64Array | undefined {
  const labelsOf = state.namespaceLabels
  const parts: { readonly topologyKey: string; readonly weight: number; readonly counts: ReadonlyMap<string, number> }[] = []
  for (const { term, weight } of affinity.preferred)
    parts.push({
      topologyKey: term.topologyKey,
      weight,
      counts: state.counts.countsOf(podsMatching([term], labelsOf)).in(term.topologyKey),
    })
  for (const { term, weight, nodes: placed } of state.preferenceTerms.matching(traits, labelsOf))
    parts.push({ topologyKey: term.topologyKey, weight, counts: placed.in(term.topologyKey) })
  const filled = parts.filter(({ counts }) => counts.size > 0)
  if (filled.length === 0) return undefined
  const scores = Float64Array.from(nodes, (node) => {
    let sum = 0
    for (const { topologyKey, weight, counts } of filled) {
      const value = node.label(topologyKey)
      if (value !== undefined) sum += weight * (counts.get(value) ?? 0)
    }
    return sum
  })
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const score of scores) {
    lowest = Math.min(lowest, score)
    highest = Math.max(highest, score)
  }
  return scores.map((score) => (highest > lowest ? Math.floor((maxScore * (score - lowest)) / (highest - lowest)) : 0))
}
