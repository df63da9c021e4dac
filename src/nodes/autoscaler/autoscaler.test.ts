import { afterEach, describe, expect, it } from 'vitest'
import type { AutoscaleOptions, TestCluster } from '../../simulate/library/cluster-api.ts'
import { createCluster } from '../../simulate/library/test-cluster.ts'

let cluster: TestCluster | undefined

afterEach(async () => {
  await cluster?.stop()
  cluster = undefined
})

const open = async (autoscale: AutoscaleOptions, nodes = 1) => {
  cluster = await createCluster({ nodes, autoscale })
  return cluster
}

interface Wish {
  readonly replicas?: number
  readonly cpu?: string
  readonly spec?: object
}

const deployment = (name: string, { replicas = 1, cpu = '1', spec = {} }: Wish = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu } } }], ...spec },
    },
  },
})

const nodeNames = async () => (await cluster!.list('node')).map(({ metadata }) => metadata.name).sort()
const ready = async (name: string) => (await cluster!.get('deployment', name))?.status?.readyReplicas ?? 0
const eventsOf = async (reason: string) => (await cluster!.events()).filter((event) => event.startsWith(`${reason}:`))

describe('the autoscaler', () => {
  it('adds as many nodes as the pods need, after the delay', async () => {
    await open({ min: 1, max: 10, delay: '90s' })
    await cluster!.apply([deployment('web', { replicas: 10 })])
    await cluster!.advance('80s')
    expect(await nodeNames()).toEqual(['node-1'])
    expect(await ready('web')).toBe(4)
    await cluster!.advance('30s')
    expect(await nodeNames()).toEqual(['node-1', 'node-2', 'node-3'])
    expect(await ready('web')).toBe(10)
    expect((await eventsOf('TriggeredScaleUp'))[0]).toBe('TriggeredScaleUp: pod triggered scale-up: [{node 1->3 (max: 10)}]')
    expect(await eventsOf('TriggeredScaleUp')).toHaveLength(6)
  })

  it('starts with the minimum size, and never exceeds the maximum', async () => {
    await open({ min: 2, max: 3, node: { name: 'big', cpu: '8' } }, 0)
    expect(await nodeNames()).toEqual(['big-1', 'big-2'])
    await cluster!.apply([deployment('web', { replicas: 40 })])
    await cluster!.advance('10m')
    expect(await nodeNames()).toEqual(['big-1', 'big-2', 'big-3'])
    expect(await ready('web')).toBe(24)
    expect((await eventsOf('NotTriggerScaleUp'))[0]).toBe("NotTriggerScaleUp: pod didn't trigger scale-up: 1 max node group size reached")
  })

  it.each([
    { name: 'that are too big', wish: { cpu: '5' }, why: '1 Insufficient cpu' },
    {
      name: 'that select other nodes',
      wish: { spec: { nodeSelector: { disk: 'ssd' } } },
      why: "1 node(s) didn't match Pod's node affinity/selector",
    },
  ])('adds none for pods $name', async ({ wish, why }) => {
    await open({ min: 1, max: 5 })
    await cluster!.apply([deployment('web', wish)])
    await cluster!.advance('10m')
    expect(await nodeNames()).toEqual(['node-1'])
    expect(await eventsOf('NotTriggerScaleUp')).toEqual([`NotTriggerScaleUp: pod didn't trigger scale-up: ${why}`])
  })

  it('reserves resources for the pods of DaemonSets', async () => {
    await open({ min: 1, max: 5 })
    const { template, selector } = deployment('log', { cpu: '1' }).spec
    await cluster!.apply([{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'log' }, spec: { template, selector } }])
    await cluster!.advance('1m')
    await cluster!.apply([deployment('large', { cpu: '3', replicas: 2 })])
    await cluster!.advance('10m')
    expect(await ready('large')).toBe(2)
    await cluster!.apply([deployment('huge', { cpu: '4' })])
    await cluster!.advance('10m')
    expect(await nodeNames()).toEqual(['node-1', 'node-2'])
    expect(await eventsOf('NotTriggerScaleUp')).toEqual(["NotTriggerScaleUp: pod didn't trigger scale-up: 1 Insufficient cpu"])
  })

  it('adds a node in the zone that the pods need', async () => {
    await open({ min: 1, max: 10 })
    const spread = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', minDomains: 3 }
    const topologySpreadConstraints = [{ ...spread, labelSelector: { matchLabels: { app: 'web' } } }]
    await cluster!.apply([deployment('web', { replicas: 3, cpu: '100m', spec: { topologySpreadConstraints } })])
    await cluster!.advance('5m')
    expect(await ready('web')).toBe(3)
    const zones = (await cluster!.list('node')).map(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone'])
    expect(zones.sort()).toEqual(['zone-a', 'zone-b', 'zone-c'])
  })

  it('removes unneeded nodes, but not below the minimum size', async () => {
    await open({ min: 2, max: 10, idleAfter: '5m' }, 2)
    await cluster!.apply([deployment('web', { replicas: 20 })])
    await cluster!.advance('3m')
    expect(await nodeNames()).toHaveLength(5)
    await cluster!.scale('deployment', 'web', 1)
    await cluster!.advance('4m')
    expect(await nodeNames()).toHaveLength(5)
    await cluster!.advance('10m')
    expect(await nodeNames()).toHaveLength(2)
    expect(await ready('web')).toBe(1)
    expect(await eventsOf('ScaleDown')).toContain('ScaleDown: nodes removed by cluster autoscaler')
  })

  it('drains underutilized nodes as budgets allow', async () => {
    await open({ min: 1, max: 4, idleAfter: '2m' }, 3)
    const labelSelector = { matchLabels: { app: 'web' } }
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'web' } }
    await cluster!.apply([deployment('web', { replicas: 3 }), { ...budget, spec: { minAvailable: 3, selector: labelSelector } }])
    await cluster!.advance('20m')
    expect(await nodeNames()).toHaveLength(3)
    await cluster!.apply([{ ...budget, spec: { minAvailable: 2, selector: labelSelector } }])
    await cluster!.apply([deployment('other', { cpu: '1m' })])
    let minCount = 3
    await cluster!.until(
      async () => {
        minCount = Math.min(minCount, await ready('web'))
        return (await nodeNames()).length === 1
      },
      { within: '30m' },
    )
    expect(minCount).toBe(2)
    await cluster!.advance('1m')
    expect(await ready('web')).toBe(3)
  })

  it('gives up a drain that budgets do not allow, and records it', async () => {
    await open({ min: 1, max: 4, idleAfter: '2m' }, 2)
    await cluster!.apply([deployment('web', { replicas: 2 })])
    await cluster!.until(async () => (await cluster!.list('node')).some(({ spec }) => (spec as { taints?: unknown[] })?.taints?.length), {
      within: '10m',
    })
    const selector = { matchLabels: { app: 'web' } }
    await cluster!.apply([
      { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'web' }, spec: { minAvailable: 2, selector } },
    ])
    await cluster!.advance('3m')
    expect(await nodeNames()).toHaveLength(2)
    const pods = (await cluster!.list('pod')).map(({ metadata }) => metadata.name)
    const refusal = "Cannot evict pod as it would violate the pod's disruption budget."
    const reportedReasons = await eventsOf('ScaleDownFailed')
    expect(reportedReasons).toHaveLength(2)
    expect(reportedReasons).toContain('ScaleDownFailed: failed to delete pod for ScaleDown')
    const messages = pods.flatMap((pod) =>
      ['node-1', 'node-2'].map(
        (node) =>
          `ScaleDownFailed: failed to drain and delete node: Failed to drain node /${node}, due to following errors: [failed to evict pod default/${pod} within allowed timeout (last error: ${refusal})]`,
      ),
    )
    expect(messages).toContain(reportedReasons.find((one) => one.includes('drain')))
  })

  it('gives one trace for one seed', async () => {
    const live = async () => {
      await open({ min: 1, max: 6, idleAfter: '3m' })
      await cluster!.apply([deployment('web', { replicas: 12 })])
      await cluster!.advance('4m')
      await cluster!.scale('deployment', 'web', 3)
      await cluster!.advance('15m')
      const trace = cluster!.trace()
      await cluster!.stop()
      return trace
    }
    const first = await live()
    expect(first.some((line) => line.includes('delete nodes node-'))).toBe(true)
    expect(await live()).toEqual(first)
    cluster = undefined
  })

  it('keeps nodes with pods that have no controller', async () => {
    await open({ min: 1, max: 3, idleAfter: '1m' }, 2)
    const containers = [{ name: 'c', image: 'nginx' }]
    for (const [name, nodeName] of [
      ['a', 'node-1'],
      ['b', 'node-2'],
    ])
      await cluster!.apply([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: name! }, spec: { nodeName, containers } } as never])
    await cluster!.advance('20m')
    expect(await nodeNames()).toEqual(['node-1', 'node-2'])
  })
})
