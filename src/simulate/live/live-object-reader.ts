// Workloads of a cluster as manifests, with all that their rollout depends on. The cluster is not changed.

import {
  horizontalPodAutoscalers,
  limitRanges,
  nodes as nodeKind,
  podDisruptionBudgets,
  pods as podKind,
  replicaSets,
  resourceQuotas,
} from '../../api/kinds.ts'
import type { Kind, Resource } from '../../api/machinery/kind.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type {
  Deployment,
  HorizontalPodAutoscaler,
  KubernetesObject,
  LimitRange,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ResourceQuota,
  Stored,
} from '../../api/types.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { Client, ObjectRef } from '../../client/client.ts'
import type { NodeGroup } from '../../cluster/virtual-cluster.ts'
import { kindNamed } from '../objects.ts'
import { type LearnedSamples, learnFromPods, timingKey, timingsOf } from '../record/learned-timing.ts'
import { referencesOf } from '../rollout/assumed-objects.ts'
import { InputError } from '../rollout/input-error.ts'
import { withoutServerFields } from '../rollout/live-fields.ts'
import type { SourceObjects } from '../rollout/manifests.ts'
import type { Target } from '../rollout/plan.ts'
import type { WorkloadTimings } from '../rollout/timing-file.ts'
import { liveNodes, newNodeOf } from './live-nodes.ts'
import { liveQuota } from './live-quota.ts'
import { isNeighbour, neighbourOf } from './neighbours.ts'
import { matchesSelector, templateLabels } from './selection.ts'

export interface LiveObjects {
  readonly sources: readonly SourceObjects[]
  /** Whether the server knows the field podReplacementPolicy. */
  readonly hasPolicies: boolean
  /** Absent: they could not be read. */
  readonly nodes?: readonly NodeGroup[] | undefined
  /** What an autoscaler would add, like the node with the most pods of these workloads. */
  readonly newNode?: NodeGroup | undefined
  /** The names of the nodes with pods of these workloads. */
  readonly ownNodes: ReadonlySet<string>
  /** How long the pods of the workloads took to start. */
  readonly timings: WorkloadTimings
  /** Deployments whose rollout is under way. In the sources they are paused. */
  readonly inProgress: readonly Target[]
  /** What was read when, and what could not be read. */
  readonly notes: readonly string[]
}

/** Reads workloads one after another, then what they share: nodes and quotas. Rejects with an InputError. */
export class LiveObjectReader {
  readonly #client: Client
  readonly #server: string
  /** By kind, namespace and name: several workloads may refer to the same object. */
  readonly #sources = new Map<string, SourceObjects>()
  readonly #workloads: SourceObjects[] = []
  readonly #inProgress: Target[] = []
  readonly #notes: string[] = []
  readonly #objects: Stored<KubernetesObject>[] = []
  readonly #owners = new Set<string>()
  /** Pods of others that are simulated too: where the own pods may run depends on them. */
  readonly #neighbours = new Set<string>()
  readonly #namespaces = new Map<string, Promise<NamespaceObjects>>()
  #nodes: readonly NodeGroup[] | undefined
  #newNode: NodeGroup | undefined
  readonly #ownNodes = new Set<string>()
  readonly #learned: LearnedSamples = new Map()
  readonly #learnedPods: number[] = []

  constructor(client: Client, server: string) {
    this.#client = client
    this.#server = server
  }

  result(now: string): Omit<LiveObjects, 'hasPolicies'> {
    return {
      // What workloads refer to comes first.
      sources: [...this.#sources.values(), ...this.#workloads],
      inProgress: this.#inProgress,
      nodes: this.#nodes,
      newNode: this.#newNode,
      ownNodes: this.#ownNodes,
      timings: timingsOf(this.#learned),
      notes: [`the cluster is as it was at ${now}`, ...this.#learnedNotes(), ...this.#notes],
    }
  }

  #learnedNotes(): string[] {
    const workloads = this.#learnedPods.length
    const pods = this.#learnedPods.reduce((sum, count) => sum + count, 0)
    if (workloads === 0) return []
    const whose = this.#workloads.length === 1 ? '' : ` of ${workloads} of ${this.#workloads.length} workloads`
    return [`pods${whose} take as long to start as ${pods === 1 ? '1 pod' : `${pods} pods`} of the cluster did (--startup)`]
  }

  /** A name without `/` is a kind: all of its objects are read. `namespace` undefined: those of all namespaces. */
  async readWorkloads(name: string, namespace: string | undefined): Promise<void> {
    const [kindName = '', own] = name.split('/', 2)
    if (own === '') throw new InputError(`Cannot read "${name}" from the cluster. Write kind and name, such as deployment/web.`)
    const kind = findKind(kindName)
    const where = namespace === undefined ? '' : ` in namespace ${namespace}`
    const answerTo = <T>(read: Promise<T>) =>
      read.catch((error: Error): never => {
        if (isStatusError(error)) throw new InputError(`Cannot read ${name}${where}: ${error.message}`)
        throw new InputError(`Cannot read from ${this.#server}: ${error.message}`)
      })
    const within = kind.namespaced && namespace !== undefined && { namespace }
    if (own !== undefined) return this.#takeWorkload(kind, await answerTo(this.#client.get(kind, { ...within, name: own })))
    const { items } = await answerTo(this.#client.list(kind, { ...within }))
    // Objects that a controller created belong to another workload.
    const found = items.filter(({ metadata }) => controllerOf({ metadata }) === undefined)
    if (found.length === 0)
      throw new InputError(`There are no ${kind.plural}${where}.${namespace === undefined ? '' : ' Choose another with --namespace.'}`)
    for (const object of found) await this.#takeWorkload(kind, object)
  }

  async #takeWorkload(kind: Kind, object: Stored<KubernetesObject>): Promise<void> {
    const { name, namespace = '' } = object.metadata
    this.#owners.add(object.metadata.uid)
    this.#objects.push(object)
    await this.#readReferences(object, namespace)
    const there = await this.#objectsOf(namespace)
    const sets = there.sets.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid))
    for (const { metadata } of sets) this.#owners.add(metadata.uid)
    this.#addSelecting(there, kind, object)
    this.#learn(
      there,
      timingKey({ kind: kind.kind, namespace, name }),
      new Set([object.metadata.uid, ...sets.map(({ metadata }) => metadata.uid)]),
    )
    const paused = kind.kind === 'Deployment' && this.#takeSets(object as Stored<Deployment>, sets)
    const manifest = paused ? { ...object, spec: { ...(object as Stored<Deployment>).spec, paused: true } } : object
    this.#workloads.push(sourceOf(`${kind.kind.toLowerCase()}/${name}`, kind, manifest as Stored<KubernetesObject>))
  }

  /** Sets of a rollout that is under way, with their sizes. Returns whether there is one. */
  #takeSets(deployment: Stored<Deployment>, sets: readonly Stored<ReplicaSet>[]): boolean {
    const active = sets.filter(({ spec }) => (spec?.replicas ?? 0) > 0)
    if (active.length < 2 || deployment.spec?.paused === true) return false
    for (const { metadata, ...set } of active) {
      const { ownerReferences: _, ...rest } = metadata
      this.#add(replicaSets, { ...set, metadata: rest } as Stored<ReplicaSet>)
    }
    const { name, namespace = '' } = deployment.metadata
    this.#inProgress.push({ kind: 'Deployment', namespace, name })
    this.#notes.push(
      `the rollout of ${name} is under way, and goes on when the pods that it has are available: ${active.map(({ metadata, spec }) => `${metadata.name} has ${spec?.replicas}`).join(', ')}`,
    )
    return true
  }

  /** How long its pods took to start, with their pulls: a rollout has another image to pull. */
  #learn({ pods }: NamespaceObjects, workload: string, owners: ReadonlySet<string>): void {
    const own = pods.filter(({ metadata }) => owners.has(controllerOf({ metadata })?.uid ?? ''))
    for (const { spec } of own) if (spec?.nodeName !== undefined) this.#ownNodes.add(spec.nodeName)
    learnFromPods(own, [], () => workload, this.#learned)
    const { length } = this.#learned.get(workload)?.startup ?? []
    if (length > 0) this.#learnedPods.push(length)
  }

  #addSelecting({ budgets, autoscalers, limits }: NamespaceObjects, kind: Kind, object: Stored<KubernetesObject>): void {
    const labels = templateLabels(object)
    for (const budget of budgets) if (matchesSelector(budget.spec?.selector, labels)) this.#add(podDisruptionBudgets, budget)
    for (const autoscaler of autoscalers) {
      const { scaleTargetRef } = autoscaler.spec ?? {}
      if (scaleTargetRef?.kind === kind.kind && scaleTargetRef.name === object.metadata.name)
        this.#add(horizontalPodAutoscalers, autoscaler)
    }
    for (const limit of limits) this.#add(limitRanges, limit)
  }

  /** When all workloads are known: the pods of each are simulated, and use nothing of what is left for them. */
  async readQuotas(): Promise<void> {
    for (const { quotas, pods } of await Promise.all(this.#namespaces.values())) {
      const own = pods.filter(this.#isSimulated)
      for (const quota of quotas) {
        const left = liveQuota(quota, own)
        if (left !== undefined) this.#add(resourceQuotas, left as typeof quota)
      }
    }
  }

  readonly #isOwn = ({ metadata }: Pod) => metadata?.ownerReferences?.some(({ uid }) => this.#owners.has(uid ?? '')) === true
  readonly #isSimulated = (pod: Pod) => this.#isOwn(pod) || this.#neighbours.has(pod.metadata?.uid ?? '')

  /** Once for each namespace. */
  #objectsOf(namespace: string): Promise<NamespaceObjects> {
    const list = async <T extends KubernetesObject>(kind: Kind & Resource<T>): Promise<readonly Stored<T>[]> => {
      const answer = await this.#tryTo(() => this.#client.list(kind, { namespace }), `${kind.plural} of namespace ${namespace}`)
      return answer?.items ?? []
    }
    const read = async (): Promise<NamespaceObjects> => {
      const [sets, pods, budgets, autoscalers, quotas, limits] = await Promise.all([
        list(replicaSets),
        list(podKind),
        list(podDisruptionBudgets),
        list(horizontalPodAutoscalers),
        list(resourceQuotas),
        list(limitRanges),
      ])
      return { sets, pods, budgets, autoscalers, quotas, limits }
    }
    return getOrAdd(this.#namespaces, namespace, read)
  }

  async #readReferences(object: Stored<KubernetesObject>, namespace: string): Promise<void> {
    for (const { kind: name, name: own } of referencesOf(object)) {
      const kind = findKind(name)
      const ref: ObjectRef = kind.namespaced ? { namespace, name: own } : { name: own }
      if (this.#sources.has(keyOf(kind, ref))) continue
      // What is not there or may not be read is assumed like the references of any manifest.
      const found = await this.#tryTo(() => this.#client.get(kind, ref))
      if (found === undefined) continue
      this.#add(kind, kind.kind === 'Secret' ? withoutValues(found) : found)
      if (kind.kind === 'PersistentVolumeClaim') await this.#readReferences({ ...found, kind: kind.kind }, namespace)
    }
  }

  /** All pods of the cluster take room on its nodes. `isPlaced` false: the simulation has other nodes. */
  async readNodes(isPlaced: boolean): Promise<void> {
    const nodes = await this.#tryTo(() => this.#client.list(nodeKind), 'nodes')
    if (nodes === undefined || nodes.items.length === 0) return
    const pods = await this.#tryTo(() => this.#client.list(podKind), 'pods of all namespaces, which take room on the nodes')
    const usable = new Set(liveNodes(nodes.items, [], this.#isOwn).groups.map(({ nodeName }) => nodeName))
    for (const pod of pods?.items ?? [])
      if (!this.#isOwn(pod) && usable.has(pod.spec?.nodeName ?? '') && this.#objects.some((object) => isNeighbour(pod, object))) {
        this.#neighbours.add(pod.metadata.uid)
        this.#add(podKind, neighbourOf(pod, isPlaced) as Stored<Pod>)
      }
    if (this.#neighbours.size > 0)
      this.#notes.push(
        `${this.#neighbours.size === 1 ? '1 pod of another workload is' : `${this.#neighbours.size} pods of other workloads are`} there too, for affinity, spreading or ports of nodes`,
      )
    const { groups, note } = liveNodes(nodes.items, pods?.items ?? [], this.#isSimulated)
    this.#newNode = newNodeOf(nodes.items, pods?.items ?? [], this.#isOwn)
    if (groups.length === 0) return
    this.#nodes = groups
    this.#notes.push(note)
  }

  /** Undefined: the server refuses, or it is not there. `what` is noted then. */
  async #tryTo<T>(read: () => Promise<T>, what?: string): Promise<T | undefined> {
    try {
      return await read()
    } catch (error) {
      if (!isStatusError(error)) throw new InputError(`Cannot read from ${this.#server}: ${(error as Error).message}`)
      if (what !== undefined) this.#notes.push(`without the ${what}: ${error.message}`)
      return undefined
    }
  }

  #add(kind: Kind, object: Stored<KubernetesObject>): void {
    const { metadata } = object
    getOrAdd(this.#sources, keyOf(kind, metadata), () => sourceOf(`${kind.kind.toLowerCase()}/${metadata.name}`, kind, object))
  }
}

interface NamespaceObjects {
  readonly sets: readonly Stored<ReplicaSet>[]
  readonly pods: readonly Stored<Pod>[]
  readonly budgets: readonly Stored<PodDisruptionBudget>[]
  readonly autoscalers: readonly Stored<HorizontalPodAutoscaler>[]
  readonly quotas: readonly Stored<ResourceQuota>[]
  readonly limits: readonly Stored<LimitRange>[]
}

const keyOf = (kind: Kind, { namespace = '', name }: ObjectRef) => `${kind.kind}/${namespace}/${name}`

/** Pods need its keys only. */
function withoutValues(secret: Stored<KubernetesObject>): Stored<KubernetesObject> {
  const { data = {} } = secret as { readonly data?: Readonly<Record<string, string>> }
  return { ...secret, data: Object.fromEntries(Object.keys(data).map((key) => [key, 'cmVtb3ZlZA=='])) } as Stored<KubernetesObject>
}

function findKind(name: string): Kind {
  try {
    return kindNamed(name)
  } catch {
    throw new InputError(`There is no kind "${name}". Write kind and name, such as deployment/web, or a kind, such as deployments.`)
  }
}

function sourceOf(name: string, kind: Kind, object: Stored<KubernetesObject>): SourceObjects {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
  return { name, objects: [withoutServerFields({ ...object, apiVersion, kind: kind.kind })] }
}
