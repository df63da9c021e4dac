// Whatever goes wrong on demand, and in whatever order: when it ends, everything comes right.
import { describe, expect, it } from 'vitest'
import { isStatusError } from '../api/machinery/status-error.ts'
import { type Random, seededRandom } from '../base/random.ts'
import type { FaultOrder, TestCluster } from './library/cluster-api.ts'
import { createCluster } from './library/test-cluster.ts'

const seeds = Number(process.env['ROLLCALL_FAULT_SEEDS'] ?? 12)
const firstSeed = Number(process.env['ROLLCALL_FAULT_SEED'] ?? 1)
const faultsInALife = 12

const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: { terminationGracePeriodSeconds: 5, containers: [{ name: 'c', image: 'nginx', livenessProbe: { httpGet: { port: 80 } } }] },
})
const workload = (kind: string, name: string, spec: object) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
})
const workloads = [
  workload('Deployment', 'web', { replicas: 4, podReplacementPolicy: 'TerminationComplete', terminatingAsActive: true }),
  workload('StatefulSet', 'db', { replicas: 2, serviceName: 'db' }),
  workload('DaemonSet', 'agent', {}),
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
  },
]
const controllers = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'node-controller',
  'taint-eviction-controller',
  'all',
]

async function drawOrder(cluster: TestCluster, random: Random): Promise<FaultOrder> {
  const of = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!
  const length = random.next() < 0.7 ? { for: of(['2s', '30s', '2m', '8m']) } : {}
  switch (of(['node', 'pod', 'api', 'controller'] as const)) {
    case 'node':
      return { target: 'node', name: of(['node-1', 'node-2', 'node-3', 'node-4']), action: of(['down', 'down', 'up', 'drain']), ...length }
    case 'pod': {
      const pods = (await cluster.list('pod')).map(({ metadata }) => metadata.name)
      const action = of(['crash', 'hang', 'unready', 'fail-liveness', 'recover'] as const)
      return { target: 'pod', name: pods.length === 0 ? 'none' : of(pods), action, ...length }
    }
    case 'api':
      return of<FaultOrder>([
        { target: 'api', action: 'slow', delay: of(['50ms', '3s']), share: '50%', ...length },
        {
          target: 'api',
          action: 'refuse',
          share: '30%',
          code: of([429, 500, 503]),
          verbs: ['create', 'update', 'patch', 'delete'],
          for: '1m',
        },
      ])
    case 'controller':
      return { target: 'controller', name: of(controllers), action: of(['stop', 'start', 'stale', 'restart']), ...length }
  }
}

async function isWell(cluster: TestCluster): Promise<boolean> {
  const web = (await cluster.get('deployment', 'web'))?.status
  const db = (await cluster.get('statefulset', 'db'))?.status
  const agent = (await cluster.get('daemonset', 'agent'))?.status
  return web?.readyReplicas === 4 && db?.readyReplicas === 2 && agent?.numberReady === 4
}

async function live(seed: number): Promise<string[]> {
  const random = seededRandom(seed)
  const cluster = await createCluster({ nodes: 4, seed, interleave: true, watchDelay: '100ms' })
  try {
    await cluster.apply(workloads)
    await cluster.until(() => isWell(cluster))
    for (let count = 0; count < faultsInALife; count++) {
      try {
        await cluster.fault(await drawOrder(cluster, random))
      } catch (error) {
        // A pod that is gone, or in which nothing runs.
        if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
      }
      await cluster.advance(Math.floor(random.next() * 200_000))
    }
    await cluster.endFaults()
    await cluster.fault({ target: 'controller', name: 'all', action: 'start' })
    await cluster.until(() => isWell(cluster), { within: '20m', what: 'everything is well again' })
    await cluster.settle()
    expect(cluster.faults()).toEqual([])
    expect((await cluster.list('node')).filter(({ spec }) => spec?.unschedulable || spec?.taints)).toEqual([])
    return [...cluster.trace()]
  } finally {
    await cluster.stop()
  }
}

describe('any faults', () => {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++)
    it(`converge when they end: ROLLCALL_FAULT_SEED=${seed} ROLLCALL_FAULT_SEEDS=1`, { timeout: 60_000 }, () =>
      live(seed).then(() => undefined),
    )

  it('are the same for the same seed', { timeout: 60_000 }, async () => expect(await live(7)).toEqual(await live(7)))
})
