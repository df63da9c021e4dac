// From objects of the API to what a trace keeps of them.
import { isConditionTrue } from '../../api/machinery/conditions.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { DaemonSet, Deployment, Job, Node, Pod, ReplicaSet, ReplicationController, StatefulSet, Stored } from '../../api/types.ts'
import { scaledValue } from '../../base/int-or-percent.ts'
import { isGated } from '../../cluster/pacer/in-process-pacer.ts'
import type { TracedCondition, TracedPod, TracedSet, TracedWorkload } from './trace.ts'

const revisionAnnotation = 'deployment.kubernetes.io/revision'
const revisionLabel = 'controller-revision-hash'

const ownerOf = controllerOf

/** What may change of a pod. */
type Condition = Pick<TracedPod, 'isReady' | 'isTerminating' | 'hasEnded' | 'isUnschedulable'> & {
  readonly node: string | undefined
  readonly waitsFor: TracedPod['waitsFor'] | undefined
  readonly isWaiting: true | undefined
  readonly isTakenOver: true | undefined
}

/** The scheduler's words for what a node would have if other pods were not there. */
const takenByOthers = /Insufficient |Too many pods|free ports|anti-affinity rules|max volume count/

function conditionOf(pod: Stored<Pod>): Condition {
  const { metadata, spec, status } = pod
  let isReady = false
  let isUnschedulable = false
  let waitsFor: TracedPod['waitsFor'] | undefined
  for (const { type, status: value, reason, message = '' } of status?.conditions ?? []) {
    if (type === 'Ready') isReady = value === 'True'
    else if (type === 'PodScheduled' && value === 'False' && reason === 'Unschedulable') {
      isUnschedulable = true
      waitsFor = takenByOthers.test(message) ? 'room' : 'match'
    }
  }
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  return {
    node: spec?.nodeName || undefined,
    isReady,
    isTerminating: metadata.deletionTimestamp !== undefined,
    hasEnded,
    isUnschedulable,
    waitsFor,
    isWaiting: isGated(pod) || undefined,
    isTakenOver: ownerOf(pod)?.kind === 'Deployment' || undefined,
  }
}

/** The very same one as before where nothing has changed. */
export function tracedPod(pod: Stored<Pod>, before?: TracedPod): TracedPod {
  const now = conditionOf(pod)
  if (before !== undefined && isSamePod(before, now)) return before
  const { metadata } = pod
  const owner = ownerOf(pod)
  const revision = owner === undefined || owner.kind === 'ReplicaSet' ? undefined : metadata.labels?.[revisionLabel]
  const { node, waitsFor, isWaiting, isTakenOver, ...rest } = now
  const ownerUid = (isTakenOver && before?.owner) || owner?.uid
  return {
    uid: metadata.uid,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    ...(ownerUid !== undefined && { owner: ownerUid }),
    ...(revision !== undefined && { revision }),
    ...(node !== undefined && { node }),
    ...rest,
    ...(waitsFor !== undefined && { waitsFor }),
    ...(isWaiting && { isWaiting }),
    ...(isTakenOver && { isTakenOver }),
  }
}

const isSamePod = (a: TracedPod, b: Condition) =>
  a.isReady === b.isReady &&
  a.isTerminating === b.isTerminating &&
  a.hasEnded === b.hasEnded &&
  a.node === b.node &&
  a.isUnschedulable === b.isUnschedulable &&
  a.waitsFor === b.waitsFor &&
  a.isWaiting === b.isWaiting &&
  a.isTakenOver === b.isTakenOver

export function tracedSet(set: Stored<ReplicaSet>): TracedSet {
  const { metadata } = set
  const owner = ownerOf(set)
  const revision = Number(metadata.annotations?.[revisionAnnotation])
  return {
    uid: metadata.uid,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    ...(owner !== undefined && { owner: owner.uid }),
    ...(revision > 0 && { revision }),
  }
}

export const tracedNode = ({ metadata, status }: Stored<Node>) => ({
  name: metadata.name,
  isReady: isConditionTrue(status?.conditions, 'Ready'),
})

type Workload = Deployment | StatefulSet | DaemonSet | Job | ReplicaSet | ReplicationController

/** Undefined: no workload, or one that another one owns. */
export const tracedWorkload = (kind: string, object: Stored<Workload>): TracedWorkload | undefined =>
  ownerOf(object) === undefined ? describeWorkload(kind, object) : undefined

/** Undefined: no workload. */
export function describeWorkload(kind: string, object: Stored<Workload>): TracedWorkload | undefined {
  const size = sizeOf(kind, object)
  if (size === undefined) return undefined
  const { metadata } = object
  const status = object.status as { observedGeneration?: number; conditions?: readonly TracedCondition[] } | undefined
  return {
    uid: metadata.uid,
    kind,
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    ...size,
    generation: metadata.generation ?? 1,
    observedGeneration: status?.observedGeneration ?? (kind === 'Job' ? (metadata.generation ?? 1) : 0),
    conditions: (status?.conditions ?? []).map(({ type, status: value, reason, message }) => ({
      type,
      status: value,
      ...(reason !== undefined && { reason }),
      ...(message !== undefined && { message }),
    })),
  }
}

type Size = Pick<TracedWorkload, 'replicas' | 'cap' | 'availableReplicas' | 'updatedReplicas' | 'totalReplicas' | 'keepsOld' | 'isPaused'>

function sizeOf(kind: string, object: Workload): Size | undefined {
  switch (kind) {
    case 'Deployment': {
      const { spec, status } = object as Deployment
      const replicas = spec?.replicas ?? 1
      const surge =
        spec?.strategy?.type === 'Recreate' ? 0 : (scaledValue(spec?.strategy?.rollingUpdate?.maxSurge ?? '25%', replicas, true) ?? 0)
      return {
        replicas,
        cap: replicas + surge,
        availableReplicas: status?.availableReplicas ?? 0,
        updatedReplicas: status?.updatedReplicas ?? 0,
        totalReplicas: status?.replicas ?? 0,
        ...(spec?.paused && { isPaused: true }),
      }
    }
    case 'StatefulSet': {
      const { spec, status } = object as StatefulSet
      const replicas = spec?.replicas ?? 1
      const isUpdated = status?.currentRevision === status?.updateRevision
      const partition = spec?.updateStrategy?.rollingUpdate?.partition ?? 0
      const keepsOld = { pods: Math.min(partition, replicas), belowOrdinal: (spec?.ordinals?.start ?? 0) + partition }
      return {
        replicas,
        cap: replicas,
        availableReplicas: status?.availableReplicas ?? 0,
        updatedReplicas: isUpdated ? (status?.replicas ?? 0) : (status?.updatedReplicas ?? 0),
        totalReplicas: status?.replicas ?? 0,
        ...(partition > 0 && { keepsOld }),
      }
    }
    case 'ReplicaSet':
    case 'ReplicationController': {
      const { spec, status } = object as ReplicaSet | ReplicationController
      const replicas = spec?.replicas ?? 1
      const total = status?.replicas ?? 0
      return {
        replicas,
        cap: replicas,
        availableReplicas: status?.availableReplicas ?? 0,
        updatedReplicas: total,
        totalReplicas: total,
      }
    }
    case 'DaemonSet': {
      const { spec, status } = object as DaemonSet
      const replicas = status?.desiredNumberScheduled ?? 0
      return {
        replicas,
        cap: replicas + (scaledValue(spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0, replicas, true) ?? 0),
        availableReplicas: status?.numberAvailable ?? 0,
        updatedReplicas: status?.updatedNumberScheduled ?? 0,
        totalReplicas: status?.currentNumberScheduled ?? 0,
      }
    }
    case 'Job': {
      const { spec, status } = object as Job
      const isOver = status?.conditions?.some(({ type, status: value }) => value === 'True' && (type === 'Complete' || type === 'Failed'))
      const replicas = isOver || spec?.suspend ? 0 : (spec?.parallelism ?? 1)
      return {
        replicas,
        cap: replicas,
        availableReplicas: status?.ready ?? 0,
        updatedReplicas: status?.active ?? 0,
        ...(spec?.suspend && { isPaused: true }),
      }
    }
    default:
      return undefined
  }
}
