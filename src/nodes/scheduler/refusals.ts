// Why a node is refused, with the messages of kube-scheduler.
// Kubernetes: pkg/scheduler/framework/plugins/nodeaffinity.ErrReasonPod
// Kubernetes: pkg/scheduler/framework/plugins/nodeports.ErrReason
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.ErrReasonAffinityRulesNotMatch
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.ErrReasonConstraintsNotMatch
// Kubernetes: pkg/scheduler/framework/plugins/noderesources.fitsRequest
// Kubernetes: pkg/scheduler/framework/plugins/nodeunschedulable.ErrReasonUnschedulable
// Kubernetes: pkg/scheduler/framework/plugins/nodename.ErrReason
import { addCount, getOrAdd } from '../../base/maps.ts'
import { claimsOf } from './pod-claims.ts'
import type { PodNeeds } from './pod-needs.ts'

/** The plugins of kube-scheduler whose filters exist here. */
export type PluginName =
  | 'NodeUnschedulable'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'VolumeBinding'
  | 'PodTopologySpread'
  | 'InterPodAffinity'

export interface Refusal {
  readonly plugin: PluginName
  readonly reasons: readonly string[]
  /** Removing pods from the node could resolve it. */
  readonly isResolvable: boolean
}

const refusal = (plugin: PluginName, isResolvable: boolean, reason: string): Refusal => ({ plugin, reasons: [reason], isResolvable })

export const refusals = {
  cordoned: refusal('NodeUnschedulable', false, 'node(s) were unschedulable'),
  tainted: refusal('TaintToleration', false, 'node(s) had untolerated taint(s)'),
  nodeAffinityUnmet: refusal('NodeAffinity', false, "node(s) didn't match Pod's node affinity/selector"),
  portTaken: refusal('NodePorts', true, "node(s) didn't have free ports for the requested pod ports"),
  noTopology: refusal('PodTopologySpread', false, "node(s) didn't match pod topology spread constraints (missing required label)"),
  tooSkewed: refusal('PodTopologySpread', true, "node(s) didn't match pod topology spread constraints"),
  affinityUnmet: refusal('InterPodAffinity', false, "node(s) didn't match pod affinity rules"),
  antiAffinityUnmet: refusal('InterPodAffinity', true, "node(s) didn't match pod anti-affinity rules"),
  existingAntiAffinityUnmet: refusal('InterPodAffinity', true, "node(s) didn't satisfy existing pods anti-affinity rules"),
} as const

/** The node names that the pod requires exclude each other. */
export const conflictingNodeNames = 'pod affinity terms conflict'
export const unrequestedNodes = "node(s) didn't satisfy plugin(s) [NodeAffinity]"
export const noVictims = 'No preemption victims found for incoming pod'
export const notHelpful = 'Preemption is not helpful for scheduling'
export const noNodes = 'no nodes available to schedule pods'

const cachedRefusals = new Map<string, Refusal>()

/** Shared between nodes: many have the same shortage. */
export function insufficientResources(reasons: readonly string[], isResolvable: boolean): Refusal {
  if (cachedRefusals.size >= 1000) cachedRefusals.clear()
  return getOrAdd(cachedRefusals, `${isResolvable} ${reasons.join()}`, () => ({ plugin: 'NodeResourcesFit', reasons, isResolvable }))
}

export class Reasons {
  readonly #counts = new Map<string, number>()

  add(reasons: readonly string[], nodes = 1): void {
    if (nodes > 0) for (const reason of reasons) addCount(this.#counts, reason, nodes)
  }

  /** `0/5 nodes are available: 2 Insufficient cpu, 3 node(s) were unschedulable.` Sorted as strings, including the number. */
  message(nodes: number): string {
    const counted = [...this.#counts].map(([reason, count]) => `${count} ${reason}`).sort()
    return `0/${nodes} nodes are available:${counted.length > 0 ? ` ${counted.join(', ')}.` : ''}`
  }
}

// Equivalent pods are refused for the same reasons: after one failed, the others are not tried until something changes. A thousand
// replicas that do not fit cost one search.
// Ours: a cache of decisions about equivalent pods.
export interface CachedRefusal {
  readonly message: string
  readonly plugins: ReadonlySet<PluginName> | undefined
}

export class RefusalCache {
  readonly #known = new Map<string, CachedRefusal>()
  #version = -1

  /** `version` increases with every change that may help. */
  find(needs: PodNeeds, version: number): CachedRefusal | undefined {
    if (version !== this.#version || this.#known.size === 0 || !isCacheable(needs)) return undefined
    return this.#known.get(equivalenceKey(needs))
  }

  add(needs: PodNeeds, version: number, refusal: CachedRefusal): void {
    if (!isCacheable(needs)) return
    if (version !== this.#version) this.#known.clear()
    this.#version = version
    this.#known.set(equivalenceKey(needs), refusal)
  }
}

/**
 * Excludes pods with rules about other pods, which the placement of any pod may satisfy without a new version, and pods with
 * claims, which are individual.
 */
const isCacheable = ({ spread, affinity, pod }: PodNeeds) =>
  spread.hard.length === 0 && affinity.required.length === 0 && claimsOf(pod).length === 0

function equivalenceKey({ traits, priority, requests, ports, pod: { spec } }: PodNeeds): string {
  const { cpu, memory, storage, scalars } = requests
  const amounts = [cpu, memory, storage, ...(scalars ?? [])]
  return JSON.stringify([
    traits.key,
    priority,
    amounts,
    ports,
    spec?.preemptionPolicy,
    spec?.tolerations,
    spec?.nodeSelector,
    spec?.affinity,
  ])
}
