// Drains nodes for scale-down: taint the node, evict its pods as their budgets allow, delete the node.
// Ours: cluster-autoscaler is another program.
import { nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Node, Stored } from '../../api/types.ts'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import type { ClusterState } from '../scheduler/cluster-state.ts'
import type { PodNeeds } from '../scheduler/pod-needs.ts'
import { movablePods, type UnneededNode } from './scale-down.ts'

interface DrainsOptions {
  readonly client: Client
  readonly clock: Clock
  readonly recorder: EventRecorder
  onFailure(what: string, error: unknown): void
  /** A step has been completed: evaluate again soon. */
  onStep(): void
}

interface Drain {
  readonly name: string
  readonly startedMs: number
  /** The pods for which an eviction was requested, with the error of the last refusal. */
  readonly evictions: Map<string, string | undefined>
  isTainted: boolean
  isBusy: boolean
  /** When to retry refused evictions. */
  nextEvictionMs: number
}

const toBeDeletedTaint = 'ToBeDeletedByClusterAutoscaler'
/** How long refused evictions are retried. */
const maxEvictionMs = 120_000
const retryMs = 10_000

export class Drains {
  readonly #options: DrainsOptions
  readonly #drains = new Map<string, Drain>()
  readonly #timers = new Set<CancelTimer>()
  #isStopped = false
  #busy = 0
  #onIdle: (() => void) | undefined

  constructor(options: DrainsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#drains.size
  }

  readonly isDraining = (node: string): boolean => this.#drains.has(node)

  start({ node }: UnneededNode): void {
    const startedMs = this.#options.clock.now()
    const drain: Drain = { name: node.name, startedMs, evictions: new Map(), isTainted: false, isBusy: false, nextEvictionMs: startedMs }
    this.#drains.set(node.name, drain)
    this.#run(drain, () => this.#taint(drain, node.node!))
  }

  /** Starts the next step of each drain. */
  advance(state: ClusterState): void {
    for (const drain of this.#drains.values()) {
      const node = state.node(drain.name)
      if (node?.node === undefined) this.#drains.delete(drain.name)
      else if (!drain.isBusy) this.#step(drain, node.node, movablePods(node))
    }
  }

  #step(drain: Drain, node: Stored<Node>, pods: readonly PodNeeds[] | undefined): void {
    if (!drain.isTainted) this.#run(drain, () => this.#taint(drain, node))
    else if (pods === undefined || this.#isTimedOut(drain, pods)) this.#run(drain, () => this.#giveUp(drain, node, pods ?? []))
    else if (pods.length === 0) this.#run(drain, () => this.#remove(drain, node))
    else if (this.#options.clock.now() >= drain.nextEvictionMs) this.#run(drain, () => this.#evict(drain, pods))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const cancel of this.#timers) cancel()
    if (this.#busy > 0)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
  }

  #isTimedOut({ startedMs }: Drain, pods: readonly PodNeeds[]): boolean {
    const isRefused = pods.some(({ pod }) => pod.metadata.deletionTimestamp === undefined)
    return isRefused && this.#options.clock.now() - startedMs > maxEvictionMs
  }

  #run(drain: Drain, step: () => Promise<void>): void {
    const { onFailure, onStep } = this.#options
    drain.isBusy = true
    this.#busy++
    step()
      .catch((error) => {
        if (isStatusError(error, 'NotFound')) this.#drains.delete(drain.name)
        else if (!isStatusError(error, 'Conflict')) onFailure(`removing node ${drain.name}`, error)
      })
      .finally(() => {
        drain.isBusy = false
        if (--this.#busy === 0) this.#onIdle?.()
        if (!this.#isStopped) onStep()
      })
  }

  async #taint(drain: Drain, node: Stored<Node>): Promise<void> {
    const { clock } = this.#options
    const taint = { key: toBeDeletedTaint, value: String(Math.floor(clock.now() / 1000)), effect: 'NoSchedule' }
    await this.#setTaints(node, [...othersOf(node), taint])
    drain.isTainted = true
    this.#options.recorder.record(node, 'Normal', 'ScaleDown', 'marked the node as toBeDeleted/unschedulable')
  }

  async #evict(drain: Drain, pods: readonly PodNeeds[]): Promise<void> {
    const { client, clock, onStep } = this.#options
    for (const { pod } of pods) {
      if (pod.metadata.deletionTimestamp !== undefined || this.#isStopped) continue
      const { name, namespace = '', uid } = pod.metadata
      if (!drain.evictions.has(uid)) this.#options.recorder.record(pod, 'Normal', 'ScaleDown', 'deleting pod for node scale down')
      drain.evictions.set(uid, undefined)
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions: { preconditions: { uid } } }
      try {
        await client.createSubresource(podKind, { namespace, name }, 'eviction', body)
      } catch (error) {
        // The budget allows no disruption now.
        if (isStatusError(error, 'TooManyRequests')) drain.evictions.set(uid, error.message)
        else if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
      }
    }
    drain.nextEvictionMs = clock.now() + retryMs
    const cancel = clock.after(retryMs, () => {
      this.#timers.delete(cancel)
      onStep()
    })
    this.#timers.add(cancel)
  }

  async #remove(drain: Drain, node: Stored<Node>): Promise<void> {
    await this.#options.client.delete(nodeKind, { name: drain.name }, { preconditions: { uid: node.metadata.uid } })
    this.#options.recorder.record(node, 'Normal', 'ScaleDown', 'nodes removed by cluster autoscaler')
  }

  async #giveUp(drain: Drain, node: Stored<Node>, pods: readonly PodNeeds[]): Promise<void> {
    this.#drains.delete(drain.name)
    const errors: string[] = []
    for (const { pod } of pods) {
      const refusal = drain.evictions.get(pod.metadata.uid)
      if (refusal === undefined) continue
      const { namespace, name } = pod.metadata
      errors.push(`failed to evict pod ${namespace}/${name} within allowed timeout (last error: ${refusal})`)
      this.#options.recorder.record(pod, 'Warning', 'ScaleDownFailed', 'failed to delete pod for ScaleDown')
    }
    const why = `Failed to drain node /${drain.name}, due to following errors: [${errors.join(' ')}]`
    this.#options.recorder.record(node, 'Warning', 'ScaleDownFailed', `failed to drain and delete node: ${why}`)
    const others = othersOf(node)
    await this.#setTaints(node, others.length === 0 ? null : others)
  }

  async #setTaints({ metadata: { name, resourceVersion } }: Stored<Node>, taints: readonly object[] | null): Promise<void> {
    await this.#options.client.patch(nodeKind, { name }, 'merge', { metadata: { resourceVersion }, spec: { taints } })
  }
}

const othersOf = ({ spec }: Stored<Node>) => (spec?.taints ?? []).filter(({ key }) => key !== toBeDeletedTaint)
