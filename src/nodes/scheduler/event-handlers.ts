// Updates the cluster state and the scheduling queue on events of the informers.
// Kubernetes: pkg/scheduler.addAllEventHandlers, Scheduler.addPod, Scheduler.updatePod, Scheduler.deletePod, Scheduler.updateNodeInCache
// Kubernetes: pkg/scheduler.AdmissionCheck
// Kubernetes: pkg/scheduler/framework.NodeSchedulingPropertiesChange
import type { Node, Pod, Stored } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import { hasSameLabels } from '../../base/label-selector.ts'
import { isFinished } from '../pod-predicates.ts'
import { matches } from './affinity-terms.ts'
import type { ClusterState } from './cluster-state.ts'
import { filterNode } from './filters.ts'
import type { NodeState } from './node-state.ts'
import { claimsOf } from './pod-claims.ts'
import type { PodTraits } from './pod-counts.ts'
import { readNeeds } from './pod-needs.ts'
import type { QueuedPod, SchedulingQueue } from './scheduling-queue.ts'

interface ClusterEventHandlersOptions {
  readonly state: ClusterState
  readonly queue: SchedulingQueue
  /** The values of spec.schedulerName that this scheduler serves. */
  readonly schedulerNames: ReadonlySet<string>
  /** A change may make pods schedulable: `activatePods` then finds out which. */
  onMayBeSchedulable(): void
}

export class ClusterEventHandlers {
  readonly #options: ClusterEventHandlersOptions
  /** The changes since the last `activatePods`. */
  readonly #changedNodes = new Set<NodeState>()
  readonly #newTraits = new Map<string, PodTraits>()
  /** A node was removed, or the labels of a namespace have changed. */
  #areDomainsChanged = false
  /** Increases with every change that may make unschedulable pods schedulable. */
  version = 0

  constructor(options: ClusterEventHandlersOptions) {
    this.#options = options
  }

  onNode(current: Stored<Node> | undefined, previous: Stored<Node> | undefined): void {
    const { state } = this.#options
    if (current === undefined) {
      if (previous !== undefined) state.removeNode(previous.metadata.name)
      this.#areDomainsChanged = true
      this.#mayBeSchedulable()
    } else if (previous === undefined || !isSameNodeForScheduling(current, previous)) {
      this.#changedNodes.add(state.setNode(current))
      this.#mayBeSchedulable()
    } else state.setNode(current)
  }

  onPod(current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined): void {
    const { queue } = this.#options
    if (current === undefined) {
      if (previous !== undefined) this.#forget(previous.metadata.uid)
    } else if (isFinished(current)) this.#forget(current.metadata.uid)
    else if (current.spec?.nodeName) {
      this.#leaveQueue(current.metadata.uid)
      this.#place(current, current.spec.nodeName)
    } else if (this.#isOurs(current)) this.#enqueue(current, previous)
    else queue.remove(current.metadata.uid)
  }

  onNamespace(name: string, labels: Readonly<Record<string, string>> | undefined): void {
    const { state } = this.#options
    const before = state.namespaceLabels(name)
    if (JSON.stringify(before) === JSON.stringify(labels)) return
    state.setNamespace(name, labels)
    this.#areDomainsChanged = true
    this.#mayBeSchedulable()
  }

  /** A claim was added or changed. */
  onClaim(namespace: string, name: string): void {
    const { queue, onMayBeSchedulable } = this.#options
    for (const pod of [...queue.unschedulable()]) {
      if (pod.needs.namespace !== namespace || !pod.plugins?.has('VolumeBinding') || !claimsOf(pod.needs.pod).includes(name)) continue
      queue.activate(pod)
      onMayBeSchedulable()
    }
  }

  /** Releases the node of a pod whose binding has failed, or that has terminated. */
  onUnbound(uid: string): void {
    const placed = this.#options.state.placed(uid)
    if (placed === undefined) return
    this.#options.state.remove(uid)
    this.#changedNodes.add(placed.node)
    this.#mayBeSchedulable()
  }

  /** Moves the pods that the changes may have made schedulable to the active queue or to back-off. */
  activatePods(): void {
    const { queue, state } = this.#options
    if (this.#changedNodes.size === 0 && this.#newTraits.size === 0 && !this.#areDomainsChanged) return
    for (const pod of [...queue.unschedulable()]) {
      // It waits for a claim: a node does not help.
      if (pod.plugins?.has('VolumeBinding')) continue
      const isUnblocked =
        some(this.#changedNodes, (node) => node.node !== undefined && isUnblockedByNode(pod, node)) ||
        some(this.#newTraits.values(), (traits) => isUnblockedByPod(pod, traits, state)) ||
        (this.#areDomainsChanged && dependsOnOtherPods(pod))
      if (isUnblocked) queue.activate(pod)
    }
    this.#changedNodes.clear()
    this.#newTraits.clear()
    this.#areDomainsChanged = false
  }

  #mayBeSchedulable(): void {
    this.version++
    this.#options.onMayBeSchedulable()
  }

  /** Excludes terminating pods and pods with scheduling gates. */
  #isOurs({ metadata, spec }: Stored<Pod>): boolean {
    return (
      metadata.deletionTimestamp === undefined &&
      this.#options.schedulerNames.has(spec?.schedulerName ?? 'default-scheduler') &&
      !spec?.schedulingGates?.length
    )
  }

  #enqueue(current: Stored<Pod>, previous: Stored<Pod> | undefined): void {
    const { queue, state } = this.#options
    const { uid, generation } = current.metadata
    // Its binding is under way.
    if (state.placed(uid) !== undefined) return
    const known = queue.get(uid)
    if (known === undefined) {
      const needs = readNeeds(current)
      if (current.status?.nominatedNodeName) state.nominate(needs, current.status.nominatedNodeName)
      queue.add(needs)
      return
    }
    if (
      previous !== undefined &&
      generation === previous.metadata.generation &&
      hasSameLabels(current.metadata.labels, previous.metadata.labels)
    ) {
      known.needs = { ...known.needs, pod: current }
      return
    }
    known.needs = readNeeds(current)
    const nomination = state.nominationOf(uid)
    if (nomination !== undefined) state.nominate(known.needs, nomination)
    this.version++
    queue.activate(known)
  }

  #place(current: Stored<Pod>, nodeName: string): void {
    const { state } = this.#options
    const before = state.placed(current.metadata.uid)
    const needs = state.observe(current, nodeName)
    if (needs === undefined) return
    this.onPlaced(needs.traits)
    // The pod is terminating or requests less: others may fit.
    if (before !== undefined) {
      this.#changedNodes.add(before.node)
      this.#mayBeSchedulable()
    }
  }

  /** Pods with affinity to this one may have become schedulable. */
  onPlaced(traits: PodTraits): void {
    if (!this.#options.queue.hasUnschedulable) return
    this.#newTraits.set(traits.key, traits)
    this.#options.onMayBeSchedulable()
  }

  #leaveQueue(uid: string): void {
    const { queue, state } = this.#options
    const known = queue.get(uid)
    if (known !== undefined) state.nominate(known.needs, undefined)
    queue.remove(uid)
  }

  #forget(uid: string): void {
    this.#leaveQueue(uid)
    this.onUnbound(uid)
  }
}

function some<T>(items: Iterable<T>, isTrue: (item: T) => boolean): boolean {
  for (const item of items) if (isTrue(item)) return true
  return false
}

/** Whether a node update, such as a heartbeat, changes nothing that filters read. */
export function isSameNodeForScheduling(a: Stored<Node>, b: Stored<Node>): boolean {
  return (
    (a.spec?.unschedulable ?? false) === (b.spec?.unschedulable ?? false) &&
    isEqualJson(a.spec?.taints, b.spec?.taints) &&
    isEqualJson(a.metadata.labels, b.metadata.labels) &&
    isEqualJson(a.status?.allocatable, b.status?.allocatable)
  )
}

// Queueing hints: whether a change may make an unschedulable pod schedulable.
// Kubernetes: pkg/scheduler/framework/plugins/noderesources.Fit.isSchedulableAfterAssignedPodDelete, Fit.isSchedulableAfterNodeChange
// Kubernetes: pkg/scheduler/framework/plugins/nodeaffinity.NodeAffinity.isSchedulableAfterNodeChange
// Kubernetes: pkg/scheduler/framework/plugins/tainttoleration.TaintToleration.isSchedulableAfterNodeChange
// Kubernetes: pkg/scheduler/framework/plugins/interpodaffinity.InterPodAffinity.isSchedulableAfterAssignedPodChange
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.isSchedulableAfterAssignedPodChange
// Kubernetes: pkg/scheduler/framework/plugins/nodeports.NodePorts.isSchedulableAfterAssignedPodDeleted
const emptyState = {}

/** A pod that was refused because of other pods: a change of any node or namespace may help it. */
const dependsOnOtherPods = ({ plugins }: QueuedPod) =>
  plugins === undefined || plugins.has('PodTopologySpread') || plugins.has('InterPodAffinity')

/** The node was added, was changed, or has fewer pods. */
function isUnblockedByNode(pod: QueuedPod, node: NodeState): boolean {
  return dependsOnOtherPods(pod) || filterNode(pod.needs, node, emptyState) === undefined
}

/** A pod with these traits was placed, or has changed to them. */
function isUnblockedByPod({ needs, plugins }: QueuedPod, traits: PodTraits, state: ClusterState): boolean {
  if (plugins === undefined) return false
  if (plugins.has('PodTopologySpread') && traits.namespace === needs.namespace) return true
  return plugins.has('InterPodAffinity') && needs.affinity.required.some((term) => matches(term, traits, state.namespaceLabels))
}
