// Deployments from the first write to the last pod, in process: the server's verbs, all controllers, and played nodes, on
// the memory store and on the durable one. `--quick` is a tenth of the sizes; `--store memory` or `durable` only one engine.
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { deployments, kinds, namespaces, nodes as nodeKind } from '../src/api/kinds.ts'
import { defaultFeatureGates } from '../src/api/machinery/feature-gates.ts'
import type { Deployment, Stored } from '../src/api/types.ts'
import { realClock } from '../src/base/clock.ts'
import { machineRandom } from '../src/base/random.ts'
import type { Client } from '../src/client/client.ts'
import { startControllers } from '../src/cluster/controllers.ts'
import { createInProcessClient } from '../src/cluster/in-process-client.ts'
import { createRest } from '../src/server/rest/create-rest.ts'
import { openDurableStore } from '../src/store/durable-store.ts'
import { openMemoryStore } from '../src/store/memory-store.ts'
import type { Store } from '../src/store/store.ts'
import { playNodes, type RolloutNodes } from './rollout-nodes.ts'
import { number, printTable, type Row } from './table.ts'

const args = process.argv.slice(2)
const share = args.includes('--quick') ? 0.1 : 1
const only = args[args.indexOf('--store') + 1]
const namespace = 'bench'
/** `large`, `many` and `idle` name the rows; none is all. */
const wants = (name: string) => !['large', 'many', 'idle'].some((one) => args.includes(one)) || args.includes(name)

interface Cluster {
  readonly client: Client
  readonly store: Store
  readonly nodes: RolloutNodes
  readonly states: Map<string, Stored<Deployment>>
  stop(): Promise<void>
}

async function startCluster(store: Store): Promise<Cluster> {
  const rest = createRest({ store })
  const clientFor = (name: string) => createInProcessClient({ rest, kinds, name })
  const client = clientFor('bench')
  await client.create(namespaces, undefined, { metadata: { name: namespace } })
  for (let i = 0; i < 100; i++) await client.create(nodeKind, undefined, { metadata: { name: `node-${i}` } })
  const controllers = startControllers({
    clientFor,
    clock: realClock,
    random: machineRandom,
    gates: defaultFeatureGates,
    kinds,
    rootCertificate: '',
    onFailure: (what, error) => console.error(`${what}: ${(error as Error).message}`),
  })
  await controllers.synced
  const states = new Map<string, Stored<Deployment>>()
  const stopWatch = client.watch(
    deployments,
    { resourceVersion: '' },
    {
      onEvents(events) {
        for (const { type, object } of events)
          if (type === 'DELETED') states.delete(object.metadata.name)
          else states.set(object.metadata.name, object)
      },
      onEnd() {},
    },
  )
  const nodes = playNodes(client)
  return {
    client,
    store,
    nodes,
    states,
    async stop() {
      nodes.stop()
      stopWatch()
      await controllers.stop()
      await store.close()
    },
  }
}

const deploymentOf = (name: string, replicas: number): Deployment =>
  ({
    metadata: { name, labels: { app: name } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'web', image: 'registry.example.com/shop/web:1' }] },
      },
    },
  }) as Deployment

const isDone = ({ spec, status, metadata }: Stored<Deployment>) =>
  status?.observedGeneration === metadata.generation &&
  [status?.replicas, status?.updatedReplicas, status?.availableReplicas].every((count) => (count ?? 0) === spec?.replicas)

/** Runs `act`, and takes the time until `isOver`. */
async function timed(act: () => Promise<unknown>, isOver: () => boolean): Promise<{ readonly wall: number; readonly cpu: number }> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await act()
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 2))
  const { user, system } = process.cpuUsage(cpu)
  return { wall: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 }
}

const rows: Row[] = []
function tell(what: string, { wall, cpu }: { readonly wall: number; readonly cpu: number }, target: number): void {
  rows.push({
    what,
    result: `${number(wall)} s`,
    target: `${number(target)} s`,
    ratio: target / wall,
    cost: `${number(cpu)} s, load ${number(loadavg()[0]!, 1)}`,
  })
}

async function measureRollouts(engine: string, cluster: Cluster, count: number, replicas: number, targets: readonly number[]) {
  const { client, nodes, states } = cluster
  const names = Array.from({ length: count }, (_, index) => `d${count}-${index}`)
  const allDone = () => names.every((name) => states.has(name) && isDone(states.get(name)!))
  const label = `${engine}, ${number(count, 0)} × ${number(replicas, 0)} replicas`
  const each = (act: (name: string) => Promise<unknown>) => () => Promise.all(names.map(act))
  const [create, update, empty] = targets
  tell(
    `${label}: create → all available`,
    await timed(
      each((name) => client.create(deployments, namespace, deploymentOf(name, replicas))),
      () => nodes.ready >= count * replicas && allDone(),
    ),
    create! * share,
  )
  const changeImage = { spec: { template: { spec: { containers: [{ name: 'web', image: 'registry.example.com/shop/web:2' }] } } } }
  const patch = (change: object) => each((name) => client.patch(deployments, { namespace, name }, 'strategic', change))
  tell(
    '… rolling update (25 % / 25 %) → complete',
    await timed(patch(changeImage), () => allDone() && nodes.pods === count * replicas),
    update! * share,
  )
  const emptied = await timed(patch({ spec: { replicas: 0 } }), () => nodes.pods === 0)
  if (empty !== undefined) tell('… scale to 0 → all pods gone', emptied, empty * share)
  await Promise.all(names.map((name) => client.delete(deployments, { namespace, name }, { propagationPolicy: 'Background' })))
  await until(() => states.size === 0)
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Until nothing has been written for a while. */
async function rest({ store }: Cluster, quietMs = 300): Promise<void> {
  for (let revision = -1; revision !== store.revision; ) {
    revision = store.revision
    await new Promise((resolve) => setTimeout(resolve, quietMs))
  }
}

async function idle(seconds: number): Promise<number> {
  const cpu = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1000 / seconds
}

/** A Deployment of one replica that is scaled up and down: the processor time of a scale, among so many others. */
async function measureScale({ client, states, nodes }: Cluster, times: number): Promise<number> {
  const name = 'scaled'
  await client.create(deployments, namespace, deploymentOf(name, 1))
  const isAt = () => states.has(name) && isDone(states.get(name)!)
  await until(isAt)
  const others = nodes.pods - 1
  const scale = async (replicas: number) => {
    await client.patch(deployments, { namespace, name }, 'merge', { spec: { replicas } })
    await until(() => states.get(name)?.spec?.replicas === replicas && isAt() && nodes.pods === others + replicas)
  }
  for (let i = 0; i < 10; i++) await scale(1 + (i % 2))
  const cpu = process.cpuUsage()
  for (let i = 0; i < times; i++) await scale(1 + (i % 2))
  const { user, system } = process.cpuUsage(cpu)
  await client.delete(deployments, { namespace, name }, { propagationPolicy: 'Background' })
  await until(() => nodes.pods === others)
  return (user + system) / 1000 / times
}

async function measureIdle(engine: string, cluster: Cluster): Promise<void> {
  const { client, states } = cluster
  const many = 1000 * share
  const addUpTo = async (count: number) => {
    const from = states.size
    const names = Array.from({ length: count - from }, (_, index) => `idle-${from + index}`)
    await Promise.all(names.map((name) => client.create(deployments, namespace, deploymentOf(name, 1))))
    await until(() => names.every((name) => states.has(name) && isDone(states.get(name)!)))
    await rest(cluster)
  }
  await rest(cluster)
  const none = await idle(5)
  await addUpTo(10)
  const amongFew = await measureScale(cluster, 100)
  await addUpTo(many)
  await rest(cluster)
  const before = cluster.store.revision
  const full = await idle(5)
  rows.push({
    what: `${engine}, ${number(many, 0)} idle Deployments: a second`,
    result: `${number(full)} ms`,
    target: `${number(none)} ms with none`,
    cost: `${cluster.store.revision - before} writes`,
  })
  const amongMany = await measureScale(cluster, 100)
  rows.push({
    what: `${engine}, a scale by one among ${number(many, 0)} others`,
    result: `${number(amongMany)} ms`,
    target: `${number(amongFew)} ms among 10`,
  })
}

const root = await mkdtemp(join(tmpdir(), 'rollcall-bench-'))
try {
  let directories = 0
  for (const engine of ['memory', 'durable'].filter((name) => !args.includes('--store') || name === only)) {
    const open = async () =>
      startCluster(engine === 'memory' ? openMemoryStore() : await openDurableStore({ path: join(root, String(directories++)) }))
    for (const run of [
      ...(wants('large') ? [(cluster: Cluster) => measureRollouts(engine, cluster, 1, 10_000 * share, [4.2, 7.6, 3.2])] : []),
      ...(wants('many') ? [(cluster: Cluster) => measureRollouts(engine, cluster, 200 * share, 20, [2.0, 4.0])] : []),
      ...(wants('idle') ? [(cluster: Cluster) => measureIdle(engine, cluster)] : []),
    ]) {
      const cluster = await open()
      await run(cluster)
      // What is still to be told of it has nothing to do with the next.
      await rest(cluster)
      await cluster.stop()
    }
  }
} finally {
  await rm(root, { recursive: true, force: true })
}
printTable(rows)
