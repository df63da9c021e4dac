import { afterEach, describe, expect, it } from 'vitest'
import { configMaps } from '../../api/kinds.ts'
import type { CreateClusterOptions, TestCluster } from './cluster-api.ts'
import { createCluster } from './test-cluster.ts'

let open: TestCluster[] = []
afterEach(async () => {
  for (const cluster of open) await cluster.stop()
  open = []
})
const start = async (options: CreateClusterOptions = {}) => {
  const cluster = await createCluster(options)
  open.push(cluster)
  return cluster
}

const web = (replicas = 3, image = 'nginx:1') => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: '${image}' }]
`

const isReady = (cluster: TestCluster, replicas: number) => async () =>
  (await cluster.get('deployment', 'web'))?.status?.readyReplicas === replicas

/** A life with something of everything. */
async function live(options: CreateClusterOptions) {
  const cluster = await start(options)
  await cluster.apply(web())
  await cluster.apply({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sleep', '5'] }] } },
        },
      },
    },
  })
  await cluster.advance('90s')
  await cluster.apply(web(4, 'nginx:2'))
  cluster.failNextWrites(3)
  await cluster.advance('2s')
  await cluster.crashControllers()
  await cluster.startControllers()
  await cluster.advance('3m')
  return cluster
}

describe('createCluster()', () => {
  it('brings a Deployment up in virtual time', async () => {
    const cluster = await start()
    await cluster.apply(web())
    await cluster.until(isReady(cluster, 3))
    const pods = await cluster.list('pod')
    expect(pods.map(({ status }) => status?.phase)).toEqual(['Running', 'Running', 'Running'])
    expect(new Set(pods.map(({ spec }) => spec?.nodeName)).size).toBe(3)
    await cluster.settle()
    expect(cluster.failures).toEqual([])
  })

  it.each([{}, { interleave: true, callDelay: '50ms', watchDelay: '200ms' }])('gives one trace for one seed: %o', async (options) => {
    const traceOf = async (seed: number) => (await live({ ...options, seed })).trace().join('\n')
    const first = await traceOf(5)
    expect(first.split('\n').length).toBeGreaterThan(100)
    expect(await traceOf(5)).toBe(first)
    expect(await traceOf(6)).not.toBe(first)
  })

  it('advances time by exactly the requested duration', async () => {
    const cluster = await start({ nodes: 1, startTime: '2026-03-01T10:00:00Z' })
    const before = cluster.now()
    await cluster.advance('1h30m')
    expect(cluster.now() - before).toBe(5_400_000)
    await cluster.advance(250)
    expect(cluster.now() - before).toBe(5_400_250)
    await expect(cluster.advance('soon')).rejects.toThrow('Cannot read duration "soon"')
  })

  it('stops at the moment at which a condition holds, and returns what it found', async () => {
    const cluster = await start()
    await cluster.apply(web(1))
    const pod = await cluster.until(async () => (await cluster.list('pod')).find(({ status }) => status?.phase === 'Running'))
    expect(pod.spec?.nodeName).toMatch(/^node-/)
    const lines = cluster.trace()
    const last = lines.findLast((line) => line.includes(' pods '))
    expect(last).toContain(`update pods default/${pod.metadata.name} r${pod.metadata.resourceVersion}`)
    // Time has not moved on since.
    expect(lines.at(-1)!.split(' ')[0]).toBe(last!.split(' ')[0])
  })

  it('reports what it waited for, how long, and with which seed', async () => {
    const cluster = await start({ seed: 9 })
    const before = cluster.now()
    const waiting = cluster.until(() => false, { within: '7m', what: 'pigs fly' })
    await expect(waiting).rejects.toThrow(/Timed out after 7m of virtual time, waiting until pigs fly \(seed 9\)/)
    expect(cluster.now() - before).toBe(420_000)
  })

  it('does nothing without controllers, and catches up with them', async () => {
    const cluster = await start()
    await cluster.stopControllers()
    await cluster.apply(web(2))
    await cluster.advance('10m')
    expect(await cluster.list('pod')).toEqual([])
    await cluster.startControllers()
    await cluster.until(isReady(cluster, 2), { within: '10s' })
  })

  it('recovers from writes that fail, and from answers that are lost', async () => {
    const cluster = await start()
    for (const applied of [false, true]) {
      cluster.failNextWrites(5, { applied })
      await cluster.apply(web(applied ? 6 : 3))
      await cluster.settle()
      expect((await cluster.get('deployment', 'web'))?.status?.readyReplicas).toBe(applied ? 6 : 3)
    }
    expect(cluster.failures.some((line) => line.includes('this failure was injected'))).toBe(true)
  })

  it('replaces pods that are deleted or evicted, as far as a budget allows', async () => {
    const cluster = await start()
    await cluster.apply(web(2))
    await cluster.apply({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
    })
    await cluster.settle()
    const [first, second] = await cluster.list('pod')
    await cluster.evict(first!.metadata.name)
    await expect(cluster.evict(second!.metadata.name)).rejects.toThrow('Cannot evict pod')
    await cluster.settle()
    await cluster.delete('pod', second!.metadata.name)
    await cluster.settle()
    const names = (await cluster.list('pod')).map(({ metadata }) => metadata.name)
    expect(names).toHaveLength(2)
    expect(names).not.toContain(first!.metadata.name)
    expect(names).not.toContain(second!.metadata.name)
  })

  it('advances by a day at once', async () => {
    const cluster = await start({ nodes: 2, heartbeat: '5m' })
    await cluster.apply(web(2))
    await cluster.advance('1d')
    expect((await cluster.get('deploy', 'web'))?.status).toMatchObject({ readyReplicas: 2 })
  })

  it('ends a call in which a controller writes endlessly', async () => {
    const cluster = await start({ maxWritesAtOnce: 50, seed: 5 })
    const [ball] = await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ball' }, data: { count: '0' } })
    let count = 0
    // Two that answer each other's writes, as two controllers would that want the same field to be different.
    cluster.client.watch(
      configMaps,
      { namespace: 'default', resourceVersion: ball!.metadata.resourceVersion },
      {
        onEvents: () => void cluster.patch('configmap', 'ball', { data: { count: String(++count) } }).catch(() => {}),
        onEnd: () => {},
      },
    )
    await cluster.patch('configmap', 'ball', { data: { count: 'start' } })
    await expect(cluster.advance('1m')).rejects.toThrow(
      /ConfigMap default\/ball was written more than 50 times at the same virtual time: controllers undo each other's work/,
    )
    expect(count).toBeLessThan(200)
  })

  it('gives up a cluster that does not settle after so many writes', async () => {
    const cluster = await start({ seed: 6 })
    await cluster.apply({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tick' },
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } } } },
      },
    })
    await expect(cluster.settle({ within: '1d', quiet: '10m', maxWrites: 100 })).rejects.toThrow(
      /does not settle: more than 100 writes \(seed 6\)/,
    )
  })
})

describe('the option pacer', () => {
  const web = (annotations = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', annotations },
    spec: {
      replicas: 4,
      strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } },
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' }, annotations: { 'rollcall.dev/stop-delay': '20s' } },
        spec: { containers: [{ name: 'web', image: 'example/web:1' }] },
      },
    },
  })
  const asks = { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }
  const isWaiting = ({ spec }: { readonly spec?: { readonly schedulingGates?: readonly unknown[] } }) =>
    (spec?.schedulingGates?.length ?? 0) > 0
  const waiting = async (cluster: TestCluster) => (await cluster.list('pod')).filter(isWaiting).length
  const rollOut = async (cluster: TestCluster) => {
    await cluster.advance('1m')
    await cluster.patch(
      'deployment',
      'web',
      { spec: { template: { spec: { containers: [{ name: 'web', image: 'example/web:2' }] } } } },
      { type: 'strategic' },
    )
    await cluster.advance('5s')
  }

  // The controllers of this cluster know the annotation too: it is the Deployment's own, unless its gate is off.
  const gates = { DeploymentPodReplacementPolicy: false }

  it('paces a Deployment that opts in, and survives the crash of its leader', async () => {
    const cluster = await start({ pacer: 'asked', gates })
    await cluster.apply(web(asks))
    await rollOut(cluster)
    expect(await waiting(cluster)).toBe(2)
    await cluster.crashPacers()
    cluster.startPacer()
    await cluster.advance('1m')
    await cluster.settle()
    expect([await waiting(cluster), (await cluster.get('deployment', 'web'))?.status?.updatedReplicas]).toEqual([0, 4])
  })

  it('leaves a Deployment alone that does not', async () => {
    const cluster = await start({ pacer: 'asked', gates })
    await cluster.apply(web())
    await rollOut(cluster)
    expect([await waiting(cluster), (await cluster.list('pod')).length]).toEqual([0, 8])
  })

  it('hands over to another replica at once when it is stopped', async () => {
    const cluster = await start({ pacer: 'all', gates })
    await cluster.apply(web())
    await rollOut(cluster)
    await cluster.stopPacers()
    await cluster.advance('1m')
    const held = (await cluster.list('pod')).filter(isWaiting).map(({ metadata }) => metadata.name)
    expect(held).toHaveLength(2)
    cluster.startPacer()
    await cluster.advance('5s')
    expect((await cluster.list('pod')).filter((pod) => held.includes(pod.metadata.name) && !isWaiting(pod))).toHaveLength(2)
  })

  it('refuses another value', async () => {
    await expect(createCluster({ pacer: true as never })).rejects.toThrow("Cannot read pacer true: give 'asked' or 'all'")
  })
})
