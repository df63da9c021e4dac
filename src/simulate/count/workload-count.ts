// Counts the pods of each workload of a cluster as they are, terminating ones included. Pure.
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Deployment, KubernetesObject, Pod, ReplicaSet, StatefulSet, Stored } from '../../api/types.ts'
import { getOrAdd, groupBy } from '../../base/maps.ts'
import { matchesSelector } from '../live/selection.ts'
import { isAllAvailable, isCalledComplete } from '../rollout/completion.ts'
import { keepsRevision } from '../rollout/measured-objects.ts'
import type { TracedWorkload } from '../rollout/trace.ts'
import { describeWorkload, tracedPod, tracedSet } from '../rollout/traced-objects.ts'

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
  /** Pods that hold room: all that have not ended. */
  readonly pods: number
  readonly ready: number
  /** Pods of an earlier revision that are not terminating, and do not stay below the partition of a StatefulSet. */
  readonly old: number
  readonly terminating: number
  /** By how many the pods exceed replicas + maxSurge. */
  readonly overCap: number
  readonly nodes: readonly string[]
  readonly oldestTerminating?: OldestTerminating
  /** As it was asked for, with no pod of an earlier revision and none that is terminating. */
  readonly isSettled: boolean
}

/** A ReplicaSet is part of its Deployment. Workloads of other controllers count by themselves. */
export function countPods({ workloads, pods, nodes }: CountedObjects, nowMs: number): WorkloadCount[] {
  const objects = new Map([...workloads].map((object) => [object.metadata.uid, object]))
  const own = new Map<string, { readonly pod: Stored<Pod>; readonly set: Stored<KubernetesObject> | undefined }[]>()
  for (const [uid, object] of objects) if (ownerIn(objects, object) === undefined) own.set(uid, [])
  const loose = new Map<string, Stored<Pod>[]>()
  const abandoned = abandonedBy(objects)
  for (const pod of pods) {
    const owner = ownerIn(objects, pod) ?? abandoned(pod)
    const root = owner && (ownerIn(objects, owner) ?? owner)
    if (root !== undefined) own.get(root.metadata.uid)!.push({ pod, set: root === owner ? undefined : owner })
    else getOrAdd(loose, pod.metadata.namespace ?? '', () => []).push(pod)
  }
  const newest = newestSets(objects)
  const counts = [...own].map(([uid, theirs]): WorkloadCount => {
    const object = objects.get(uid)!
    const workload = describeWorkload(object.kind!, object as Stored<Deployment>)!
    const isOld = ({ pod, set }: (typeof theirs)[number]) =>
      object.kind === 'Deployment' ? set !== newest.get(uid) : isOfOldRevision(object, pod) && !keepsRevision(workload, pod.metadata.name)
    const all = theirs.map(({ pod }) => pod)
    const old =
      object.kind === 'DaemonSet'
        ? Math.max(0, (workload.totalReplicas ?? 0) - workload.updatedReplicas)
        : theirs.filter((one) => isOld(one) && !isTerminating(one.pod) && !tracedPod(one.pod).hasEnded).length
    const counted = countOf(all, nodes, nowMs)
    return {
      workload,
      namespace: workload.namespace,
      ...counted,
      old,
      overCap: Math.max(0, counted.pods - workload.cap),
      isSettled: old === 0 && counted.terminating === 0 && isCalledComplete(workload, isAllAvailable(workload)),
    }
  })
  for (const [namespace, theirs] of loose) {
    const counted = countOf(theirs, nodes, nowMs)
    if (counted.pods > 0) counts.push({ namespace, ...counted, old: 0, overCap: 0, isSettled: counted.terminating === 0 })
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

const ownerIn = (objects: Objects, object: Stored<KubernetesObject>) => objects.get(controllerOf(object)?.uid ?? '')

/** For pods of a ReplicaSet that was deleted under its Deployment: the Deployment whose selector they match. */
function abandonedBy(objects: Objects): (pod: Stored<Pod>) => Stored<KubernetesObject> | undefined {
  const deployments = [...objects.values()].filter(({ kind }) => kind === 'Deployment') as Stored<Deployment>[]
  const byNamespace = groupBy(deployments, ({ metadata }) => metadata.namespace ?? '')
  return (pod) => {
    if (controllerOf(pod)?.kind !== 'ReplicaSet') return undefined
    const { namespace = '', labels = {} } = pod.metadata
    return byNamespace.get(namespace)?.find(({ spec }) => matchesSelector(spec?.selector, labels))
  }
}

/** The set with the highest revision of each Deployment, by the uid of the Deployment. */
function newestSets(objects: Objects): ReadonlyMap<string, Stored<KubernetesObject>> {
  const newest = new Map<string, { readonly set: Stored<KubernetesObject>; readonly revision: number }>()
  for (const set of objects.values()) {
    const owner = set.kind === 'ReplicaSet' ? ownerIn(objects, set) : undefined
    if (owner === undefined) continue
    const { revision = 0 } = tracedSet(set as Stored<ReplicaSet>)
    if (revision > (newest.get(owner.metadata.uid)?.revision ?? -1)) newest.set(owner.metadata.uid, { set, revision })
  }
  return new Map([...newest].map(([uid, { set }]) => [uid, set]))
}

/** Of a StatefulSet: its status names the revision. */
function isOfOldRevision(object: Stored<KubernetesObject>, pod: Stored<Pod>): boolean {
  if (object.kind !== 'StatefulSet') return false
  const { updateRevision } = (object as Stored<StatefulSet>).status ?? {}
  return updateRevision !== undefined && pod.metadata.labels?.['controller-revision-hash'] !== updateRevision
}

type Counted = Pick<WorkloadCount, 'pods' | 'ready' | 'terminating' | 'nodes' | 'oldestTerminating'>

function countOf(pods: readonly Stored<Pod>[], nodes: CountedObjects['nodes'], nowMs: number): Counted {
  const active = pods.filter((pod) => !tracedPod(pod).hasEnded)
  const terminating = active.filter(isTerminating)
  const oldest = terminating
    .map((pod) => describeTerminating(pod, nodes, nowMs))
    .sort((a, b) => b.terminatingMs - a.terminatingMs || compare(a.name, b.name))[0]
  return {
    pods: active.length,
    ready: active.filter((pod) => tracedPod(pod).isReady && !isTerminating(pod)).length,
    terminating: terminating.length,
    nodes: [...new Set(active.flatMap(({ spec }) => (spec?.nodeName ? [spec.nodeName] : [])))].sort(),
    ...(oldest !== undefined && { oldestTerminating: oldest }),
  }
}

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
