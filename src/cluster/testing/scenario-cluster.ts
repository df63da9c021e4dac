// A workload with all the controllers of its kinds, and hands that play its pods, for conditions-matrix.test.ts.

import { nodes, pods } from '../../api/kinds.ts'
import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Resource } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Pod, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import type { ControllerParts } from '../../controllers/controller-definition.ts'
import { startDaemonSetController } from '../../controllers/daemon-set/daemon-set-controller.ts'
import { nodeOf } from '../../controllers/daemon-set/plan/pods.ts'
import { startDeploymentController } from '../../controllers/deployment/deployment-controller.ts'
import { startJobController } from '../../controllers/job/job-controller.ts'
import { startReplicaSetController, startReplicationControllerController } from '../../controllers/replica-set/replica-set-controller.ts'
import { startResourceQuotaController } from '../../controllers/resource-quota/resource-quota-controller.ts'
import { startStatefulSetController } from '../../controllers/stateful-set/stateful-set-controller.ts'
import { QueueMetrics, type QueueObserver } from '../../runtime/queue-metrics.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { type ControllerBench, openControllerBench } from './controller-bench.ts'

export interface ScenarioCluster {
  readonly client: Client
  readonly bench: ControllerBench
  /** Writes of statuses so far, by resource: `deployments`. */
  readonly statusWrites: ReadonlyMap<string, number>
  /** The most that one sync has written, by resource. */
  readonly maxWritesInASync: ReadonlyMap<string, number>
  create(): Promise<unknown>
  read(): Promise<Stored<KubernetesObject & { status?: { conditions?: readonly Condition[] } }>>
  /** A merge patch, or a JSON patch when it is a list. */
  change(patch: object): Promise<unknown>
  /** Reports so many pods as ready that were not, or all. */
  bringUp(count?: number): Promise<void>
  /** Ends what terminates and brings up what is new, until nothing changes. */
  bringAllUp(): Promise<void>
  /** So many pods are no longer ready. */
  loseReadiness(count: number): Promise<void>
  /** The node no longer reports: it is tainted, and its pods are no longer ready. */
  loseNode(name: string): Promise<void>
  /** The taints go, and its pods are ready again. */
  recoverNode(name: string): Promise<void>
  taint(name: string, taints: readonly object[]): Promise<void>
  run(count?: number): Promise<void>
  end(phase: 'Succeeded' | 'Failed'): Promise<void>
  finishTerminating(): Promise<void>
  pass(ms: number): void
  /** Lets the controllers do what they have to, with the time that they gather changes for. */
  rest(): Promise<void>
  /** Stops all controllers and starts others on the same store. */
  restart(gates: Partial<FeatureGates>): Promise<void>
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly lastTransitionTime?: string
}

/** The queue of the controller that writes the status of a resource. */
const queueOf: Readonly<Record<string, string>> = {
  replicasets: 'replicaset',
  replicationcontrollers: 'replicationmanager',
  deployments: 'deployment',
  statefulsets: 'statefulset',
  daemonsets: 'daemonset',
  jobs: 'job',
}

/** Follows which keys are being worked on. */
class Syncs extends QueueMetrics {
  readonly #working = new Map<string, number>()
  readonly most = new Map<string, number>()

  override observe(name: string): QueueObserver {
    const inner = super.observe(name)
    return {
      added: (key) => inner.added(key),
      retried: () => inner.retried(),
      taken: (key) => {
        this.#working.set(`${name} ${key}`, 0)
        inner.taken(key)
      },
      done: (key) => {
        this.#working.delete(`${name} ${key}`)
        inner.done(key)
      },
    }
  }

  wrote(plural: string, { namespace, name }: { readonly namespace?: string; readonly name?: string } = {}): void {
    const key = `${queueOf[plural]} ${namespace}/${name}`
    const count = this.#working.get(key)
    if (count === undefined) throw new Error(`The status of ${plural} ${namespace}/${name} is written outside of a sync`)
    this.#working.set(key, count + 1)
    this.most.set(plural, Math.max(this.most.get(plural) ?? 0, count + 1))
  }
}

const startAll = (parts: ControllerParts) => [
  startReplicaSetController(parts),
  startReplicationControllerController(parts),
  startDeploymentController(parts),
  startStatefulSetController(parts),
  startDaemonSetController(parts),
  startJobController(parts),
  startResourceQuotaController(parts),
]

/** With the nodes n1 and n2. */
export async function openScenarioCluster(
  resource: Resource,
  object: KubernetesObject,
): Promise<ScenarioCluster & { stop(): Promise<void> }> {
  const statusWrites = new Map<string, number>()
  let parts: ControllerParts
  let running: ReturnType<typeof startAll> = []
  let syncs: Syncs
  const bench = await openControllerBench({
    start: (given) => {
      syncs = new Syncs(given.clock)
      parts = { ...given, queues: syncs }
      running = startAll(parts)
      return running
    },
    wrapClient: (client) => ({
      ...client,
      updateStatus(kind, changed, options) {
        if (kind.plural in queueOf) {
          statusWrites.set(kind.plural, (statusWrites.get(kind.plural) ?? 0) + 1)
          syncs.wrote(kind.plural, changed.metadata)
        }
        return client.updateStatus(kind, changed, options)
      },
    }),
  })
  const { client, clock } = bench
  for (const name of ['n1', 'n2']) await client.create(nodes, undefined, { metadata: { name } })

  const ref = { namespace: 'default', name: object.metadata?.name ?? '' }
  const rest = async () => {
    await bench.settle()
    bench.pass(1000)
    await bench.settle()
    bench.pass(1000)
    await bench.settle()
  }
  const readyOf = (pod: Stored<Pod>) => pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True'
  const live = async () => (await bench.podsOf()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const report = (pod: Stored<Pod>, what: 'ready' | 'running') => bench.report(pod, what, nodeOf(pod) || 'n1')
  const patchStatus = ({ metadata }: Stored<Pod>, status: object) =>
    client.patch(pods, { namespace: 'default', name: metadata.name }, 'merge', { status }, { subresource: 'status' })
  let second: SharedInformers | undefined

  const cluster: ScenarioCluster = {
    client,
    bench,
    statusWrites,
    get maxWritesInASync() {
      return syncs.most
    },
    create: () => client.create(resource, 'default', object),
    read: () => client.get(resource, ref) as ReturnType<ScenarioCluster['read']>,
    change: (patch) => client.patch(resource, ref, Array.isArray(patch) ? 'json' : 'merge', patch),
    async bringUp(count = Number.POSITIVE_INFINITY) {
      let left = count
      for (const pod of await live()) if (!readyOf(pod) && left-- > 0) await report(pod, 'ready')
    },
    async bringAllUp() {
      for (let before = -1; before !== bench.store.revision; ) {
        before = bench.store.revision
        await bench.finishTerminating()
        await cluster.bringUp()
        await rest()
      }
    },
    async loseReadiness(count) {
      let left = count
      for (const pod of await live())
        if (readyOf(pod) && left-- > 0)
          await patchStatus(pod, { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: formatTime(clock.now()) }] })
    },
    async loseNode(name) {
      const unreachable = 'node.kubernetes.io/unreachable'
      await cluster.taint(name, [
        { key: unreachable, effect: 'NoSchedule' },
        { key: unreachable, effect: 'NoExecute' },
      ])
      for (const pod of await live())
        if (nodeOf(pod) === name)
          await patchStatus(pod, { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: formatTime(clock.now()) }] })
    },
    async recoverNode(name) {
      await cluster.taint(name, [])
      await cluster.bringUp()
    },
    async taint(name, taints) {
      await client.patch(nodes, { name }, 'merge', { spec: { taints } })
    },
    async run(count = Number.POSITIVE_INFINITY) {
      let left = count
      for (const pod of await live()) if (pod.status?.phase === 'Pending' && left-- > 0) await report(pod, 'running')
    },
    async end(phase) {
      for (const pod of await live()) if (pod.status?.phase === 'Running') await patchStatus(pod, { phase })
    },
    finishTerminating: () => bench.finishTerminating(),
    pass: bench.pass,
    rest,
    async restart(gates) {
      second?.stop()
      await Promise.all(running.map((controller) => controller.stop()))
      second = new SharedInformers({ client: parts.client, clock, onFailure: parts.onFailure })
      running = startAll({ ...parts, informers: second, gates: { ...parts.gates, ...gates } })
      second.start()
      await Promise.all(running.map(({ synced }) => synced))
    },
  }
  return {
    ...cluster,
    get maxWritesInASync() {
      return syncs.most
    },
    async stop() {
      second?.stop()
      await Promise.all(running.map((controller) => controller.stop()))
      await bench.stop()
    },
  }
}
