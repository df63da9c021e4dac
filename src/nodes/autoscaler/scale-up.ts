// Plans scale-up: which nodes to add for unschedulable pods. Leaves the state unchanged.
// Ours: cluster-autoscaler is another program.

import { controllerOf } from '../../api/machinery/owners.ts'
import type { DaemonSet, Pod, Stored } from '../../api/types.ts'
import { addCount } from '../../base/maps.ts'
import type { NodeSpec } from '../node-object.ts'
import type { ClusterState } from '../scheduler/cluster-state.ts'
import { filterNode, preFilter } from '../scheduler/filters.ts'
import { type PodNeeds, readNeeds } from '../scheduler/pod-needs.ts'
import type { Refusal } from '../scheduler/refusals.ts'
import { type AutoscaledGroup, groupName, nextNodes, templateNode } from './node-groups.ts'

export interface GroupSize {
  readonly group: AutoscaledGroup
  /** Including requested nodes that have not joined yet. */
  readonly size: number
  /** The number of the next node. */
  readonly nextNumber: number
  readonly inZone: ReadonlyMap<string, number>
}

interface ScaleUpOptions {
  /** The highest priority first. */
  readonly pods: readonly PodNeeds[]
  readonly state: ClusterState
  readonly groups: readonly GroupSize[]
  /** Requested nodes that have not joined yet. */
  readonly upcoming: readonly NodeSpec[]
  readonly daemonSets: readonly Stored<DaemonSet>[]
  /** A node that is being drained takes no more pods. */
  isDraining(node: string): boolean
}

interface ScaleUp {
  readonly nodes: readonly NodeSpec[]
  /** The pods for which nodes are added, and how the groups grow: `[{node 3->5 (max: 10)}]`. */
  readonly schedulable: readonly PodNeeds[]
  readonly growth: string
  /** The pods that no new node would help: `1 Insufficient cpu`. */
  readonly unschedulable: readonly { readonly needs: PodNeeds; readonly why: string }[]
}

const maxReached = 'max node group size reached'

export function planScaleUp(options: ScaleUpOptions): ScaleUp {
  const { state, groups } = options
  const simulated = new SimulatedState(state, options.daemonSets)
  const sizes = new Map(groups.map((entry) => [entry, { size: entry.size, next: entry.nextNumber, inZone: new Map(entry.inZone) }]))
  const nodes: NodeSpec[] = []
  const names = new Set<string>()
  const schedulable: PodNeeds[] = []
  const unschedulable: { needs: PodNeeds; why: string }[] = []
  /** Equivalent pods do not fit on nodes on which an earlier one did not fit: the search continues from there. */
  const searched = new Map<string, number>()
  const refused = new Map<string, string>()

  const add = (spec: NodeSpec, entry: GroupSize) => {
    nodes.push(spec)
    names.add(spec.name)
    const known = sizes.get(entry)!
    known.size++
    known.next++
    if (spec.zone !== undefined) addCount(known.inZone, spec.zone, 1)
  }

  /** Tries existing and requested nodes. */
  const place = (needs: PodNeeds, equivalence: string | undefined): string | undefined => {
    const preFilterState = preFilter(needs, state)
    let at = equivalence === undefined ? 0 : (searched.get(equivalence) ?? 0)
    for (; at < state.nodes.length; at++) {
      const node = state.nodes[at]!
      if (options.isDraining(node.name) || filterNode(needs, node, preFilterState) !== undefined) continue
      simulated.place(needs, node.name)
      break
    }
    if (equivalence !== undefined) searched.set(equivalence, at)
    return state.nodes[at]?.name
  }

  const grow = (needs: PodNeeds): string | undefined => {
    const reasons: string[] = []
    for (const entry of groups) {
      const { size, next, inZone } = sizes.get(entry)!
      if (size >= entry.group.max) {
        reasons.push(maxReached)
        continue
      }
      let refusal: Refusal | undefined
      for (const spec of nextNodes(entry.group, next, inZone)) {
        simulated.addNode(spec)
        const node = state.node(spec.name)!
        const found = filterNode(needs, node, preFilter(needs, state))
        if (found === undefined) {
          simulated.place(needs, spec.name)
          add(spec, entry)
          return undefined
        }
        simulated.removeNode(spec.name)
        refusal ??= found
      }
      reasons.push(...(refusal?.reasons ?? []))
    }
    return countReasons(reasons)
  }

  try {
    for (const spec of options.upcoming) if (state.node(spec.name) === undefined) simulated.addNode(spec)
    for (const entry of groups)
      for (const known = sizes.get(entry)!; known.size < entry.group.min; ) {
        const spec = nextNodes(entry.group, known.next, known.inZone)[0]!
        simulated.addNode(spec)
        add(spec, entry)
      }
    for (const needs of options.pods) {
      const equivalence = equivalenceKey(needs)
      const node = place(needs, equivalence)
      if (node !== undefined) {
        if (names.has(node)) schedulable.push(needs)
        continue
      }
      const why = (equivalence && refused.get(equivalence)) ?? grow(needs)
      if (why === undefined) schedulable.push(needs)
      else {
        unschedulable.push({ needs, why })
        if (equivalence !== undefined) refused.set(equivalence, why)
      }
    }
  } finally {
    simulated.end()
  }
  const growth = groups
    .map((entry) => ({ entry, size: sizes.get(entry)!.size }))
    .filter(({ entry, size }) => size > entry.size)
    .map(({ entry: { group, size: before }, size }) => `{${groupName(group)} ${before}->${size} (max: ${group.max})}`)
  return { nodes, schedulable, growth: `[${growth.join(' ')}]`, unschedulable }
}

/** Equal for pods with the same controller and requests. Undefined: the pod depends on other pods, or has no controller. */
function equivalenceKey({ pod, requests: { cpu, memory, storage }, spread, affinity }: PodNeeds): string | undefined {
  const owner = controllerOf(pod)?.uid
  const dependsOnOtherPods = spread.hard.length + affinity.required.length + affinity.avoided.length > 0
  return owner === undefined || dependsOnOtherPods
    ? undefined
    : `${owner} ${cpu} ${memory} ${storage} ${JSON.stringify(pod.spec?.nodeSelector)}`
}

function countReasons(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) addCount(counts, reason, 1)
  return [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ')
}

/** Adds nodes and pods to the state, and removes them at the end. */
class SimulatedState {
  readonly #state: ClusterState
  readonly #daemonSets: readonly Stored<DaemonSet>[]
  readonly #pods = new Map<string, string>()
  readonly #nodes = new Set<string>()

  constructor(state: ClusterState, daemonSets: readonly Stored<DaemonSet>[]) {
    this.#state = state
    this.#daemonSets = daemonSets
  }

  /** Adds the node together with the pods that DaemonSets will create on it. */
  addNode(spec: NodeSpec): void {
    const node = this.#state.setNode(templateNode(spec))
    this.#nodes.add(spec.name)
    for (const daemonSet of this.#daemonSets) {
      const needs = readNeeds(daemonPod(daemonSet, spec.name))
      if (filterNode(needs, node, {}) === undefined) this.place(needs, spec.name)
    }
  }

  removeNode(name: string): void {
    for (const [uid, node] of this.#pods) {
      if (node !== name) continue
      this.#pods.delete(uid)
      this.#state.remove(uid)
    }
    this.#nodes.delete(name)
    this.#state.removeNode(name)
  }

  place(needs: PodNeeds, node: string): void {
    this.#pods.set(needs.uid, node)
    this.#state.place(needs, node)
  }

  end(): void {
    for (const uid of this.#pods.keys()) this.#state.remove(uid)
    for (const name of this.#nodes) this.#state.removeNode(name)
  }
}

function daemonPod({ metadata, spec }: Stored<DaemonSet>, node: string): Stored<Pod> {
  const { template } = spec ?? {}
  return {
    metadata: {
      name: `${metadata.name}-${node}`,
      namespace: metadata.namespace ?? '',
      uid: `imagined-${metadata.uid}-${node}`,
      resourceVersion: '0',
      labels: template?.metadata?.labels ?? {},
    },
    spec: template?.spec ?? { containers: [] },
  }
}
