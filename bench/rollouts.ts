// Deployments from the first write to the last pod, in process: the server's verbs, all controllers, and played nodes, on
// the memory store and on the durable one. `--quick` is a tenth of the sizes; `--store memory` or `durable` only one engine.
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { deployments, nodes as nodeKind } from '../src/api/kinds.ts'
import type { Deployment, Stored } from '../src/api/types.ts'
import type { Client } from '../src/client/client.ts'
import { openDurableStore } from '../src/store/durable-store.ts'
import { openMemoryStore } from '../src/store/memory-store.ts'
import type { Store } from '../src/store/store.ts'
import { deploymentOf, imagePatch, isRolledOut } from './deployments.ts'
import { namespace, startInProcessCluster } from './in-process-cluster.ts'
import { pause, type Spent, timed, withFolder } from './measuring.ts'
import { playNodes, type RolloutNodes } from './rollout-nodes.ts'
import { number, printTable, type Row } from './table.ts'

const args = process.argv.slice(2)
const share = args.includes('--quick') ? 0.1 : 1
const only = args[args.indexOf('--store') + 1]
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
  const { client, stop } = await startInProcessCluster(store)
  for (let i = 0; i < 100; i++) await client.create(nodeKind, undefined, { metadata: { name: `node-${i}` } })
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
      await stop()
    },
  }
}

const create = (client: Client, name: string, replicas: number) =>
  client.create(deployments, namespace, deploymentOf(name, replicas) as Deployment)
const isDone = ({ states }: Cluster, name: string) => states.has(name) && isRolledOut(states.get(name)!)

/** Runs `act`, and takes the time until `isOver`. */
const timedUntil = (act: () => Promise<unknown>, isOver: () => boolean): Promise<Spent> =>
  timed(async () => {
    await act()
    await until(isOver, 2)
  })

const rows: Row[] = []
function addRow(what: string, { wallMs, cpuMs }: Spent, target: number): void {
  rows.push({
    what,
    result: `${number(wallMs / 1000)} s`,
    target: `${number(target)} s`,
    ratio: (target * 1000) / wallMs,
    cost: `${number(cpuMs / 1000)} s, load ${number(loadavg()[0]!, 1)}`,
  })
}

async function measureRollouts(engine: string, cluster: Cluster, count: number, replicas: number, targets: readonly number[]) {
  const { client, nodes, states } = cluster
  const names = Array.from({ length: count }, (_, index) => `d${count}-${index}`)
  const allDone = () => names.every((name) => isDone(cluster, name))
  const label = `${engine}, ${number(count, 0)} × ${number(replicas, 0)} replicas`
  const each = (act: (name: string) => Promise<unknown>) => () => Promise.all(names.map(act))
  const [created, updated, emptied] = targets
  addRow(
    `${label}: create → all available`,
    await timedUntil(
      each((name) => create(client, name, replicas)),
      () => nodes.ready >= count * replicas && allDone(),
    ),
    created! * share,
  )
  const patch = (change: object) => each((name) => client.patch(deployments, { namespace, name }, 'strategic', change))
  addRow(
    '… rolling update (25 % / 25 %) → complete',
    await timedUntil(patch(imagePatch('example/web:2')), () => allDone() && nodes.pods === count * replicas),
    updated! * share,
  )
  const toZero = await timedUntil(patch({ spec: { replicas: 0 } }), () => nodes.pods === 0)
  if (emptied !== undefined) addRow('… scale to 0 → all pods have terminated', toZero, emptied * share)
  await Promise.all(names.map((name) => client.delete(deployments, { namespace, name }, { propagationPolicy: 'Background' })))
  await until(() => states.size === 0)
}

async function until(isSo: () => boolean, everyMs = 5): Promise<void> {
  while (!isSo()) await pause(everyMs)
}

/** Until nothing has been written for a while. */
async function rest({ store }: Cluster): Promise<void> {
  for (let revision = -1; revision !== store.revision; ) {
    revision = store.revision
    await pause(300)
  }
}

/** The processor milliseconds of an idle second. */
const idle = async (seconds: number) => (await timed(() => pause(seconds * 1000))).cpuMs / seconds

/** The processor time of scaling a Deployment of one replica up or down, next to all the other objects. */
async function measureScale(cluster: Cluster, times: number): Promise<number> {
  const { client, states, nodes } = cluster
  const name = 'scaled'
  await create(client, name, 1)
  await until(() => isDone(cluster, name))
  const others = nodes.pods - 1
  const scale = async (replicas: number) => {
    await client.patch(deployments, { namespace, name }, 'merge', { spec: { replicas } })
    await until(() => states.get(name)?.spec?.replicas === replicas && isDone(cluster, name) && nodes.pods === others + replicas)
  }
  const scaleOften = async (count: number) => {
    for (let i = 0; i < count; i++) await scale(1 + (i % 2))
  }
  await scaleOften(10)
  const { cpuMs } = await timed(() => scaleOften(times))
  await client.delete(deployments, { namespace, name }, { propagationPolicy: 'Background' })
  await until(() => nodes.pods === others)
  return cpuMs / times
}

async function measureIdle(engine: string, cluster: Cluster): Promise<void> {
  const { client, states } = cluster
  const many = 1000 * share
  const addUpTo = async (count: number) => {
    const from = states.size
    const names = Array.from({ length: count - from }, (_, index) => `idle-${from + index}`)
    await Promise.all(names.map((name) => create(client, name, 1)))
    await until(() => names.every((name) => isDone(cluster, name)))
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

await withFolder(async (root) => {
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
      // Its last writes and watch events must not slow down the next run.
      await rest(cluster)
      await cluster.stop()
    }
  }
})
printTable(rows)
