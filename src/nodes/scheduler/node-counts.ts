// Counts by node, and by topology domain (zone, rack, host).
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.calPreFilterState
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.topologyToMatchedTermCount.update
import { addCount, getOrAdd } from '../../base/maps.ts'
import type { NodeState } from './node-state.ts'

export class NodeCounts {
  readonly #nodes = new Map<NodeState, number>()
  /** By topology key, then label value. Computed on first use, then updated incrementally. */
  readonly #domains = new Map<string, Map<string, number>>()

  get isEmpty(): boolean {
    return this.#nodes.size === 0
  }

  add(node: NodeState, change: number): void {
    addCount(this.#nodes, node, change)
    for (const [key, domain] of this.#domains) addToDomain(domain, node, key, change)
  }

  on(node: NodeState): number {
    return this.#nodes.get(node) ?? 0
  }

  entries(): IterableIterator<[NodeState, number]> {
    return this.#nodes.entries()
  }

  /** Nodes without the label are in no domain. Domains with a count of zero are absent. */
  in(key: string): ReadonlyMap<string, number> {
    return getOrAdd(this.#domains, key, () => {
      const domain = new Map<string, number>()
      for (const [node, count] of this.#nodes) addToDomain(domain, node, key, count)
      return domain
    })
  }

  /** The labels of nodes have changed. */
  forgetDomains(): void {
    this.#domains.clear()
  }
}

function addToDomain(domain: Map<string, number>, node: NodeState, key: string, change: number): void {
  const value = node.label(key)
  if (value !== undefined) addCount(domain, value, change)
}
