// The scheduler's view of the cluster: nodes with their pods, and counts of pods. It is updated incrementally, so that scheduling
// one pod reads no other pods. A pod counts on its node as soon as its binding has started ("assumed" in kube-scheduler).
// Kubernetes: pkg/scheduler/backend/cache.cacheImpl.*
import type { Node, Pod, Stored } from '../../api/types.ts'
import { hasSameLabels, type LabelRequirements, type Labels } from '../../base/label-selector.ts'
import { getOrAdd } from '../../base/maps.ts'
import { type AffinityTerm, matches, type NamespaceLabels } from './affinity-terms.ts'
import { NodeCounts } from './node-counts.ts'
import { NodeState, type PlacedPod } from './node-state.ts'
import { PodCounts, type PodTraits } from './pod-counts.ts'
import { type PodNeeds, readNeeds } from './pod-needs.ts'

interface ClusterStateOptions {
  /** Selects the pods of the services and the controller of a pod without spread constraints. Undefined: it has neither. */
  defaultSelector?(pod: Stored<Pod>): LabelRequirements | undefined
}

// As in kube-scheduler, a required affinity term of an existing pod also attracts other pods, with this weight.
const requiredWeight = 1

export class ClusterState {
  readonly defaultSelector: (pod: Stored<Pod>) => LabelRequirements | undefined
  /** Existing nodes, in the order in which they were added. */
  readonly nodes: NodeState[] = []
  /** How many pods match each query, by node. */
  readonly counts = new PodCounts()
  /** Required anti-affinity terms of placed pods. */
  readonly antiAffinityTerms = new PlacedTerms()
  /** Preferred terms of placed pods, and their required affinity terms. */
  readonly preferenceTerms = new PlacedTerms()
  /** The node at which the next search starts, so that all nodes are examined in rotation. */
  nextStart = 0
  readonly #byName = new Map<string, NodeState>()
  readonly #pods = new Map<string, PlacedPod>()
  readonly #domains = new Map<string, ReadonlySet<string>>()
  readonly #namespaces = new Map<string, Labels>()
  /** Pods that are nominated to a node, by node name and uid. */
  readonly #nominated = new Map<string, Map<string, PodNeeds>>()
  readonly #nominations = new Map<string, string>()

  constructor({ defaultSelector = () => undefined }: ClusterStateOptions = {}) {
    this.defaultSelector = defaultSelector
  }

  readonly namespaceLabels = (namespace: string): Labels | undefined => this.#namespaces.get(namespace)

  setNamespace(name: string, labels: Labels | undefined): void {
    if (labels === undefined) this.#namespaces.delete(name)
    else this.#namespaces.set(name, labels)
    this.counts.forget((query) => query.namespaces === undefined)
  }

  node(name: string): NodeState | undefined {
    const state = this.#byName.get(name)
    return state?.node === undefined ? undefined : state
  }

  setNode(node: Stored<Node>): NodeState {
    const state = this.#stateOf(node.metadata.name)
    const { node: before, labels } = state
    state.set(node)
    if (before === undefined) this.nodes.push(state)
    const isRelabelled = !hasSameLabels(labels, state.labels)
    if (before === undefined || isRelabelled) this.#domains.clear()
    if (state.pods.size > 0 && isRelabelled) this.#forgetDomains()
    return state
  }

  /** Its pods remain counted until each of them is removed. */
  removeNode(name: string): void {
    const state = this.#byName.get(name)
    if (state?.node === undefined) return
    state.set(undefined)
    this.nodes.splice(this.nodes.indexOf(state), 1)
    this.#domains.clear()
    if (state.pods.size === 0) this.#byName.delete(name)
    else this.#forgetDomains()
  }

  /** The values of the label over all nodes. */
  domains(key: string): ReadonlySet<string> {
    return getOrAdd(this.#domains, key, () => new Set(this.nodes.flatMap((node) => node.label(key) ?? [])))
  }

  placed(uid: string): PlacedPod | undefined {
    return this.#pods.get(uid)
  }

  /** Places a pod that is bound to the node. Undefined: nothing has changed that is relevant to other pods. */
  observe(pod: Stored<Pod>, nodeName: string): PodNeeds | undefined {
    const placed = this.#pods.get(pod.metadata.uid)
    if (placed?.node.name === nodeName && isSamePod(pod, placed.needs.pod)) {
      placed.needs = { ...placed.needs, pod }
      return undefined
    }
    const needs = readNeeds(pod)
    this.place(needs, nodeName)
    return needs
  }

  /** Replaces the earlier placement of the pod. */
  place(needs: PodNeeds, nodeName: string): void {
    this.remove(needs.uid)
    const placed: PlacedPod = { needs, node: this.#stateOf(nodeName) }
    this.#pods.set(needs.uid, placed)
    this.#count(placed, 1)
  }

  remove(uid: string): void {
    const placed = this.#pods.get(uid)
    if (placed === undefined) return
    this.#pods.delete(uid)
    this.#count(placed, -1)
    const { node } = placed
    if (node.node === undefined && node.pods.size === 0) this.#byName.delete(node.name)
  }

  /** Nominates the pod to the node; undefined removes the nomination. */
  nominate(needs: PodNeeds, nodeName: string | undefined): void {
    const before = this.#nominations.get(needs.uid)
    if (before !== undefined) {
      const waiting = this.#nominated.get(before)
      waiting?.delete(needs.uid)
      if (waiting?.size === 0) this.#nominated.delete(before)
      this.#nominations.delete(needs.uid)
    }
    if (nodeName === undefined) return
    this.#nominations.set(needs.uid, nodeName)
    getOrAdd(this.#nominated, nodeName, () => new Map()).set(needs.uid, needs)
  }

  nominationOf(uid: string): string | undefined {
    return this.#nominations.get(uid)
  }

  get hasNominations(): boolean {
    return this.#nominations.size > 0
  }

  /** The pods that are nominated to the node. */
  nominatedTo(nodeName: string): Iterable<PodNeeds> {
    return this.#nominated.get(nodeName)?.values() ?? []
  }

  #stateOf(name: string): NodeState {
    return getOrAdd(this.#byName, name, () => new NodeState(name))
  }

  #count(placed: PlacedPod, change: 1 | -1): void {
    const { node, needs } = placed
    node.count(placed, change)
    this.counts.add(needs.traits, node, change)
    const { required, avoided, preferred } = needs.affinity
    for (const term of avoided) this.antiAffinityTerms.add(term, 1, node, change)
    for (const term of required) this.preferenceTerms.add(term, requiredWeight, node, change)
    for (const { term, weight } of preferred) this.preferenceTerms.add(term, weight, node, change)
  }

  #forgetDomains(): void {
    this.counts.forgetDomains()
    this.antiAffinityTerms.forgetDomains()
    this.preferenceTerms.forgetDomains()
  }
}

/** Whether an update of a placed pod changes nothing for other pods. A change of the spec increases the generation. */
function isSamePod(a: Stored<Pod>, b: Stored<Pod>): boolean {
  return (
    (a.spec === b.spec || a.metadata.generation === b.metadata.generation) &&
    a.metadata.deletionTimestamp === b.metadata.deletionTimestamp &&
    hasSameLabels(a.metadata.labels, b.metadata.labels)
  )
}

// The affinity terms of placed pods, which apply to pods that are scheduled later. There are few, as pods of one template have the
// same terms.
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.getExistingAntiAffinityCounts
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.processExistingPod
interface PlacedTerm {
  readonly term: AffinityTerm
  readonly weight: number
  readonly nodes: NodeCounts
}

class PlacedTerms {
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
