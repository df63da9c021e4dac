// How long the scheduler takes for many pods on many nodes, every write to the API server included, in a process of its
// own: `scheduler [PODS] [NODES]`. The pods exist before the scheduler starts.
import { kinds, namespaces, nodes, pods, replicaSets } from '../src/api/kinds.ts'
import type { Node, Pod, ReplicaSet } from '../src/api/types.ts'
import { realClock } from '../src/base/clock.ts'
import { seededRandom } from '../src/base/random.ts'
import { createInProcessClient } from '../src/cluster/in-process-client.ts'
import { startScheduler } from '../src/nodes/scheduler/scheduler.ts'
import { createEventRecorder } from '../src/runtime/event-recorder.ts'
import { SharedInformers } from '../src/runtime/shared-informers.ts'
import { createRest } from '../src/server/rest/create-rest.ts'
import { openMemoryStore } from '../src/store/memory-store.ts'
import { timed } from './measuring.ts'
import { podName } from './pods.ts'
import { number, printTable, type Row } from './table.ts'

const podCount = Number(process.argv[2] ?? 10_000)
const nodeCount = Number(process.argv[3] ?? 1000)
const namespace = 'bench'
const labels = { app: 'web' }
const selector = { matchLabels: labels }

const shapes: Readonly<Record<string, object>> = {
  'pods of one owner': {},
  'with a topology spread over zones': {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
    ],
  },
  'that rather avoid each other': {
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: selector } },
        ],
      },
    },
  },
}

async function measure(what: string, spec: object): Promise<Row> {
  const store = openMemoryStore()
  const client = createInProcessClient({ rest: createRest({ store }), kinds, name: 'bench' })
  await client.create(namespaces, undefined, { metadata: { name: namespace } })
  const allocatable = { cpu: '4', memory: '16Gi', pods: '110' }
  for (let index = 0; index < nodeCount; index++) {
    const name = podName('node', index)
    const zone = `zone-${index % 3}`
    const node = { metadata: { name, labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone } } }
    await client.create(nodes, undefined, node as Node)
    // Admission taints a new node as not ready, and no controller runs here that would remove the taint.
    await client.patch(nodes, { name }, 'merge', { spec: { taints: null } })
    await client.patch(nodes, { name }, 'merge', { status: { allocatable, capacity: allocatable } }, { subresource: 'status' })
  }
  const containers = [{ name: 'web', image: 'web', resources: { requests: { cpu: '100m', memory: '128Mi' } } }]
  const template = { metadata: { labels }, spec: { containers } }
  const set = { metadata: { name: 'web' }, spec: { replicas: podCount, selector, template } } as ReplicaSet
  const { metadata } = await client.create(replicaSets, namespace, set)
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: metadata.uid, controller: true }
  for (let index = 0; index < podCount; index++) {
    const pod = { metadata: { name: podName('web', index), labels, ownerReferences: [owner] }, spec: { containers, ...spec } }
    await client.create(pods, namespace, pod as Pod)
  }

  // The Events about the last pods may be written after the end.
  const onFailure = () => {}
  const informers = new SharedInformers({ client, clock: realClock, onFailure })
  const recorder = createEventRecorder({ client, clock: realClock, component: 'default-scheduler', onFailure })
  const scheduler = startScheduler({ client, clock: realClock, random: seededRandom(1), informers, recorder, onFailure })
  const counts = new Map<string, number>()
  const done = new Promise<void>((resolve) => {
    let bound = 0
    informers.get(pods).onChange((current, previous) => {
      const name = current?.spec?.nodeName
      if (!name || previous?.spec?.nodeName) return
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (++bound === podCount) resolve()
    })
  })
  const { wallMs, cpuMs } = await timed(() => {
    informers.start()
    return done
  })
  const seconds = wallMs / 1000
  await scheduler.stop()
  informers.stop()
  await store.close()
  const spreadText = `${Math.min(...counts.values())} to ${Math.max(...counts.values())} pods on ${counts.size} nodes`
  return {
    what: `${what}: ${spreadText}`,
    result: `${number(seconds)} s (${number(podCount / seconds)} pods/s)`,
    target: '5 s',
    ratio: 5 / seconds,
    cost: `${number((cpuMs * 1000) / podCount)} µs a pod`,
  }
}

const rows: Row[] = []
for (const [what, spec] of Object.entries(shapes)) rows.push(await measure(what, spec))
console.log(`${podCount} pods on ${nodeCount} nodes`)
printTable(rows)
