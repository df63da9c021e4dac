// Which pods the pod garbage collector deletes: those that no kubelet will remove, and surplus terminated ones.
// Kubernetes: pkg/controller/podgc.PodGCController.gcOrphaned, PodGCController.gcTerminated, PodGCController.gcTerminating
// Kubernetes: pkg/controller/podgc.PodGCController.gcUnscheduledTerminating, PodGCController.markFailedAndDeletePodWithCondition
// Kubernetes: pkg/controller/podgc.byEvictionAndCreationTimestamp.Less, isPodTerminated
import { isConditionTrue } from '../../../api/machinery/conditions.ts'
import type { Node, Pod, PodCondition, Stored } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'

interface PodCollectionInput {
  readonly pods: readonly Stored<Pod>[]
  readonly nodes: ReadonlyMap<string, Node>
  /** Nodes that have been missing for long enough, and do not exist on the server. */
  readonly deletedNodes: ReadonlySet<string>
  /** How many terminated pods are kept. 0: all. */
  readonly terminatedPodThreshold: number
}

export interface PodCollection {
  readonly pod: Stored<Pod>
  readonly why: 'terminated' | 'out-of-service' | 'orphaned' | 'unscheduled'
}

/** Each pod once, in the order of the deletions. */
export function planPodCollection({ pods, nodes, deletedNodes, terminatedPodThreshold }: PodCollectionInput): PodCollection[] {
  const chosen = new Map<string, PodCollection>()
  const choose = (why: PodCollection['why'], some: readonly Stored<Pod>[]) => {
    for (const pod of some) if (!chosen.has(pod.metadata.uid)) chosen.set(pod.metadata.uid, { pod, why })
  }
  if (terminatedPodThreshold > 0) {
    const terminated = pods.filter(isTerminated)
    const surplus = terminated.length - terminatedPodThreshold
    if (surplus > 0) choose('terminated', terminated.sort(byEvictionAndAge).slice(0, surplus))
  }
  const isOutOfService = ({ metadata, spec }: Stored<Pod>) => {
    const node = metadata.deletionTimestamp === undefined ? undefined : nodes.get(spec?.nodeName ?? '')
    return node !== undefined && !isNodeReady(node) && hasTaint(node, 'node.kubernetes.io/out-of-service')
  }
  choose('out-of-service', pods.filter(isOutOfService).sort(byEvictionAndAge))
  choose(
    'orphaned',
    pods.filter(({ spec }) => spec?.nodeName && deletedNodes.has(spec.nodeName)),
  )
  choose(
    'unscheduled',
    pods.filter(({ metadata, spec }) => metadata.deletionTimestamp !== undefined && !spec?.nodeName),
  )
  return [...chosen.values()]
}

/** Nodes that pods are bound to and that do not exist. */
export function missingNodes(pods: Iterable<Stored<Pod>>, nodes: { has(name: string): boolean }): Set<string> {
  const missing = new Set<string>()
  for (const { spec } of pods) if (spec?.nodeName && !nodes.has(spec.nodeName)) missing.add(spec.nodeName)
  return missing
}

/** The status that a pod gets before its deletion, so that its owner observes a failure; undefined if it has terminated already. */
export function lastStatusOf({ pod, why }: PodCollection, nowMs: number): object | undefined {
  if (isTerminal(pod)) return undefined
  const { generation } = pod.metadata
  const observed = generation !== undefined && generation > 0 ? { observedGeneration: generation } : {}
  if (why !== 'orphaned') return { phase: 'Failed', ...observed }
  const before = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    ...observed,
    status: 'True',
    lastTransitionTime: before?.status === 'True' ? before.lastTransitionTime! : formatTime(nowMs),
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
  }
  return { phase: 'Failed', ...observed, conditions: [condition] }
}

function isTerminated({ status }: Pod): boolean {
  return !['Pending', 'Running', 'Unknown'].includes(status?.phase ?? '')
}

const isNodeReady = ({ status }: Node) => isConditionTrue(status?.conditions, 'Ready')

const hasTaint = ({ spec }: Node, key: string) => spec?.taints?.some((taint) => taint.key === key) ?? false

const isEvicted = ({ status }: Pod) => status?.phase === 'Failed' && status.reason === 'Evicted'
const createdMs = ({ metadata }: Pod) => parseTime(metadata?.creationTimestamp ?? '') || 0

/** Evicted pods first, then the oldest. */
function byEvictionAndAge(a: Stored<Pod>, b: Stored<Pod>): number {
  if (isEvicted(a) !== isEvicted(b)) return isEvicted(a) ? -1 : 1
  const difference = createdMs(a) - createdMs(b)
  if (difference !== 0) return difference
  return a.metadata.name < b.metadata.name ? -1 : 1
}
