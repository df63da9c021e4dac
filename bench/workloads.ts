// Workloads in one process: the API server, all controllers, and nodes that are played as fast as they can. Prints one
// table. `--quick` is a tenth of the sizes, `--durable` keeps everything on disk.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { daemonSets, jobs, nodes, statefulSets } from '../src/api/kinds.ts'
import type { Resource } from '../src/api/machinery/kind.ts'
import type { DaemonSet, Job, KubernetesObject, Node, StatefulSet, Stored } from '../src/api/types.ts'
import type { Client } from '../src/client/client.ts'
import { openDurableStore } from '../src/store/durable-store.ts'
import { openMemoryStore } from '../src/store/memory-store.ts'
import type { Store } from '../src/store/store.ts'
import { isRolledOut } from './deployments.ts'
import { startInProcessCluster } from './in-process-cluster.ts'
import { type InstantNodes, playInstantly } from './instant-nodes.ts'
import { timed, withFolder } from './measuring.ts'
import { number, printTable, type Row } from './table.ts'

const { values: flags } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, durable: { type: 'boolean', default: false } },
})
const scale = flags.quick ? 0.1 : 1
const rows: Row[] = []

interface Cluster {
  readonly client: Client
  readonly store: Store
  readonly played: InstantNodes
}

const withCluster = (run: (cluster: Cluster) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const store = flags.durable ? await openDurableStore({ path: folder }) : openMemoryStore()
    const { client, stop } = await startInProcessCluster(store)
    const played = playInstantly(client, String(store.revision))
    try {
      await run({ client, store, played })
    } finally {
      played.stop()
      await stop()
    }
  })

/** How long it takes from `begin` until `count` objects of the resource are as wanted, and what it costs for each pod. */
async function measure<T extends KubernetesObject>(
  what: string,
  podCount: number,
  { client, store }: Cluster,
  resource: Resource<T>,
  count: number,
  isDone: (object: Stored<T>) => boolean,
  begin: () => Promise<unknown>,
): Promise<void> {
  const { revision } = store
  const done = new Set<string>()
  let close = () => {}
  const finished = new Promise<void>((resolve) => {
    close = client.watch(
      resource,
      { namespace: 'bench', resourceVersion: String(revision) },
      {
        onEvents: (events) => {
          for (const { object } of events) if (isDone(object)) done.add(object.metadata.uid)
          if (done.size >= count) resolve()
        },
        onEnd: () => {},
      },
    )
  })
  const { wallMs, cpuMs } = await timed(async () => {
    await begin()
    await finished
  })
  close()
  const seconds = wallMs / 1000
  rows.push({
    what,
    result: `${number(seconds)} s, ${number(podCount / seconds, 0)} pods/s, ${number((store.revision - revision) / podCount, 1)} writes a pod`,
    cost: `${number((cpuMs * 1000) / podCount, 0)} µs a pod`,
  })
  process.stderr.write('.')
}

const template = (image: string) => ({ metadata: { labels: { app: 'bench' } }, spec: { containers: [{ name: 'c', image }] } })
const selector = { matchLabels: { app: 'bench' } }
const place = { namespace: 'bench', name: 'bench' }

const jobCount = 1000 * scale
await withCluster(async (cluster) => {
  const { client, played } = cluster
  played.endsPods = true
  const isComplete = ({ status }: Job) =>
    status?.conditions?.some(({ type, status: value }) => type === 'Complete' && value === 'True') ?? false
  await measure(
    `${number(jobCount, 0)} Jobs of 10 pods, to the last one's end`,
    jobCount * 10,
    cluster,
    jobs,
    jobCount,
    isComplete,
    async () => {
      const spec = {
        completions: 10,
        parallelism: 10,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } },
      }
      for (let i = 0; i < jobCount; i++) await client.create(jobs, 'bench', { metadata: { name: `job-${i}` }, spec } as Job)
    },
  )
})

const nodeCount = 5000 * scale
await withCluster(async (cluster) => {
  const { client } = cluster
  for (let i = 0; i < nodeCount; i++) await client.create(nodes, undefined, { metadata: { name: `node-${i}` } } as Node)
  const isServed = ({ metadata, status }: Stored<DaemonSet>) =>
    status?.observedGeneration === metadata.generation &&
    status?.numberAvailable === nodeCount &&
    status.updatedNumberScheduled === nodeCount
  const object = { metadata: { name: 'bench' }, spec: { selector, template: template('x:1') } } as DaemonSet
  await measure(`a DaemonSet on ${number(nodeCount, 0)} nodes`, nodeCount, cluster, daemonSets, 1, isServed, () =>
    client.create(daemonSets, 'bench', object),
  )
  const update = {
    spec: { template: template('x:2'), updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } } },
  }
  await measure('its rolling update, 10 % at a time', nodeCount, cluster, daemonSets, 1, isServed, () =>
    client.patch(daemonSets, place, 'merge', update),
  )
})

const replicas = 500 * scale
await withCluster(async (cluster) => {
  const { client } = cluster
  const spec = { replicas, serviceName: 'bench', podManagementPolicy: 'Parallel', selector, template: template('x:1') }
  await measure(`a StatefulSet of ${number(replicas, 0)}, parallel`, replicas, cluster, statefulSets, 1, isRolledOut, () =>
    client.create(statefulSets, 'bench', { metadata: { name: 'bench' }, spec } as StatefulSet),
  )
  await measure('its rolling update, one at a time', replicas, cluster, statefulSets, 1, isRolledOut, () =>
    client.patch(statefulSets, place, 'merge', { spec: { template: template('x:2') } }),
  )
  await measure('and its way down to 0', replicas, cluster, statefulSets, 1, isRolledOut, () =>
    client.patch(statefulSets, place, 'merge', { spec: { replicas: 0 } }),
  )
})

process.stderr.write('\n')
printTable(rows)
console.log(
  `${flags.durable ? 'On disk' : 'In memory'}; load ${loadavg()
    .map((load) => number(load, 1))
    .join(' ')}`,
)
