// Filters a node for a pod, in the order of kube-scheduler's plugins. The first refusal gives the reason.
// Kubernetes: pkg/scheduler/apis/config/v1.getDefaultPlugins
// Kubernetes: pkg/scheduler/framework/runtime.frameworkImpl.RunFilterPluginsWithNominatedPods, addGENominatedPods
// Kubernetes: pkg/scheduler/framework/plugins/nodeunschedulable.NodeUnschedulable.Filter
// Kubernetes: pkg/scheduler/framework/plugins/nodename.NodeName.Filter
// Kubernetes: pkg/scheduler/framework/plugins/tainttoleration.TaintToleration.Filter
// Kubernetes: pkg/scheduler/framework/plugins/nodeaffinity.NodeAffinity.PreFilter, NodeAffinity.Filter
// Kubernetes: pkg/scheduler/framework/plugins/nodeports.NodePorts.Filter
// Kubernetes: pkg/scheduler/framework/plugins/noderesources.Fit.Filter, fitsRequest
import { isNodeWanted } from '../../api/kinds/core/node/node-requirement.ts'
import { cordonTaint, isTolerated } from '../../api/kinds/core/node/taints.ts'
import { type AffinityTerm, matches, podsMatching } from './affinity-terms.ts'
import type { ClusterState } from './cluster-state.ts'
import type { NodeState } from './node-state.ts'
import type { PodNeeds } from './pod-needs.ts'
import { insufficientResources, type Refusal, refusals } from './refusals.ts'
import { filterSpread, preFilterSpread, type SpreadState } from './topology-spread.ts'

/** The part that is the same for all nodes in one attempt to schedule a pod. Valid until the state changes. */
export interface PreFilterState {
  /** Absent: the pod has no such constraints. */
  readonly spread?: SpreadState
  readonly affinity?: AffinityState
}

export function preFilter(needs: PodNeeds, state: ClusterState): PreFilterState {
  const spread = preFilterSpread(needs, state)
  const affinity = preFilterAffinity(needs, state)
  return { ...(spread && { spread }), ...(affinity && { affinity }) }
}

/** Undefined: the pod fits on the node. */
export function filterNode(needs: PodNeeds, node: NodeState, preFilterState: PreFilterState): Refusal | undefined {
  if (node.isCordoned && !isTolerated(needs.tolerations, cordonTaint)) return refusals.cordoned
  for (const taint of node.hardTaints) if (!isTolerated(needs.tolerations, taint)) return refusals.tainted
  if (needs.nodes !== undefined && !isNodeWanted(needs.nodes, node.name, node.labels)) return refusals.nodeAffinityUnmet
  if (needs.ports.length > 0 && !node.areFree(needs.ports)) return refusals.portTaken
  if (!hasRoom(needs, node)) return describeShortage(needs, node)
  if (preFilterState.spread !== undefined) {
    const refusal = filterSpread(preFilterState.spread, node)
    if (refusal !== undefined) return refusal
  }
  return preFilterState.affinity === undefined ? undefined : filterAffinity(preFilterState.affinity, node)
}

/**
 * As `filterNode`, and also with the nominated pods of the same or a higher priority on the node: the resources that preemption
 * has freed for them are not given to another pod.
 */
export function filterNodeWithNominated(
  needs: PodNeeds,
  node: NodeState,
  preFilterState: PreFilterState,
  state: ClusterState,
): Refusal | undefined {
  if (state.hasNominations) {
    const waiting = [...state.nominatedTo(node.name)].filter(
      ({ uid, priority }) => uid !== needs.uid && priority >= needs.priority && state.placed(uid) === undefined,
    )
    if (waiting.length > 0) {
      for (const other of waiting) state.place(other, node.name)
      const refusal = filterNode(needs, node, preFilter(needs, state))
      for (const { uid } of waiting) state.remove(uid)
      if (refusal !== undefined) return refusal
    }
  }
  return filterNode(needs, node, preFilterState)
}

function hasRoom({ requests }: PodNeeds, { room, allocatable, scalars }: NodeState): boolean {
  if (room[0]! < 1) return false
  if (requests.cpu > room[1]! && requests.cpu > 0) return false
  if (requests.memory > room[2]! && requests.memory > 0) return false
  if (requests.storage > room[3]! && requests.storage > 0) return false
  if (requests.scalars !== undefined)
    for (const [resource, amount] of requests.scalars)
      if (amount > (allocatable.scalars?.get(resource) ?? 0) - (scalars.get(resource) ?? 0)) return false
  return true
}

/** Lists all missing resources. Preemption cannot help a pod that requests more than the whole node has. */
function describeShortage({ requests }: PodNeeds, node: NodeState): Refusal {
  const { allocatable } = node
  const reasons: string[] = []
  let isResolvable = true
  if (node.pods.size + 1 > allocatable.pods) reasons.push('Too many pods')
  const check = (resource: string, wanted: number, whole: number, used: number) => {
    if (wanted <= 0 || wanted <= whole - used) return
    reasons.push(`Insufficient ${resource}`)
    if (wanted > whole) isResolvable = false
  }
  check('cpu', requests.cpu, allocatable.cpu, node.cpu)
  check('memory', requests.memory, allocatable.memory, node.memory)
  check('ephemeral-storage', requests.storage, allocatable.storage, node.storage)
  for (const [resource, amount] of requests.scalars ?? [])
    check(resource, amount, allocatable.scalars?.get(resource) ?? 0, node.scalars.get(resource) ?? 0)
  return insufficientResources(reasons, isResolvable)
}

// The InterPodAffinity filter: the affinity and anti-affinity of the pod, and the anti-affinity of existing pods.
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.PreFilter, InterPodAffinity.Filter, nodePodsSatisfyAffinity
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.satisfyPodAntiAffinity, satisfyExistingPodsAntiAffinity
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.podMatchesAllAffinityTerms
interface Domains {
  readonly topologyKey: string
  readonly counts: ReadonlyMap<string, number>
}

interface AffinityState {
  /** Matching pods for each required affinity term. */
  readonly wanted: readonly Domains[]
  /** No pod matches yet, and this one matches its own terms: any node with the topology labels is accepted. */
  readonly isFirstOfItsKind: boolean
  /** Matching pods for each required anti-affinity term. */
  readonly avoided: readonly Domains[]
  /** Existing pods with an anti-affinity term that matches this pod. */
  readonly antiAffinityTerms: readonly Domains[]
}

function preFilterAffinity({ affinity, traits }: PodNeeds, state: ClusterState): AffinityState | undefined {
  const { required, avoided } = affinity
  const labelsOf = state.namespaceLabels
  const antiAffinityTerms: Domains[] = []
  for (const { term, nodes } of state.antiAffinityTerms.matching(traits, labelsOf))
    antiAffinityTerms.push({ topologyKey: term.topologyKey, counts: nodes.in(term.topologyKey) })
  if (required.length === 0 && avoided.length === 0 && antiAffinityTerms.length === 0) return undefined
  // A pod counts only if it matches all terms.
  const matching = required.length === 0 ? undefined : state.counts.countsOf(podsMatching(required, labelsOf))
  const wanted = required.map(({ topologyKey }) => ({ topologyKey, counts: matching!.in(topologyKey) }))
  const domainsOf = (term: AffinityTerm): Domains => ({
    topologyKey: term.topologyKey,
    counts: state.counts.countsOf(podsMatching([term], labelsOf)).in(term.topologyKey),
  })
  return {
    wanted,
    isFirstOfItsKind: wanted.every(({ counts }) => counts.size === 0) && required.every((term) => matches(term, traits, labelsOf)),
    avoided: avoided.map(domainsOf),
    antiAffinityTerms,
  }
}

const isNear = ({ topologyKey, counts }: Domains, node: NodeState): boolean => {
  const value = node.label(topologyKey)
  return value !== undefined && (counts.get(value) ?? 0) > 0
}

function filterAffinity({ wanted, isFirstOfItsKind, avoided, antiAffinityTerms }: AffinityState, node: NodeState): Refusal | undefined {
  for (const domains of wanted) {
    if (node.label(domains.topologyKey) === undefined) return refusals.affinityUnmet
    if (!isFirstOfItsKind && !isNear(domains, node)) return refusals.affinityUnmet
  }
  for (const domains of avoided) if (isNear(domains, node)) return refusals.antiAffinityUnmet
  for (const domains of antiAffinityTerms) if (isNear(domains, node)) return refusals.existingAntiAffinityUnmet
  return undefined
}
