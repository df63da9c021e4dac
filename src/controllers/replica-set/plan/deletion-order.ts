// KEP-2255: the order in which surplus pods are deleted.
// Kubernetes: pkg/controller/replicaset.getPodsToDelete, getPodsRankedByRelatedPodsOnSameNode
// Kubernetes: pkg/controller.ActivePodsWithRanks.Less, logarithmicRankDiff, podReadyTime, compareMaxContainerRestarts
import type { Pod, Stored } from '../../../api/types.ts'
import { parseTime } from '../../../base/clock.ts'
import { Heap } from '../../../base/heap.ts'
import { isActive, readyCondition } from '../../shared/plan/pod-state.ts'

interface DeletionOrderContext {
  readonly nowMs: number
  /** The gate PodDeletionCost. */
  readonly usesDeletionCost: boolean
  /** The pods of all sets with the same owner, this set included: pods on nodes with many of them are deleted first. */
  readonly related: Iterable<Stored<Pod>>
}

const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost'

/**
 * The first `count` of the pods to be deleted, in order: unassigned before assigned; Pending before Unknown before Running; not ready
 * before ready; lower cost; more active siblings on the node; ready for a shorter time; more restarts (of ordinary
 * containers, then of sidecars); younger.
 *
 * Times are compared in powers of two, so that among pods of about the same age the uid decides and scaling down does not
 * always delete the newest. Kubernetes compares uids as soon as two ready times differ within one power of two, which is not
 * transitive for three pods; here the later criteria still count, and the order is total.
 */
export function rankForDeletion(pods: readonly Stored<Pod>[], count: number, context: DeletionOrderContext): Stored<Pod>[] {
  const onNode = new Map<string, number>()
  for (const pod of context.related) {
    if (!isActive(pod)) continue
    const node = pod.spec?.nodeName ?? ''
    onNode.set(node, (onNode.get(node) ?? 0) + 1)
  }
  // A large set is often scaled down by a few pods at a time: the others are compared once, and not sorted.
  const first = new Heap<Rank>((a, b) => compareRanks(a, b) > 0)
  for (const pod of pods) {
    const rank = rankOf(pod, onNode, context)
    if (first.size === count && compareRanks(first.top!, rank) < 0) continue
    first.push(rank)
    if (first.size > count) first.pop()
  }
  const ranked: Stored<Pod>[] = []
  while (first.top !== undefined) ranked.push(first.pop()!.pod)
  return ranked.reverse()
}

/** The criteria of a pod; a pod with a smaller value is deleted first. */
interface Rank {
  readonly pod: Stored<Pod>
  readonly assigned: number
  readonly phase: number
  readonly ready: number
  readonly cost: number
  readonly alone: number
  readonly readyFor: number
  readonly restarts: number
  readonly sidecarRestarts: number
  readonly age: number
}

function rankOf(pod: Stored<Pod>, onNode: ReadonlyMap<string, number>, { nowMs, usesDeletionCost }: DeletionOrderContext): Rank {
  const node = pod.spec?.nodeName ?? ''
  const condition = readyCondition(pod)
  const isReady = condition?.status === 'True'
  return {
    pod,
    assigned: node === '' ? 0 : 1,
    // As in Kubernetes, an unknown phase ranks with Pending.
    phase: phases.get(pod.status?.phase ?? '') ?? 0,
    ready: isReady ? 1 : 0,
    cost: usesDeletionCost ? deletionCostOf(pod) : 0,
    alone: -(onNode.get(node) ?? 0),
    readyFor: isReady ? powerOfTwo(condition.lastTransitionTime, nowMs) : 0,
    restarts: -restartsOf(pod),
    sidecarRestarts: -sidecarRestartsOf(pod),
    age: powerOfTwo(pod.metadata.creationTimestamp, nowMs),
  }
}

const phases = new Map([
  ['Pending', 0],
  ['Unknown', 1],
  ['Running', 2],
])

// Unrolled: it runs a hundred thousand times when a large set is scaled down.
function compareRanks(a: Rank, b: Rank): number {
  return (
    a.assigned - b.assigned ||
    a.phase - b.phase ||
    a.ready - b.ready ||
    a.cost - b.cost ||
    a.alone - b.alone ||
    a.readyFor - b.readyFor ||
    a.restarts - b.restarts ||
    a.sidecarRestarts - b.sidecarRestarts ||
    a.age - b.age ||
    (a.pod.metadata.uid < b.pod.metadata.uid ? -1 : 1)
  )
}

const costSyntax = /^(0|-[0-9]+|[1-9][0-9]*)$/

/** 0 if it is absent or invalid. */
export function deletionCostOf({ metadata }: Pod): number {
  const annotations = metadata?.annotations
  if (annotations === undefined || !Object.hasOwn(annotations, deletionCostAnnotation)) return 0
  const text = annotations[deletionCostAnnotation] ?? ''
  const cost = Number(text)
  return costSyntax.test(text) && cost >= -0x80000000 && cost <= 0x7fffffff ? cost : 0
}

/** The base-2 logarithm of the time since then in nanoseconds, rounded down; -1 for the future, -2 for no time. */
function powerOfTwo(time: string | undefined, nowMs: number): number {
  if (time === undefined) return -2
  const agoMs = nowMs - parseTime(time)
  return agoMs > 0 ? Math.floor(Math.log2(agoMs * 1e6)) : -1
}

function restartsOf({ status }: Pod): number {
  let max = 0
  for (const { restartCount } of status?.containerStatuses ?? []) max = Math.max(max, restartCount)
  return max
}

function sidecarRestartsOf({ spec, status }: Pod): number {
  if (status?.initContainerStatuses === undefined) return 0
  const sidecars = new Set<string>()
  for (const { name, restartPolicy } of spec?.initContainers ?? []) if (restartPolicy === 'Always') sidecars.add(name)
  let max = 0
  for (const { name, restartCount } of status.initContainerStatuses) if (sidecars.has(name)) max = Math.max(max, restartCount)
  return max
}
