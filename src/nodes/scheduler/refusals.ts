// Why a node does not take a pod, in Kubernetes' words.

/** Whose rule it is: Kubernetes' name of the plugin. */
export type Rule =
  | 'NodeUnschedulable'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'VolumeBinding'
  | 'PodTopologySpread'
  | 'InterPodAffinity'

export interface Refusal {
  readonly rule: Rule
  readonly reasons: readonly string[]
  /** Fewer pods on the node could change it. */
  readonly isResolvable: boolean
}

const refusal = (rule: Rule, isResolvable: boolean, reason: string): Refusal => ({ rule, reasons: [reason], isResolvable })

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

/** The pod's rules about names allow no node at all. */
export const conflictingNodeNames = 'pod affinity terms conflict'
export const unrequestedNodes = "node(s) didn't satisfy plugin(s) [NodeAffinity]"
export const noVictims = 'No preemption victims found for incoming pod'
export const notHelpful = 'Preemption is not helpful for scheduling'
export const noNodes = 'no nodes available to schedule pods'

const cachedRefusals = new Map<string, Refusal>()

/** One for each set of reasons, as many nodes lack the same. */
export function insufficientResources(reasons: readonly string[], isResolvable: boolean): Refusal {
  const key = `${isResolvable} ${reasons.join()}`
  const known = cachedRefusals.get(key)
  if (known !== undefined) return known
  const made: Refusal = { rule: 'NodeResourcesFit', reasons, isResolvable }
  if (cachedRefusals.size >= 1000) cachedRefusals.clear()
  cachedRefusals.set(key, made)
  return made
}

/** `0/5 nodes are available: 2 Insufficient cpu, 3 node(s) were unschedulable.` Reasons go by their text, number first. */
function availabilityMessage(nodes: number, reasons: ReadonlyMap<string, number>): string {
  const counted = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort(byCodeUnits)
  return `0/${nodes} nodes are available:${counted.length > 0 ? ` ${counted.join(', ')}.` : ''}`
}

const byCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export class Reasons {
  readonly #counts = new Map<string, number>()

  add(reasons: readonly string[], nodes = 1): void {
    if (nodes > 0) for (const reason of reasons) this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + nodes)
  }

  message(nodes: number): string {
    return availabilityMessage(nodes, this.#counts)
  }
}
