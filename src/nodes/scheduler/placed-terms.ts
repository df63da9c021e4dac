// The affinity terms of placed pods, which apply to pods that are scheduled later. There are few, as pods of one template have the
// same terms.
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.getExistingAntiAffinityCounts
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.processExistingPod
import { getOrAdd } from '../../base/maps.ts'
import { type AffinityTerm, matches, type NamespaceLabels } from './affinity-terms.ts'
import { NodeCounts } from './node-counts.ts'
import type { NodeState } from './node-state.ts'
import type { PodTraits } from './pod-counts.ts'

interface PlacedTerm {
  readonly term: AffinityTerm
  readonly weight: number
  readonly nodes: NodeCounts
}

export class PlacedTerms {
  readonly #terms = new Map<string, PlacedTerm>()

  add(term: AffinityTerm, weight: number, node: NodeState, change: 1 | -1): void {
    const key = `${weight} ${term.key}`
    const { nodes } = getOrAdd(this.#terms, key, () => ({ term, weight, nodes: new NodeCounts() }))
    nodes.add(node, change)
    if (nodes.isEmpty) this.#terms.delete(key)
  }

  /** The terms that select a pod with these traits. */
  *matching(traits: PodTraits, labelsOf: NamespaceLabels): Iterable<PlacedTerm> {
    for (const placed of this.#terms.values()) if (matches(placed.term, traits, labelsOf)) yield placed
  }

  forgetDomains(): void {
    for (const { nodes } of this.#terms.values()) nodes.forgetDomains()
  }
}
