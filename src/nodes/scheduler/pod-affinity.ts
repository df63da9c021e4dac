// InterPodAffinity: near to some pods, away from others, and away from those that want to be left alone.
import { type AffinityTerm, isMeant, podsMeeting } from './affinity-terms.ts'
import type { ClusterState } from './cluster-state.ts'
import type { NodeState } from './node-state.ts'
import type { PodNeeds } from './pod-needs.ts'
import { type Refusal, refusals } from './verdicts.ts'

interface Domains {
  readonly topologyKey: string
  readonly counts: ReadonlyMap<string, number>
}

export interface AffinityView {
  /** The pods that are wanted near, for each term. */
  readonly wanted: readonly Domains[]
  /** There is no such pod yet, and this one would be the first of its kind: any node with the labels will do. */
  readonly isFirst: boolean
  /** The pods that are avoided. */
  readonly avoided: readonly Domains[]
  /** The pods that avoid this one. */
  readonly repelling: readonly Domains[]
}

export function viewAffinity({ affinity, look }: PodNeeds, state: ClusterState): AffinityView | undefined {
  const { required, avoided } = affinity
  const labelsOf = state.namespaceLabels
  const repelling: Domains[] = []
  for (const { term, nodes } of state.repelling.about(look, labelsOf))
    repelling.push({ topologyKey: term.topologyKey, counts: nodes.in(term.topologyKey) })
  if (required.length === 0 && avoided.length === 0 && repelling.length === 0) return undefined
  // A pod counts only where it meets all the terms.
  const meeting = required.length === 0 ? undefined : state.counts.answer(podsMeeting(required, labelsOf))
  const wanted = required.map(({ topologyKey }) => ({ topologyKey, counts: meeting!.in(topologyKey) }))
  const domainsOf = (term: AffinityTerm): Domains => ({
    topologyKey: term.topologyKey,
    counts: state.counts.answer(podsMeeting([term], labelsOf)).in(term.topologyKey),
  })
  return {
    wanted,
    isFirst: wanted.every(({ counts }) => counts.size === 0) && required.every((term) => isMeant(term, look, labelsOf)),
    avoided: avoided.map(domainsOf),
    repelling,
  }
}

const isNear = ({ topologyKey, counts }: Domains, node: NodeState): boolean => {
  const value = node.label(topologyKey)
  return value !== undefined && (counts.get(value) ?? 0) > 0
}

export function isRefusedByAffinity({ wanted, isFirst, avoided, repelling }: AffinityView, node: NodeState): Refusal | undefined {
  for (const domains of wanted) {
    if (node.label(domains.topologyKey) === undefined) return refusals.farFromOthers
    if (!isFirst && !isNear(domains, node)) return refusals.farFromOthers
  }
  for (const domains of avoided) if (isNear(domains, node)) return refusals.nearToOthers
  for (const domains of repelling) if (isNear(domains, node)) return refusals.repelled
  return undefined
}
