// Counts pods by query. Pods with the same namespace, labels and termination state are one group: no query can tell them apart.
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.countPodsMatchSelector

import { type LabelRequirements, type Labels, matchesLabels } from '../../base/label-selector.ts'
import { SetMap } from '../../base/maps.ts'
import { NodeCounts } from './node-counts.ts'
import type { NodeState } from './node-state.ts'

export interface PodTraits {
  readonly namespace: string
  readonly labels: Labels
  readonly isTerminating: boolean
  /** Equal for pods with equal traits. */
  readonly key: string
}

const noLabels: Labels = {}
/** Pods without labels share one key in all namespaces. */
const maxTraitsPerLabels = 8

/** By the labels object, which the pods of one template share. */
const cachedTraits = new WeakMap<Labels, PodTraits[]>()

export function readTraits(namespace: string, labels: Labels = noLabels, isTerminating = false): PodTraits {
  const known = cachedTraits.get(labels)
  const found = known?.find((traits) => traits.namespace === namespace && traits.isTerminating === isTerminating)
  if (found !== undefined) return found
  const sorted = Object.keys(labels).sort()
  const key = JSON.stringify([namespace, isTerminating, ...sorted.map((label) => [label, labels[label]])])
  const traits = { namespace, labels, isTerminating, key }
  if (known === undefined || known.length >= maxTraitsPerLabels) cachedTraits.set(labels, [traits])
  else known.push(traits)
  return traits
}

/** Selects the pods to count. Queries with equal keys select the same pods. */
export interface PodQuery {
  readonly key: string
  /** Absent: pods in any namespace. */
  readonly namespaces?: ReadonlySet<string>
  matches(traits: PodTraits): boolean
}

/** An absent selector selects no pod. */
export function selects(requirements: LabelRequirements | undefined, labels: Labels): boolean {
  return requirements !== undefined && matchesLabels(requirements, labels)
}

interface Group {
  readonly traits: PodTraits
  readonly nodes: NodeCounts
  /** The queries that count the group. */
  readonly queries: Set<QueryCounts>
}

interface QueryCounts {
  readonly query: PodQuery
  readonly counts: NodeCounts
}

const maxQueries = 4096

/** The first use of a query reads every group once; from then on its counts are updated incrementally. */
export class PodCounts {
  readonly #groups = new Map<string, Group>()
  readonly #byNamespace = new SetMap<string, Group>()
  readonly #queries = new Map<string, QueryCounts>()

  add(traits: PodTraits, node: NodeState, change: 1 | -1): void {
    const group = this.#groups.get(traits.key) ?? this.#addGroup(traits)
    group.nodes.add(node, change)
    for (const { counts } of group.queries) counts.add(node, change)
    if (group.nodes.isEmpty) this.#removeGroup(group)
  }

  countsOf(query: PodQuery): NodeCounts {
    const known = this.#queries.get(query.key)
    if (known !== undefined) return known.counts
    if (this.#queries.size >= maxQueries) this.forget(() => true)
    const counted: QueryCounts = { query, counts: new NodeCounts() }
    this.#queries.set(query.key, counted)
    for (const group of this.#groupsFor(query)) {
      if (!query.matches(group.traits)) continue
      group.queries.add(counted)
      for (const [node, count] of group.nodes.entries()) counted.counts.add(node, count)
    }
    return counted.counts
  }

  /** Drops the counts of stale queries. */
  forget(isStale: (query: PodQuery) => boolean): void {
    for (const [key, counted] of this.#queries) {
      if (!isStale(counted.query)) continue
      this.#queries.delete(key)
      for (const group of this.#groups.values()) group.queries.delete(counted)
    }
  }

  forgetDomains(): void {
    for (const { counts } of this.#queries.values()) counts.forgetDomains()
  }

  *#groupsFor({ namespaces }: PodQuery): Iterable<Group> {
    if (namespaces === undefined) yield* this.#groups.values()
    else for (const namespace of namespaces) yield* this.#byNamespace.get(namespace) ?? []
  }

  #addGroup(traits: PodTraits): Group {
    const group: Group = { traits, nodes: new NodeCounts(), queries: new Set() }
    this.#groups.set(traits.key, group)
    this.#byNamespace.add(traits.namespace, group)
    for (const counted of this.#queries.values()) if (counted.query.matches(traits)) group.queries.add(counted)
    return group
  }

  #removeGroup(group: Group): void {
    this.#groups.delete(group.traits.key)
    this.#byNamespace.remove(group.traits.namespace, group)
  }
}
