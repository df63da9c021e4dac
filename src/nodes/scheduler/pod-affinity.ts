// InterPodAffinity: near to some pods, away from others, and away from those that want to be left alone.
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
  /** The pods that are wanted near, for each term. */
  readonly wanted: readonly Domains[]
  /** There is no such pod yet, and this one would be the first of its kind: any node with the labels will do. */
  readonly isFirstOfItsKind: boolean
  /** The pods that are avoided. */
  readonly avoided: readonly Domains[]
  /** The pods that avoid this one. */
  readonly antiAffinityTerms: readonly Domains[]
}

export function preFilterAffinity({ affinity, traits }: PodNeeds, state: ClusterState): AffinityState | undefined {
  const { required, avoided } = affinity
  const labelsOf = state.namespaceLabels
  const antiAffinityTerms: Domains[] = []
  for (const { term, nodes } of state.antiAffinityTerms.matching(traits, labelsOf))
    antiAffinityTerms.push({ topologyKey: term.topologyKey, counts: nodes.in(term.topologyKey) })
  if (required.length === 0 && avoided.length === 0 && antiAffinityTerms.length === 0) return undefined
  // A pod counts only where it meets all the terms.
  const matching = required.length === 0 ? undefined : state.counts.answer(podsMatching(required, labelsOf))
  const wanted = required.map(({ topologyKey }) => ({ topologyKey, counts: matching!.in(topologyKey) }))
  const domainsOf = (term: AffinityTerm): Domains => ({
    topologyKey: term.topologyKey,
    counts: state.counts.answer(podsMatching([term], labelsOf)).in(term.topologyKey),
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
