// Counts the pods of each workload of a cluster as they are, terminating ones included. Pure.
import { isConditionTrue } from '../../api/machinery/conditions.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, KubernetesObject, Pod, ReplicaSet, StatefulSet, Stored } from '../../api/types.ts'
import { getOrAdd } from '../../base/maps.ts'
import { hasEvictionMarks, isGated } from '../../cluster/pacer/in-process-pacer.ts'
import { matchesSelector } from '../live/selection.ts'
import { isAllAvailable, isCalledComplete } from '../rollout/completion.ts'
import { keepsRevision } from '../rollout/measured-objects.ts'
import type { TracedWorkload } from '../rollout/trace.ts'
import { describeWorkload, tracedSet } from '../rollout/traced-objects.ts'

export interface CountedObjects {
  /** Deployments, StatefulSets, DaemonSets, Jobs, ReplicaSets and ReplicationControllers, with their kind. */
  readonly workloads: Iterable<Stored<KubernetesObject>>
  readonly pods: Iterable<Stored<Pod>>
  /** By name, whether each node is ready. Absent: nodes may not be read. */
  readonly nodes?: ReadonlyMap<string, boolean>
}

/** A pod that has been terminating for longer than the others. */
export interface OldestTerminating {
  readonly name: string
  readonly terminatingMs: number
  readonly graceMs: number
  /** What holds it after its grace period. Absent: nothing that the API shows. */
  readonly heldBy?: string
}

export interface WorkloadCount {
  /** Absent: pods that no workload owns, all of a namespace together. */
  readonly workload?: TracedWorkload
  readonly namespace: string
  /** Pods that hold room: all that have not ended, and are not waiting. */
  readonly pods: number
  readonly ready: number
  /** Pods of an earlier revision that are not terminating, and do not stay: below the partition of a StatefulSet, or with OnDelete. */
  readonly old: number
  readonly terminating: number
  /** Pods at the gate of the pacer: they are not scheduled yet. */
  readonly waiting: number
  /** Pods that are to be evicted, and wait until they are replaced. Absent: none. */
  readonly toBeReplaced?: number
  /** By how many the pods exceed replicas + maxSurge. */
  readonly overCap: number
  readonly nodes: readonly string[]
  readonly oldestTerminating?: OldestTerminating
  /** Its deletion was requested: it ends when its pods have terminated. */
  readonly isDeleted?: true
  /** As it was asked for, with no pod of an earlier revision and none that is terminating. */
  readonly isSettled: boolean
}

/**
 * A ReplicaSet is part of its Deployment. Workloads of other controllers count by themselves. With `isSelected`, only selected
 * workloads are counted, and no pods without a workload.
 */
export function countPods(
  { workloads, pods, nodes }: CountedObjects,
  nowMs: number,
  isSelected?: (workload: Stored<KubernetesObject>) => boolean,
): WorkloadCount[] {
  const objects = new Map([...workloads].map((object) => [object.metadata.uid, object]))
  const own = new Map<Stored<KubernetesObject>, OwnedPod[]>()
  for (const object of objects.values())
    if (deploymentOf(objects, object) === undefined && (isSelected?.(object) ?? true)) own.set(object, [])
  const loose = new Map<string, OwnedPod[]>()
  const formerOwner = formerOwners(objects)
  const setOf = setsByHash(objects)
  for (const pod of pods) {
    if (hasEnded(pod)) continue
    const owner = ownerIn(objects, pod) ?? formerOwner(pod)
    const root = owner && (deploymentOf(objects, owner) ?? owner)
    if (root !== undefined) own.get(root)?.push({ pod, set: root === owner ? setOf(root, pod) : owner })
    else if (isSelected === undefined) getOrAdd(loose, pod.metadata.namespace ?? '', () => []).push({ pod, set: undefined })
  }
  const newest = newestSets(objects)
  const counts = [...own].map(([object, theirs]): WorkloadCount => {
    const workload = countedWorkload(object)
    const counted = countOf(theirs, nodes, nowMs)
    const old = oldPods(object, workload, theirs, newest.get(object.metadata.uid))
    const isDeleted = object.metadata.deletionTimestamp !== undefined
    return {
      workload,
      namespace: workload.namespace,
      ...counted,
      old,
      overCap: Math.max(0, counted.pods - workload.cap),
      ...(isDeleted && { isDeleted: true as const }),
      isSettled: !isDeleted && old === 0 && counted.terminating === 0 && isCalledComplete(workload, isAllAvailable(workload)),
    }
  })
  for (const [namespace, theirs] of loose) {
    const counted = countOf(theirs, nodes, nowMs)
    counts.push({ namespace, ...counted, old: 0, overCap: 0, isSettled: counted.terminating === 0 })
  }
  return counts.sort(
    (a, b) =>
      b.overCap - a.overCap ||
      b.terminating - a.terminating ||
      compare(a.namespace, b.namespace) ||
      compare(a.workload?.name ?? '~', b.workload?.name ?? '~') ||
      compare(a.workload?.kind ?? '', b.workload?.kind ?? ''),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

type Objects = ReadonlyMap<string, Stored<KubernetesObject>>

interface OwnedPod {
  readonly pod: Stored<Pod>
  /** Of a Deployment: the ReplicaSet that owns the pod. Absent: it does not exist any more. */
  readonly set: Stored<KubernetesObject> | undefined
}

const ownerIn = (objects: Objects, object: Stored<KubernetesObject>) => objects.get(controllerOf(object)?.uid ?? '')

/** Undefined: the object is not a ReplicaSet of a Deployment. An operator may own Deployments by its own: these are not parts of it. */
export function deploymentOf(objects: Objects, object: Stored<KubernetesObject>): Stored<KubernetesObject> | undefined {
  const owner = object.kind === 'ReplicaSet' ? ownerIn(objects, object) : undefined
  return owner?.kind === 'Deployment' ? owner : undefined
}

/** Pods of a workload with OnDelete stay until a user deletes them. */
function countedWorkload(object: Stored<KubernetesObject>): TracedWorkload {
  const workload = describeWorkload(object.kind!, object as Stored<Deployment>)!
  const { updateStrategy } = (object as Stored<StatefulSet>).spec ?? {}
  if (updateStrategy?.type !== 'OnDelete') return workload
  return { ...workload, keepsOld: { pods: workload.replicas, belowOrdinal: Number.MAX_SAFE_INTEGER } }
}

/**
 * For pods whose owner was deleted: the workload of the same name that was created since, or the Deployment whose selector matches
 * the pods of its former ReplicaSet. Each Deployment is found by one label of its selector: the time does not grow with the number
 * of Deployments.
 */
function formerOwners(objects: Objects): (pod: Stored<Pod>) => Stored<KubernetesObject> | undefined {
  const byName = new Map<string, Stored<KubernetesObject>>()
  const byLabel = new Map<string, Stored<Deployment>[]>()
  const labelKey = (namespace: string, key: string, value: string) => `${namespace}/${key}=${value}`
  for (const object of objects.values()) {
    const { kind, metadata } = object
    const { namespace = '', name } = metadata
    byName.set(`${kind}/${namespace}/${name}`, object)
    if (kind !== 'Deployment') continue
    const [[key, value] = ['', '']] = Object.entries((object as Stored<Deployment>).spec?.selector?.matchLabels ?? {})
    getOrAdd(byLabel, labelKey(namespace, key, value), () => []).push(object as Stored<Deployment>)
  }
  return (pod) => {
    const owner = controllerOf(pod)
    if (owner === undefined || !countedApis.test(owner.apiVersion)) return undefined
    const { namespace = '', labels = {} } = pod.metadata
    const successor = byName.get(`${owner.kind}/${namespace}/${owner.name}`)
    if (successor !== undefined || owner.kind !== 'ReplicaSet') return successor
    for (const [key, value] of [...Object.entries(labels), ['', ''] as const]) {
      const found = byLabel.get(labelKey(namespace, key, value))?.find(({ spec }) => matchesSelector(spec?.selector, labels))
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** For a pod that its Deployment has taken over before its eviction: the ReplicaSet that it comes from. */
function setsByHash(objects: Objects): (deployment: Stored<KubernetesObject>, pod: Stored<Pod>) => Stored<KubernetesObject> | undefined {
  const found = new Map<string, Stored<KubernetesObject>>()
  const keyOf = (uid: string, { metadata }: Stored<KubernetesObject>) => `${uid} ${metadata.labels?.['pod-template-hash']}`
  for (const set of objects.values()) {
    const owner = deploymentOf(objects, set)
    if (owner !== undefined) found.set(keyOf(owner.metadata.uid, set), set)
  }
  return (deployment, pod) => (deployment.kind === 'Deployment' ? found.get(keyOf(deployment.metadata.uid, pod)) : undefined)
}

/** Other projects have kinds of the same names in groups of their own. */
const countedApis = /^(apps\/|batch\/|v1$)/

/** The set with the highest revision of each Deployment, by the uid of the Deployment. */
function newestSets(objects: Objects): ReadonlyMap<string, Stored<KubernetesObject>> {
  const newest = new Map<string, { readonly set: Stored<KubernetesObject>; readonly revision: number }>()
  for (const set of objects.values()) {
    const owner = deploymentOf(objects, set)
    if (owner === undefined) continue
    const { revision = 0 } = tracedSet(set as Stored<ReplicaSet>)
    if (revision > (newest.get(owner.metadata.uid)?.revision ?? -1)) newest.set(owner.metadata.uid, { set, revision })
  }
  return new Map([...newest].map(([uid, { set }]) => [uid, set]))
}

function oldPods(
  object: Stored<KubernetesObject>,
  workload: TracedWorkload,
  pods: readonly OwnedPod[],
  newest: Stored<KubernetesObject> | undefined,
): number {
  const count = (isOld: (owned: OwnedPod) => boolean) => pods.filter((owned) => !isTerminating(owned.pod) && isOld(owned)).length
  switch (object.kind) {
    case 'Deployment':
      // Without ReplicaSets, which the user may not read, only the status knows.
      if (newest === undefined) return Math.max(0, (workload.totalReplicas ?? 0) - workload.updatedReplicas)
      return count(({ set }) => set !== newest)
    case 'StatefulSet': {
      const { updateRevision } = (object as Stored<StatefulSet>).status ?? {}
      if (updateRevision === undefined) return 0
      return count(
        ({ pod }) => pod.metadata.labels?.['controller-revision-hash'] !== updateRevision && !keepsRevision(workload, pod.metadata.name),
      )
    }
    case 'DaemonSet': {
      if (workload.keepsOld !== undefined) return 0
      // A rollback makes pods current whose label has an earlier generation: the status knows. It also counts terminating pods.
      const isObserved = workload.observedGeneration >= workload.generation
      const reported = isObserved ? (workload.totalReplicas ?? 0) - workload.updatedReplicas : Number.POSITIVE_INFINITY
      const generation = object.metadata.annotations?.['deprecated.daemonset.template.generation']
      const labelled = count(({ pod }) => pod.metadata.labels?.['pod-template-generation'] !== generation)
      return Math.max(0, Math.min(reported, labelled))
    }
    default:
      return 0
  }
}

type Counted = Pick<WorkloadCount, 'pods' | 'ready' | 'terminating' | 'waiting' | 'toBeReplaced' | 'nodes' | 'oldestTerminating'>

function countOf(owned: readonly OwnedPod[], nodes: CountedObjects['nodes'], nowMs: number): Counted {
  const names = new Set<string>()
  let [ready, terminating, waiting, toBeReplaced] = [0, 0, 0, 0]
  let oldest: OldestTerminating | undefined
  for (const { pod } of owned) {
    if (isGated(pod)) {
      waiting++
      continue
    }
    if (pod.spec?.nodeName) names.add(pod.spec.nodeName)
    if (isTerminating(pod)) {
      terminating++
      const described = describeTerminating(pod, nodes, nowMs)
      if (oldest === undefined || isBefore(described, oldest)) oldest = described
    } else {
      if (isConditionTrue(pod.status?.conditions, 'Ready')) ready++
      if (hasEvictionMarks(pod)) toBeReplaced++
    }
  }
  return {
    pods: owned.length - waiting,
    ready,
    terminating,
    waiting,
    ...(toBeReplaced > 0 && { toBeReplaced }),
    nodes: [...names].sort(),
    ...(oldest !== undefined && { oldestTerminating: oldest }),
  }
}

const isBefore = (a: OldestTerminating, b: OldestTerminating) =>
  a.terminatingMs > b.terminatingMs || (a.terminatingMs === b.terminatingMs && a.name < b.name)

const hasEnded = ({ status }: Stored<Pod>) => status?.phase === 'Succeeded' || status?.phase === 'Failed'

const isTerminating = ({ metadata }: Stored<Pod>) => metadata.deletionTimestamp !== undefined

/** The deletionTimestamp is the end of the grace period. */
function describeTerminating({ metadata, spec }: Stored<Pod>, nodes: CountedObjects['nodes'], nowMs: number): OldestTerminating {
  const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000
  const endMs = Date.parse(metadata.deletionTimestamp!)
  const heldBy = nowMs < endMs ? undefined : holderOf(metadata.finalizers ?? [], spec?.nodeName ?? '', nodes)
  return {
    name: metadata.name,
    terminatingMs: Math.max(0, nowMs - (endMs - graceMs)),
    graceMs,
    ...(heldBy !== undefined && { heldBy }),
  }
}

function holderOf(finalizers: readonly string[], node: string, nodes: CountedObjects['nodes']): string | undefined {
  if (finalizers.length > 0) return finalizers.length === 1 ? `finalizer ${finalizers[0]}` : `finalizers ${finalizers.join(', ')}`
  if (node === '' || nodes === undefined) return undefined
  const isReady = nodes.get(node)
  return isReady === undefined ? `node ${node}, which does not exist any more` : isReady ? undefined : `node ${node}, which is not ready`
}
