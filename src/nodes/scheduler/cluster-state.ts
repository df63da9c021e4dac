// What the scheduler decides on: the nodes with their pods, and counts of pods. Kept up to date change by change, so that
// placing one pod looks at no other. A pod whose binding is under way counts like one that is bound.
import type { Node, Pod, Stored } from '../../api/types.ts'
import type { LabelRequirements, Labels } from '../../base/label-selector.ts'
import { NodeState, type PlacedPod } from './node-state.ts'
import { PodCounts } from './pod-counts.ts'
import type { PodNeeds } from './pod-needs.ts'
import { PodRules } from './pod-rules.ts'

interface ClusterStateOptions {
  /** Of the services and owners of a pod that says nothing about how it is to be spread; undefined: nobody's. */
  defaultSelector?(pod: Stored<Pod>): LabelRequirements | undefined
}

// A required rule of a placed pod also draws pods to it, a little.
const requiredWeight = 1

export class ClusterState {
  readonly defaultSelector: (pod: Stored<Pod>) => LabelRequirements | undefined
  /** Those that exist, in the order in which they came. */
  readonly nodes: NodeState[] = []
  /** How many pods each question finds, and where. */
  readonly counts = new PodCounts()
  /** Pods that must not come near. */
  readonly antiAffinityTerms = new PodRules()
  /** Pods that would rather have others near, or not. */
  readonly preferenceTerms = new PodRules()
  /** Where the next search begins: every node has its turn. */
  nextStart = 0
  readonly #byName = new Map<string, NodeState>()
  readonly #pods = new Map<string, PlacedPod>()
  readonly #domains = new Map<string, ReadonlySet<string>>()
  readonly #namespaces = new Map<string, Labels>()
  /** Pods that wait for a node to have room: by the node, then by uid. */
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
    const isRelabelled = !haveSameLabels(labels, state.labels)
    if (before === undefined || isRelabelled) this.#domains.clear()
    if (state.pods.size > 0 && isRelabelled) this.#forgetDomains()
    return state
  }

  /** Its pods stay counted: they are removed one by one when they go. */
  removeNode(name: string): void {
    const state = this.#byName.get(name)
    if (state?.node === undefined) return
    state.set(undefined)
    this.nodes.splice(this.nodes.indexOf(state), 1)
    this.#domains.clear()
    if (state.pods.size === 0) this.#byName.delete(name)
    else this.#forgetDomains()
  }

  /** The values that the nodes have for the label. */
  domains(key: string): ReadonlySet<string> {
    const known = this.#domains.get(key)
    if (known !== undefined) return known
    const values = new Set<string>()
    for (const node of this.nodes) {
      const value = node.label(key)
      if (value !== undefined) values.add(value)
    }
    this.#domains.set(key, values)
    return values
  }

  placed(uid: string): PlacedPod | undefined {
    return this.#pods.get(uid)
  }

  /** Replaces what is known of the pod, if anything. */
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

  /** The pod waits for that node to have room; undefined: for none. */
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
    const waiting = this.#nominated.get(nodeName)
    if (waiting === undefined) this.#nominated.set(nodeName, new Map([[needs.uid, needs]]))
    else waiting.set(needs.uid, needs)
  }

  nominationOf(uid: string): string | undefined {
    return this.#nominations.get(uid)
  }

  get hasNominations(): boolean {
    return this.#nominations.size > 0
  }

  /** The pods that wait for room on the node. */
  nominatedTo(nodeName: string): Iterable<PodNeeds> {
    return this.#nominated.get(nodeName)?.values() ?? []
  }

  #stateOf(name: string): NodeState {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const state = new NodeState(name)
    this.#byName.set(name, state)
    return state
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

function haveSameLabels(a: Labels, b: Labels): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
}
