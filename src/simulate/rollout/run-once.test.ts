import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makePlan } from './make-plan.ts'
import type { Plan } from './plan.ts'
import { runOnce } from './run-once.ts'
import type { TracedPod } from './trace.ts'

/** Everything that takes time where the plan does not say how long a pod takes. */
const busyPod = {
  terminationGracePeriodSeconds: 30,
  initContainers: [
    { name: 'migrate', image: 'example/migrate' },
    { name: 'mesh', image: 'example/mesh', restartPolicy: 'Always', startupProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 7 } },
  ],
  containers: [
    {
      name: 'web',
      image: 'example/web:1',
      readinessProbe: { httpGet: { path: '/', port: 80 }, initialDelaySeconds: 3, periodSeconds: 11 },
      lifecycle: { preStop: { sleep: { seconds: 9 } } },
    },
    { name: 'proxy', image: 'example/proxy:1', startupProbe: { tcpSocket: { port: 80 }, periodSeconds: 13 } },
  ],
}

function planOf(timing: Plan['timing'], spec: object = {}): Plan {
  const labels = { app: 'web' }
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: busyPod }, ...spec },
  }
  const target = { kind: 'Deployment', namespace: 'default', name: 'web' }
  return {
    title: '',
    command: '',
    sources: [],
    objects: [{ object: object as Plan['objects'][number]['object'], place: { source: 'web.yaml' } }],
    nodes: [{ count: 2 }],
    timing,
    policies: ['None'],
    seed: 1,
    runs: 1,
    steps: [{ atMs: 0, text: '', action: { type: 'image', target, image: 'example/web:2' } }],
    withinMs: 3_600_000,
    expectations: [],
    assumptions: [],
    ignored: [],
  }
}

/** From scheduled to ready, and from the deletion to the end, of every pod that has both moments. */
async function lengthsOf(timing: Plan['timing'], spec?: object) {
  const { trace } = await runOnce({ plan: planOf(timing, spec), policy: 'None', seed: 1 })
  const first = (has: (pod: TracedPod) => boolean) => {
    const moments = new Map<string, number>()
    for (const change of trace.changes)
      if ('pod' in change && has(change.pod) && !moments.has(change.pod.uid)) moments.set(change.pod.uid, change.atMs)
    return moments
  }
  const gone = new Map(
    trace.changes.flatMap((change) => ('gone' in change && change.gone.type === 'pod' ? [[change.gone.id, change.atMs] as const] : [])),
  )
  const scheduled = first(({ node }) => node !== undefined)
  const between = (from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>) =>
    [...from].filter(([uid, atMs]) => to.has(uid) && (atMs > 0 || to.get(uid)! > 0)).map(([uid, atMs]) => to.get(uid)! - atMs)
  return {
    startup: between(
      scheduled,
      first(({ isReady }) => isReady),
    ),
    stop: between(
      first(({ isTerminating }) => isTerminating),
      gone,
    ),
  }
}

describe('runOnce()', () => {
  it('takes the startup and the stop for those of the whole pod', async () => {
    const { startup, stop } = await lengthsOf({ startup: '20s', stop: '12s' })
    expect(startup).toEqual([20_000, 20_000])
    expect(stop).toEqual([12_000, 12_000])
  })

  it('ends a pod that takes too long to stop with its grace period', async () => {
    const { stop } = await lengthsOf({ startup: '1s', stop: '5m' })
    expect(stop).toEqual([30_000, 30_000])
  })

  it('does not count the time by which a pod was ahead of the cluster before the change', async () => {
    const readinessProbe = { exec: { command: ['true'] }, periodSeconds: 1 }
    const labels = { app: 'web' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example/web:1', readinessProbe }] } }
    const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } }
    for (const minReadySeconds of [4, 5, 6, 7, 8]) {
      const { stop } = await lengthsOf({ stop: '12s' }, { template, strategy, minReadySeconds })
      expect(stop).toEqual([12_000, 12_000])
    }
  })

  it('draws each length within its spread', async () => {
    const { startup, stop } = await lengthsOf({ startup: '20s±5s', stop: '12s±3s' })
    for (const ms of startup) expect(Math.abs(ms - 20_000)).toBeLessThanOrEqual(5000)
    for (const ms of stop) expect(Math.abs(ms - 12_000)).toBeLessThanOrEqual(3000)
    expect(new Set(startup).size).toBe(2)
  })

  it('uses probes and hooks where the plan does not say how long a pod takes', async () => {
    const { startup, stop } = await lengthsOf({})
    for (const ms of startup) expect(ms).toBeGreaterThan(13_000)
    for (const ms of stop) expect(ms).toBeGreaterThanOrEqual(9000)
  })

  it('gives the same trace with the same seed', async () => {
    const plan = planOf({ startup: '20s±5s', stop: '12s±3s' })
    const [one, other] = [await runOnce({ plan, policy: 'None', seed: 3 }), await runOnce({ plan, policy: 'None', seed: 3 })]
    expect(other.trace).toEqual(one.trace)
  })

  it('ends when its result is no longer needed', async () => {
    const web = fileURLToPath(new URL('../../../examples/simulate/web.yaml', import.meta.url))
    const plan = await makePlan({ files: [web], to: ['web=web:2'], scale: ['3@10h'], faults: [], expect: [], within: '20h', command: '' })
    let asked = 0
    const isCancelled = () => ++asked > 3
    await expect(runOnce({ plan, policy: 'None', seed: 1, isCancelled })).rejects.toThrow('the run was cancelled')
    expect(asked).toBe(4)
  })
})
