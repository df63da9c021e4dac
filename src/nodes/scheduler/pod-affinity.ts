// The InterPodAffinity filter: the affinity and anti-affinity of the pod, and the anti-affinity of existing pods.
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.PreFilter, InterPodAffinity.Filter, nodePodsSatisfyAffinity
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.satisfyPodAntiAffinity, satisfyExistingPodsAntiAffinity
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.podMatchesAllAffinityTerms
import { type AffinityTerm, matches, podsMatching } from './affinity-terms.ts'
import type { ClusterState } from './cluster-state.ts'
import type { NodeState } from './node-state.ts'
import type { PodNeeds } from './pod-needs.ts'
import { type Refusal, refusals } from './refusals.ts'

interface Domains {
  readonly topologyKey: string
  readonly counts: ReadonlyMap<string, number>
}

export interface AffinityState {
  /** Matching pods for each required affinity term. */
  readonly wanted: readonly Domains[]
  /** No pod matches yet, and this one matches its own terms: any node with the topology labels is accepted. */
  readonly isFirstOfItsKind: boolean
  /** Matching pods for each required anti-affinity term. */
  readonly avoided: readonly Domains[]
  /** Existing pods with an anti-affinity term that matches this pod. */
  readonly antiAffinityTerms: readonly Domains[]
}

export function preFilterAffinity({ affinity, traits }: PodNeeds, state: ClusterState): AffinityState | undefined {
  const { required, avoided } = affinity
  const labelsOf = state.namespaceLabels
  const antiAffinityTerms: Domains[] = []
  for (const { term, nodes } of state.antiAffinityTerms.matching(traits, labelsOf))
    antiAffinityTerms.push({ topologyKey: term.topologyKey, counts: nodes.in(term.topologyKey) })
  if (required.length === 0 && avoided.length === 0 && antiAffinityTerms.length === 0) return undefined
  // A pod counts only if it matches all terms.
  const matching = required.length === 0 ? undefined : state.counts.countsOf(podsMatching(required, labelsOf))
  const wanted = required.map(({ topologyKey }) => ({ topologyKey, counts: matching!.in(topologyKey) }))
  const domainsOf = (term: AffinityTerm): Domains => ({
    topologyKey: term.topologyKey,
    counts: state.counts.countsOf(podsMatching([term], labelsOf)).in(term.topologyKey),
  })
  return {
    wanted,
    isFirstOfItsKind: wanted.every(({ counts }) => counts.size === 0) && required.every((term) => matches(term, traits, labelsOf)),
    avoided: avoided.map(domainsOf),
    antiAffinityTerms,
  }
}

const isNear = ({ topologyKey, counts }: Domains, node: NodeState): boolean => {
  const value = node.label(topologyKey)
  return value !== undefined && (counts.get(value) ?? 0) > 0
}

export function filterAffinity(
  { wanted, isFirstOfItsKind, avoided, antiAffinityTerms }: AffinityState,
  node: NodeState,
): Refusal | undefined {
  for (const domains of wanted) {
    if (node.label(domains.topologyKey) === undefined) return refusals.affinityUnmet
    if (!isFirstOfItsKind && !isNear(domains, node)) return refusals.affinityUnmet
  }
  for (const domains of avoided) if (isNear(domains, node)) return refusals.antiAffinityUnmet
  for (const domains of antiAffinityTerms) if (isNear(domains, node)) return refusals.existingAntiAffinityUnmet
  return undefined
}
