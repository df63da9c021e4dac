// The cluster as the page knows it, from lists and watches. Pure: time is handed in, and nothing is fetched here.
import { addCount, dropOldest, getOrAdd, SetMap } from '../../src/base/maps.ts'
import { type Counts, History } from './history.ts'
import { type AnyObject, conditionsOf, controllerOf, isReadyNode, type KubernetesEvent, type Pod, withoutUnused } from './objects.ts'
import { OwnerCounts } from './owner-counts.ts'
import { entryOf, noPods, onNode, type PodCounts, type PodEntry, stateOf } from './pod-summary.ts'
import { PodTimings } from './pod-timings.ts'
import type { MarkRow } from './views.ts'
import { expectedOf, type WorkloadKind } from './workload-summary.ts'

type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED'

export interface Workload {
  readonly key: string
  readonly kind: WorkloadKind
  object: AnyObject
  readonly history: History
  readonly timings: PodTimings
  changedMs: number
  /** By object and text; an event that is repeated replaces its former version. */
  readonly marks: Map<string, MarkRow>
}

const maxMarks = 300
const maxKnownPods = 50_000

export class ClusterState {
  readonly workloads = new Map<string, Workload>()
  readonly nodes = new Map<string, AnyObject>()
  readonly replicaSets = new Map<string, AnyObject>()
  readonly controllerRevisions = new Map<string, AnyObject>()
  readonly owners = new Map<string, OwnerCounts>()
  /** Nodes that do not report, and those that were deleted. */
  readonly #lostNodes = new Set<string>()
  /** The owner of each pod. */
  readonly #ownerOfPod = new Map<string, string>()
  /** ReplicaSets that were deleted before their pods had terminated: those pods still count. */
  readonly #deletedSets = new Set<string>()
  readonly #keyOfUid = new Map<string, string>()
  /** ReplicaSets of a Deployment, by its uid. */
  readonly #replicaSetsOf = new SetMap<string, string>()
  /** ControllerRevisions of an owner: the number of a revision by its name and by its hash. */
  readonly #numbers = new Map<string, Map<string, number>>()
  readonly #dirty = new Set<string>()
  /** Workloads of pods that may have been deleted, for their events. */
  readonly #formerOwner = new Map<string, string>()
  readonly #listed = new Set<string>()
  /** Increases with every change of the state. */
  version = 0

  list(kind: string, items: readonly AnyObject[], nowMs: number): void {
    const present = new Set(items.map(({ metadata }) => metadata.uid))
    if (kind === 'Pod') for (const uid of [...this.#ownerOfPod.keys()]) if (!present.has(uid)) this.#deletePod(uid, nowMs)
    for (const object of this.#objectsOf(kind)) if (!present.has(object.metadata.uid)) this.change(kind, 'DELETED', object, nowMs)
    const isFirst = !this.#listed.has(kind)
    this.#listed.add(kind)
    this.version++
    if (kind === 'Pod') for (const object of items) this.#setPod(object as Pod, isFirst ? undefined : nowMs)
    else for (const object of items) this.change(kind, 'ADDED', object, nowMs)
  }

  change(kind: string, type: ChangeType, object: AnyObject, nowMs: number): void {
    this.version++
    if (kind === 'Pod') {
      if (type === 'DELETED') this.#deletePod(object.metadata.uid, nowMs)
      else this.#setPod(object as Pod, nowMs)
    } else if (kind === 'Node') this.#changeNode(type, object, nowMs)
    else if (kind === 'Event') this.#addEvent(type, object as KubernetesEvent, nowMs)
    else if (kind === 'ControllerRevision') this.#changeRevision(type, object)
    else {
      withoutUnused(object)
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
      if (workload.history.add(nowMs, this.countsOf(workload))) workload.changedMs = nowMs
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
    // A Deployment takes over pods that are to be evicted.
    return kind === 'Deployment' ? [uid, ...(this.#replicaSetsOf.get(uid) ?? [])] : [uid]
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
        addCount(layers, `${this.revisionOf(owner, hash)}-${state}`, count)
      })
      for (const node of counts?.nodes ?? []) nodes.add(node)
    }
    return { layers, nodes: nodes.size, ...expectedOf(workload.kind, workload.object) }
  }

  /** The terminating pods of a workload, the longest terminating first. */
  terminatingOf(workload: Workload): PodEntry[] {
    const found = this.ownersOf(workload).flatMap((owner) => [...(this.owners.get(owner)?.terminating ?? [])])
    return found.sort((a, b) => a.graceEndMs - a.graceSeconds * 1000 - (b.graceEndMs - b.graceSeconds * 1000) || (a.name < b.name ? -1 : 1))
  }

  troublesOf(workload: Workload): ReadonlyMap<string, number> {
    const found = new Map<string, number>()
    for (const owner of this.ownersOf(workload))
      for (const [trouble, count] of this.owners.get(owner)?.troubles ?? []) addCount(found, trouble, count)
    return found
  }

  #objectsOf(kind: string): readonly AnyObject[] {
    if (kind === 'Pod') return []
    if (kind === 'Node') return [...this.nodes.values()]
    if (kind === 'ReplicaSet') return [...this.replicaSets.values()]
    if (kind === 'ControllerRevision') return [...this.controllerRevisions.values()]
    return [...this.workloads.values()].filter((workload) => workload.kind === kind).map(({ object }) => object)
  }

  /** Pods without a controller are counted together. `nowMs` is undefined for those that were there when the page was opened. */
  #setPod(pod: Pod, nowMs: number | undefined): void {
    const { uid } = pod.metadata
    const formerOwner = this.#ownerOfPod.get(uid)
    const before = formerOwner === undefined ? undefined : this.owners.get(formerOwner)?.pods.get(uid)
    const state = stateOf(pod)
    const own = entryOf(pod, before !== undefined && before.ownState === state ? before.sinceMs : nowMs)
    const entry = onNode(own, this.#lostNodes.has(own.node))
    if (formerOwner !== undefined && formerOwner !== entry.owner) this.#removePod(formerOwner, uid)
    getOrAdd(this.owners, entry.owner, () => new OwnerCounts()).set(entry)
    this.#ownerOfPod.set(uid, entry.owner)
    this.#dirty.add(entry.owner)
    if (before !== undefined && nowMs !== undefined) this.#timingsOf(entry.owner)?.note(before, state, nowMs)
  }

  #changeNode(type: ChangeType, object: AnyObject, nowMs: number): void {
    const { name } = object.metadata
    if (type === 'DELETED') this.nodes.delete(name)
    else this.nodes.set(name, withoutUnused(object))
    const isLost = type === 'DELETED' || !isReadyNode(object)
    if (isLost === this.#lostNodes.has(name)) return
    if (isLost) this.#lostNodes.add(name)
    else this.#lostNodes.delete(name)
    for (const [owner, counts] of this.owners)
      for (const entry of [...counts.pods.values()]) {
        if (entry.node !== name) continue
        counts.set(onNode(entry, isLost))
        this.#dirty.add(owner)
      }
  }

  #deletePod(uid: string, nowMs: number): void {
    const owner = this.#ownerOfPod.get(uid)
    if (owner === undefined) return
    const before = this.owners.get(owner)?.pods.get(uid)
    if (before !== undefined) this.#timingsOf(owner)?.note(before, undefined, nowMs)
    this.#removePod(owner, uid)
    this.#remember(uid, owner)
  }

  #removePod(owner: string, uid: string): void {
    this.#ownerOfPod.delete(uid)
    this.#dirty.add(owner)
    const counts = this.owners.get(owner)
    counts?.delete(uid)
    if (counts?.pods.size !== 0) return
    this.owners.delete(owner)
    if (!this.#deletedSets.delete(owner)) return
    const replicaSet = this.replicaSets.get(owner)
    if (replicaSet !== undefined) this.#dropReplicaSet(replicaSet)
  }

  #timingsOf(owner: string): PodTimings | undefined {
    const key = this.keyOfOwner(owner)
    return key === undefined ? undefined : this.workloads.get(key)?.timings
  }

  #remember(pod: string, owner: string): void {
    this.#formerOwner.set(pod, owner)
    dropOldest(this.#formerOwner, maxKnownPods)
  }

  #changeReplicaSet(type: ChangeType, object: AnyObject): void {
    const { uid } = object.metadata
    const controller = controllerOf(object)
    if (controller?.kind === 'Deployment') this.#dirty.add(controller.uid)
    if (type === 'DELETED') {
      if ((this.owners.get(uid)?.pods.size ?? 0) > 0) this.#deletedSets.add(uid)
      else this.#dropReplicaSet(object)
      return
    }
    this.replicaSets.set(uid, object)
    if (controller?.kind === 'Deployment') this.#replicaSetsOf.add(controller.uid, uid)
  }

  #dropReplicaSet(object: AnyObject): void {
    const { uid } = object.metadata
    this.replicaSets.delete(uid)
    const deployment = controllerOf(object)?.uid
    if (deployment === undefined) return
    this.#replicaSetsOf.remove(deployment, uid)
    this.#dirty.add(deployment)
  }

  #changeRevision(type: ChangeType, object: AnyObject & { readonly revision?: number }): void {
    const owner = controllerOf(object)
    const { uid, name, labels } = object.metadata
    if (type === 'DELETED') this.controllerRevisions.delete(uid)
    else this.controllerRevisions.set(uid, object)
    if (owner === undefined) return
    const numbers = getOrAdd(this.#numbers, owner.uid, () => new Map())
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
      const times = conditionsOf(object).flatMap((one) => [one.lastTransitionTime, one.lastUpdateTime])
      const changedMs = Math.max(0, ...[creationTimestamp, ...times].map((time) => Date.parse(time ?? '') || 0)) || nowMs
      this.workloads.set(key, { key, kind, object, history: new History(), timings: new PodTimings(), changedMs, marks: new Map() })
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

function addMark(workload: Workload, mark: MarkRow): void {
  const { marks } = workload
  const repeated = mark.type === 'event' ? `${mark.object} ${mark.text.replace(/ \(\d+ times\)$/, '')}` : `${mark.atMs} ${mark.text}`
  marks.delete(repeated)
  marks.set(repeated, mark)
  dropOldest(marks, maxMarks)
}

export const countsByState = ({ layers }: Pick<Counts, 'layers'>): PodCounts => {
  const counts = noPods()
  for (const [key, count] of layers) counts[key.slice(key.indexOf('-') + 1) as keyof PodCounts] += count
  return counts
}
