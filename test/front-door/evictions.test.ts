// Real `kubectl drain` on `rollcall up --evictions`: pods are replaced before they are evicted, also when the process is killed meanwhile.
import { afterEach, describe, expect, it } from 'vitest'
import { deployments, podDisruptionBudgets } from '../../src/api/kinds.ts'
import { createHttpClient, type HttpClient } from '../../src/client/http-client.ts'
import { hasEvictionMarks, isBeingReplaced } from '../../src/controllers/eviction/plan/eviction-marks.ts'
import { countAvailable } from '../real-cluster/available-pods.ts'
import { drainFleet } from '../real-cluster/drained-fleet.ts'
import { kubectlOf } from '../real-cluster/kubectl.ts'
import { until } from '../real-cluster/running-command.ts'
import { complete, deployment, podsOf, rolledOut } from '../real-cluster/workloads.ts'
import { kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const namespace = 'default'
/** Fifty Deployments on twenty nodes by hand, with ROLLCALL_DRAINS=50. */
const fleet = Number(process.env['ROLLCALL_DRAINS'] ?? 5)
const nodeCount = Math.max(3, Math.ceil(fleet / 2.5))

describe.skipIf(kubectlMinor() === undefined)('rollcall up --evictions', { timeout: 120_000 + fleet * 20_000 }, () => {
  let cluster: RunningCluster
  let client: HttpClient
  afterEach(async () => {
    client.close()
    await cluster.stop()
  })

  const open = async (flags: readonly string[], folder?: string) => {
    cluster = await startCluster(['--evictions', ...flags], folder)
    client = createHttpClient({ connection: { server: cluster.url, skipTlsVerify: true, token: () => cluster.token }, name: 'tester' })
  }
  /** With a budget that lets no pod go without a replacement. */
  const create = async (name: string, replicas: number, maxSurge: number) => {
    const strategy = { rollingUpdate: { maxSurge, maxUnavailable: 0 } }
    await client.create(deployments, namespace, deployment(name, { replicas, annotations: complete, strategy }))
    const spec = { minAvailable: replicas, selector: { matchLabels: { app: name } } }
    await client.create(podDisruptionBudgets, namespace, { metadata: { name }, spec } as never)
    await rolledOut(client, name)
  }
  const nothingIsLeft = (app: string, replicas: number) =>
    until(`${app} is as before`, async () => {
      const all = await podsOf(client, app)
      return all.length === replicas && !all.some(hasEvictionMarks)
    })

  it(`${fleet} Deployments on ${nodeCount} nodes, which are drained in turn: none goes below its replicas or above its cap`, async () => {
    await open(['--memory', '--nodes', String(nodeCount)])
    const sizes = Array.from({ length: fleet }, (_, index) => 1 + ((index * 3) % Math.min(20, fleet)))
    const names = sizes.map((_, index) => `fleet-${index}`)
    for (const [index, name] of names.entries()) await create(name, sizes[index]!, 1 + (index % 2))
    const settled = () => Promise.all(names.map((name, index) => nothingIsLeft(name, sizes[index]!)))
    const { lowest, peaks, belowSeconds } = await drainFleet({ client, kubeconfig: cluster.kubeconfig, names }, settled)
    expect([lowest, belowSeconds]).toEqual([sizes, 0])
    expect(peaks.map((peak, index) => peak <= sizes[index]! + 1 + (index % 2))).toEqual(sizes.map(() => true))
  })

  it('goes on where the process was killed', async () => {
    await open(['--nodes', '3'])
    await create('web', 1, 1)
    const [{ spec } = {}] = await podsOf(client, 'web')
    const node = spec!.nodeName!
    const first = kubectlOf(cluster.kubeconfig)('drain', node)
    await until('the pod is being replaced', async () => (await podsOf(client, 'web')).some(isBeingReplaced))
    await cluster.end('SIGKILL')
    await first
    client.close()
    await open(['--nodes', '3'], cluster.folder)
    const count = await countAvailable(client, 'web')
    const { code, text } = await kubectlOf(cluster.kubeconfig)('drain', node, '--timeout=60s')
    expect(code, text).toBe(0)
    await nothingIsLeft('web', 1)
    count.stop()
    expect([count.lowest(), count.peak()]).toEqual([1, 2])
  })
})
