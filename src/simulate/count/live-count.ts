// Counts the pods of a cluster as they change. It reads only: get, list and watch.
import { daemonSets, deployments, jobs, nodes, pods, replicaSets, replicationControllers, statefulSets } from '../../api/kinds.ts'
import type { Resource } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Node, Pod, Stored } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import { type LabelRequirements, matchesLabels } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import { type WatchedObjects, watchObjects } from '../../cluster/watched-objects.ts'
import { readableResources, type WorkloadName } from '../live/readable-resources.ts'
import { tracedNode } from '../rollout/traced-objects.ts'
import { countedParts } from './counted-parts.ts'
import { countPods, deploymentOf, type WorkloadCount } from './workload-count.ts'

interface CountRequest {
  readonly client: Client
  readonly clock: Clock
  /** Absent: all namespaces. */
  readonly namespace?: string
  /** The names of the workloads. Empty: all that the selector matches. */
  readonly workloads: readonly WorkloadName[]
  /** Selects workloads by their own labels. */
  readonly selector: LabelRequirements
  /** Called for resources that are left out, and requests that are retried. */
  onNotice(line: string): void
}

const workloadResources: readonly Resource[] = [deployments, statefulSets, daemonSets, jobs, replicaSets, replicationControllers]

/** Kinds that can be named. */
export const countedKinds: readonly string[] = workloadResources.map(({ kind }) => kind)

export class LiveCount {
  readonly #request: CountRequest
  readonly #watched: WatchedObjects
  readonly #workloads = new Map<string, Stored<KubernetesObject>>()
  readonly #pods = new Map<string, Stored<Pod>>()
  readonly #nodes = new Map<string, boolean>()
  readonly #hasNodes: boolean
  /** The last failure of each resource, until its next change. */
  readonly #troubled = new Map<string, string>()
  #changes = 0

  private constructor(request: CountRequest, readable: readonly Resource[]) {
    this.#request = request
    this.#hasNodes = readable.some(({ kind }) => kind === 'Node')
    const { client, clock, namespace } = request
    this.#watched = watchObjects({
      client,
      clock,
      resources: readable,
      ...(namespace !== undefined && { namespace }),
      transform: countedParts,
      onChange: (resource, current, previous) => this.#take(resource, current, previous),
      onFailure: (resource, error) => this.#noteTrouble(resource, error),
    })
  }

  /** Resolves when all existing objects have been listed. */
  static async start(request: CountRequest): Promise<LiveCount> {
    const live = new LiveCount(request, await readableResources(request, [...workloadResources, nodes, pods]))
    await live.#watched.synced
    return live
  }

  /** Grows with every change that counts may show. */
  get changes(): number {
    return this.#changes
  }

  /** The selected workloads. */
  read(): WorkloadCount[] {
    const { clock } = this.#request
    const nodes = this.#hasNodes ? { nodes: this.#nodes } : {}
    const objects = { workloads: this.#workloads.values(), pods: this.#pods.values(), ...nodes }
    return countPods(objects, clock.now(), this.#isAll ? undefined : (workload) => this.#isSelected(workload))
  }

  /** Why a workload that the user named is not counted, although it exists. Undefined: it does not exist. */
  reasonForAbsence({ kind, name }: WorkloadName): string | undefined {
    for (const object of this.#workloads.values()) {
      if (object.kind !== kind || object.metadata.name !== name) continue
      const deployment = deploymentOf(this.#workloads, object)
      if (deployment !== undefined) return `is part of Deployment/${deployment.metadata.name}. Name the Deployment instead.`
      return 'does not have the labels of --selector.'
    }
    return undefined
  }

  get #isAll(): boolean {
    return this.#request.workloads.length === 0 && this.#request.selector.length === 0
  }

  #isSelected({ kind, metadata: { name, labels } }: Stored<KubernetesObject>): boolean {
    const { workloads, selector } = this.#request
    const isNamed = workloads.length === 0 || workloads.some((one) => one.kind === kind && one.name === name)
    return isNamed && matchesLabels(selector, labels)
  }

  stop(): void {
    this.#watched.stop()
  }

  #take({ kind, plural }: Resource, current: Stored<KubernetesObject> | undefined, previous: Stored<KubernetesObject> | undefined): void {
    this.#noteRecovery(plural)
    const { uid, name } = (current ?? previous)!.metadata
    if (kind === 'Node') {
      const isReady = current && tracedNode(current as Stored<Node>).isReady
      // Nodes report that they live all the time.
      if (this.#nodes.get(name) === isReady) return
      set(this.#nodes, name, isReady)
    } else if (kind === 'Pod') set(this.#pods, uid, current as Stored<Pod> | undefined)
    // Objects of a list come without their kind.
    else set(this.#workloads, uid, current && { ...current, kind })
    this.#changes++
  }

  /** Reported once for all resources that fail alike: a server that is down would fill the screen. */
  #noteTrouble({ plural }: Resource, error: unknown): void {
    const message = messageOf(error)
    if (this.#troubled.has(plural)) return
    const isReported = [...this.#troubled.values()].includes(message)
    this.#troubled.set(plural, message)
    if (!isReported) this.#request.onNotice(`the watch of ${plural} broke off, and is tried again: ${message}`)
  }

  /** Resources that failed alike have recovered too, also those that do not change. */
  #noteRecovery(plural: string): void {
    const message = this.#troubled.get(plural)
    if (message === undefined) return
    for (const [other, theirs] of this.#troubled) if (theirs === message) this.#troubled.delete(other)
  }
}

function set<V>(map: Map<string, V>, key: string, value: V | undefined): void {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}
