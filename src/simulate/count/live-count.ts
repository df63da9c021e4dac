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
import { countPods, type WorkloadCount } from './workload-count.ts'

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
  readonly #troubled = new Set<string>()
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

  /** Grows with every change. */
  get changes(): number {
    return this.#changes
  }

  /** The selected workloads. */
  read(): WorkloadCount[] {
    const { workloads, selector, clock } = this.#request
    const nodes = this.#hasNodes ? { nodes: this.#nodes } : {}
    const all = countPods({ workloads: this.#workloads.values(), pods: this.#pods.values(), ...nodes }, clock.now())
    if (workloads.length === 0 && selector.length === 0) return all
    return all.filter(
      ({ workload }) =>
        workload !== undefined &&
        (workloads.length === 0 || workloads.some(({ kind, name }) => kind === workload.kind && name === workload.name)) &&
        matchesLabels(selector, this.#workloads.get(workload.uid)?.metadata.labels),
    )
  }

  stop(): void {
    this.#watched.stop()
  }

  #take({ kind }: Resource, current: Stored<KubernetesObject> | undefined, previous: Stored<KubernetesObject> | undefined): void {
    this.#changes++
    const { uid, name } = (current ?? previous)!.metadata
    if (kind === 'Node') set(this.#nodes, name, current && tracedNode(current as Stored<Node>).isReady)
    else if (kind === 'Pod') set(this.#pods, uid, current as Stored<Pod> | undefined)
    // Objects of a list come without their kind.
    else set(this.#workloads, uid, current && { ...current, kind })
  }

  /** Reported once for each resource: a server that is down would fill the screen. */
  #noteTrouble({ plural }: Resource, error: unknown): void {
    if (this.#troubled.has(plural)) return
    this.#troubled.add(plural)
    this.#request.onNotice(`the watch of ${plural} broke off, and is tried again: ${messageOf(error)}`)
  }
}

function set<V>(map: Map<string, V>, key: string, value: V | undefined): void {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}
