// The affinity terms of placed pods, which apply to pods that are scheduled later. Pods of one template share theirs, so that there
// are few.
import { getOrAdd } from '../../base/maps.ts'
import { type AffinityTerm, matches, type NamespaceLabels } from './affinity-terms.ts'
import { NodeCounts } from './node-counts.ts'
import type { NodeState } from './node-state.ts'
import type { PodTraits } from './pod-counts.ts'

interface Rule {
  readonly term: AffinityTerm
  readonly weight: number
  readonly nodes: NodeCounts
}

export class PodRules {
  readonly #rules = new Map<string, Rule>()

  add(term: AffinityTerm, weight: number, node: NodeState, change: 1 | -1): void {
    const key = `${weight} ${term.key}`
    const { nodes } = getOrAdd(this.#rules, key, () => ({ term, weight, nodes: new NodeCounts() }))
    nodes.add(node, change)
    if (nodes.isEmpty) this.#rules.delete(key)
  }

  /** The terms that select a pod with these traits. */
  *matching(traits: PodTraits, labelsOf: NamespaceLabels): Iterable<Rule> {
    for (const rule of this.#rules.values()) if (matches(rule.term, traits, labelsOf)) yield rule
  }

  forgetDomains(): void {
    for (const { nodes } of this.#rules.values()) nodes.forgetDomains()
  }
}
