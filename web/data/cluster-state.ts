// The cluster as the page knows it, from lists and watches. Pure: time is handed in, and nothing is fetched here.
import { type Counts, History } from './history.ts'
import { type AnyObject, conditionsOf, controllerOf, type KubernetesEvent, type Pod } from './objects.ts'
import { entryOf, OwnerCounts } from './owner-counts.ts'
import type { MarkRow } from './views.ts'
import { expectedOf, type PodCounts, type WorkloadKind, workloadKinds } from './workload-summary.ts'

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED'

export interface Workload {
  readonly key: string
  readonly kind: WorkloadKind
  object: AnyObject
  readonly history: History
  changedMs: number
  marks: MarkRow[]
}

const maxMarks = 500
const maxKnownPods = 50_000

export class ClusterState {
  readonly workloads = new Map<string, Workload>()
  readonly nodes = new Map<string, AnyObject>()
  readonly replicaSets = new Map<string, AnyObject>()
  readonly controllerRevisions = new Map<string, AnyObject>()
  readonly owners = new Map<string, OwnerCounts>()
  /** The owner of each pod. */
  readonly #ownerOfPod = new Map<string, string>()
  readonly #keyOfUid = new Map<string, string>()
  /** ReplicaSets of a Deployment, by its uid. */
  readonly #replicaSetsOf = new Map<string, Set<string>>()
  /** ControllerRevisions of an owner: the number of a revision by its name and by its hash. */
  readonly #numbers = new Map<string, Map<string, number>>()
  readonly #dirty = new Set<string>()
  /** Workloads of pods that may have been deleted, for their events. */
  readonly #formerOwner = new Map<string, string>()
  /** Changes whenever anything does. */
  version = 0

  list(kind: string, items: readonly AnyObject[], nowMs: number): void {
    const present = new Set(items.map(({ metadata }) => metadata.uid))
    for (const object of this.#objectsOf(kind)) if (!present.has(object.metadata.uid)) this.change(kind, 'DELETED', object, nowMs)
    for (const object of items) this.change(kind, 'ADDED', object, nowMs)
  }

  change(kind: string, type: ChangeType, object: AnyObject, nowMs: number): void {
    this.version++
    if (kind === 'Pod') this.#changePod(type, object as Pod)
    else if (kind === 'Node') {
      if (type === 'DELETED') this.nodes.delete(object.metadata.name)
      else this.nodes.set(object.metadata.name, object)
    } else if (kind === 'Event') this.#addEvent(type, object as KubernetesEvent, nowMs)
    else if (kind === 'ControllerRevision') this.#changeRevision(type, object)
    else {
      if (kind === 'ReplicaSet') this.#changeReplicaSet(type, object)
      if (kind !== 'ReplicaSet' || controllerOf(object)?.kind !== 'Deployment')
        this.#changeWorkload(kind as WorkloadKind, type, object, nowMs)
    }
  }

  /** Adds what has changed since the last call to the histories. */
  flush(nowMs: number): void {
    const changed = new Set<string>()
    for (const uid of this.#dirty) {
      const key = this.keyOfOwner(uid)
      if (key !== undefined) changed.add(key)
    }
    this.#dirty.clear()
    for (const key of changed) {
      const workload = this.workloads.get(key)
      if (workload === undefined) continue
      workload.history.add(nowMs, this.countsOf(workload))
      workload.changedMs = nowMs
    }
  }

  /** The workload of a pod's owner: the Deployment of a ReplicaSet, else the owner itself. */
  keyOfOwner(uid: string): string | undefined {
    const replicaSet = this.replicaSets.get(uid)
    const controller = replicaSet && controllerOf(replicaSet)
    return this.#keyOfUid.get(controller?.kind === 'Deployment' ? controller.uid : uid)
  }

  ownersOf({ kind, object }: Workload): string[] {
    const { uid } = object.metadata
    return kind === 'Deployment' ? [...(this.#replicaSetsOf.get(uid) ?? [])] : [uid]
  }

  /** The number of the revision of pods of this owner with this hash; 0 where it is not known. */
  revisionOf(owner: string, hash: string): number {
    const replicaSet = this.replicaSets.get(owner)
    if (replicaSet !== undefined) return Number(replicaSet.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 1)
    return this.#numbers.get(owner)?.get(hash) ?? (hash === '' ? 1 : 0)
  }

  countsOf(workload: Workload): Counts {
    const layers = new Map<string, number>()
    const nodes = new Set<string>()
    for (const owner of this.ownersOf(workload)) {
      const counts = this.owners.get(owner)
      counts?.forEach((hash, state, count) => {
        const key = `${this.revisionOf(owner, hash)}-${state}`
        layers.set(key, (layers.get(key) ?? 0) + count)
      })
      for (const node of counts?.nodes ?? []) nodes.add(node)
    }
    return { layers, nodes: nodes.size, ...expectedOf(workload.kind, workload.object) }
  }

  #objectsOf(kind: string): readonly AnyObject[] {
    if (kind === 'Pod') return [...this.owners.values()].flatMap(({ pods }) => [...pods.values()].map(({ pod }) => pod))
    if (kind === 'Node') return [...this.nodes.values()]
    if (kind === 'ReplicaSet') return [...this.replicaSets.values()]
    if (kind === 'ControllerRevision') return [...this.controllerRevisions.values()]
    return [...this.workloads.values()].filter((workload) => workload.kind === kind).map(({ object }) => object)
  }

  #changePod(type: ChangeType, pod: Pod): void {
    const { uid } = pod.metadata
    const before = this.#ownerOfPod.get(uid)
    // Pods without a controller are counted together.
    const owner = controllerOf(pod)?.uid ?? ''
    if (before !== undefined && (type === 'DELETED' || before !== owner)) {
      this.owners.get(before)?.delete(uid)
      this.#ownerOfPod.delete(uid)
      this.#dirty.add(before)
    }
    if (type === 'DELETED') {
      this.#remember(uid, before ?? owner)
      return
    }
    const counts = this.owners.get(owner) ?? new OwnerCounts()
    this.owners.set(owner, counts)
    counts.set(entryOf(pod))
    this.#ownerOfPod.set(uid, owner)
    this.#dirty.add(owner)
  }

  #remember(pod: string, owner: string): void {
    this.#formerOwner.set(pod, owner)
    if (this.#formerOwner.size > maxKnownPods) for (const first of this.#formerOwner.keys()) return void this.#formerOwner.delete(first)
  }

  #changeReplicaSet(type: ChangeType, object: AnyObject): void {
    const { uid } = object.metadata
    const controller = controllerOf(object)
    if (type === 'DELETED') this.replicaSets.delete(uid)
    else this.replicaSets.set(uid, object)
    if (controller?.kind !== 'Deployment') return
    const siblings = this.#replicaSetsOf.get(controller.uid) ?? new Set<string>()
    if (type === 'DELETED') siblings.delete(uid)
    else siblings.add(uid)
    this.#replicaSetsOf.set(controller.uid, siblings)
    this.#dirty.add(controller.uid)
  }

  #changeRevision(type: ChangeType, object: AnyObject & { readonly revision?: number }): void {
    const owner = controllerOf(object)
    const { uid, name, labels } = object.metadata
    if (type === 'DELETED') this.controllerRevisions.delete(uid)
    else this.controllerRevisions.set(uid, object)
    if (owner === undefined) return
    const numbers = this.#numbers.get(owner.uid) ?? new Map<string, number>()
    this.#numbers.set(owner.uid, numbers)
    // The label of a StatefulSet's pods is the name, that of a DaemonSet's pods the hash.
    for (const key of [name, labels?.['controller-revision-hash'] ?? name])
      if (type === 'DELETED') numbers.delete(key)
      else numbers.set(key, object.revision ?? 0)
    this.#dirty.add(owner.uid)
  }

  #changeWorkload(kind: WorkloadKind, type: ChangeType, object: AnyObject, nowMs: number): void {
    const { namespace = '', name, uid, creationTimestamp } = object.metadata
    const key = `${kind}/${namespace}/${name}`
    const before = this.workloads.get(key)
    if (type === 'DELETED') {
      if (before?.object.metadata.uid === uid) this.workloads.delete(key)
      this.#keyOfUid.delete(uid)
      return
    }
    if (before === undefined || before.object.metadata.uid !== uid) {
      const changedMs = Date.parse(creationTimestamp ?? '') || nowMs
      this.workloads.set(key, { key, kind, object, history: new History(), changedMs, marks: [] })
    } else {
      this.#markConditions(before, object, nowMs)
      before.object = object
    }
    this.#keyOfUid.set(uid, key)
    this.#dirty.add(uid)
  }

  #markConditions(workload: Workload, after: AnyObject, nowMs: number): void {
    const before = new Map(conditionsOf(workload.object).map((one) => [one.type, one]))
    for (const { type, status, reason = '', message = '' } of conditionsOf(after)) {
      const old = before.get(type)
      if (old?.status === status && (old.reason ?? '') === reason) continue
      const isWarning = status === (type === 'ReplicaFailure' || type === 'Failed' ? 'True' : 'False')
      addMark(workload, {
        atMs: nowMs,
        type: 'condition',
        isWarning,
        object: nameOf(workload),
        text: `${type} is ${status}${reason && `: ${reason}`}${message && ` – ${message}`}`,
      })
    }
  }

  #addEvent(type: ChangeType, event: KubernetesEvent, nowMs: number): void {
    if (type === 'DELETED') return
    const { kind = '', namespace = '', name = '', uid = '' } = event.involvedObject ?? {}
    const owner = this.#ownerOfPod.get(uid) ?? this.#formerOwner.get(uid)
    const key = owner !== undefined ? this.keyOfOwner(owner) : (this.keyOfOwner(uid) ?? `${kind}/${namespace}/${name}`)
    const workload = key === undefined ? undefined : this.workloads.get(key)
    if (workload === undefined) return
    const written = Date.parse(event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? '')
    const text = `${event.reason ?? ''}: ${event.message ?? ''}${(event.count ?? 1) > 1 ? ` (${event.count} times)` : ''}`
    addMark(workload, { atMs: written || nowMs, type: 'event', isWarning: event.type === 'Warning', object: `${kind}/${name}`, text })
  }
}

const nameOf = ({ kind, object }: Workload) => `${kind}/${object.metadata.name}`

/** An event that is repeated replaces its former version. */
function addMark(workload: Workload, mark: MarkRow): void {
  const bare = (text: string) => text.replace(/ \(\d+ times\)$/, '')
  const others = workload.marks.filter((one) => one.type !== 'event' || one.object !== mark.object || bare(one.text) !== bare(mark.text))
  workload.marks = [...others, mark].sort((a, b) => a.atMs - b.atMs).slice(-maxMarks)
}

export const countsByState = ({ layers }: Pick<Counts, 'layers'>): PodCounts => {
  const counts = { ready: 0, starting: 0, pending: 0, terminating: 0 }
  for (const [key, count] of layers) counts[key.slice(key.indexOf('-') + 1) as keyof PodCounts] += count
  return counts
}

export const isWorkloadKind = (kind: string): kind is WorkloadKind => (workloadKinds as readonly string[]).includes(kind)
