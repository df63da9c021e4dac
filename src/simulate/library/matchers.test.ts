import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestCluster } from './cluster-api.ts'
import { matchers } from './matchers.ts'
import { expect as expectCluster } from './node-matchers.ts'
import { createCluster } from './test-cluster.ts'

const web = (image: string, spec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'rollcall.dev/start-delay': '1s', 'rollcall.dev/stop-delay': '10s' } },
      spec: { containers: [{ name: 'web', image }] },
    },
    ...spec,
  },
})

let cluster: TestCluster
beforeEach(async () => {
  cluster = await createCluster()
})
afterEach(() => cluster.stop())

const rollOut = async (spec: object) => {
  await cluster.apply(web('one', spec))
  await cluster.settle()
  await cluster.apply(web('two', spec))
  await cluster.settle()
}

describe('toKeepCap()', () => {
  it('holds under TerminationComplete, and not without a policy', async () => {
    await rollOut({ podReplacementPolicy: 'TerminationComplete' })
    expect(matchers.toKeepCap(cluster, 'deployment/web').pass).toBe(true)
    await cluster.delete('deployment', 'web')
    await cluster.settle()
    await rollOut({})
    const { pass, message } = matchers.toKeepCap(cluster, 'deploy/web')
    expect(pass).toBe(false)
    expect(message()).toMatch(/^deploy\/web had 8 pods at \+[\d.]+s, and may have 5: /)
  })

  it('does not count pods that remain when the cap decreases', async () => {
    await cluster.apply(web('one'))
    await cluster.settle()
    await cluster.scale('deployment', 'web', 1)
    await cluster.advance('1s')
    expect(await cluster.list('pods')).toHaveLength(4)
    expect(cluster.peakOverCap('deployment/web')).toBeUndefined()
  })

  it('refuses what has no cap, and what is not there', () => {
    expect(() => matchers.toKeepCap(cluster, 'deployment/other')).toThrow('There was no deployment/other')
    expect(() => matchers.toKeepCap(cluster, 'web' as never)).toThrow('such as deployment/web')
  })
})

describe('toBecomeAvailable()', () => {
  it('advances time until every pod is available', async () => {
    await cluster.apply(web('one'))
    const startMs = cluster.now()
    await expectCluster(cluster).toBecomeAvailable('deployment/web')
    expect(cluster.now() - startMs).toBeLessThan(5000)
    expect((await cluster.get('deployments', 'web'))?.status?.availableReplicas).toBe(4)
  })

  it('waits for the pods of the current template, not for old ones that are available', async () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 } }
    await cluster.apply(web('one', { strategy }))
    await cluster.settle()
    await cluster.apply(web('two', { strategy }))
    await expectCluster(cluster).toBecomeAvailable('deployment/web')
    const running = (await cluster.list('pods')).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    const isReady = (pod: (typeof running)[number]) =>
      pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
    expect(running.map((pod) => [pod.spec?.containers[0]?.image, isReady(pod)])).toEqual(Array(4).fill(['two', true]))
  })

  it('reports the counts of a workload that does not', async () => {
    await cluster.apply(
      web('one', { template: { ...web('one').spec.template, spec: { containers: [{ name: 'web', image: 'one' }], nodeName: 'none' } } }),
    )
    await expect(expectCluster(cluster).toBecomeAvailable('deployment/web', { within: '30s' })).rejects.toThrow(
      /^deployment\/web did not become available within 30s: its status is \{.*"unavailableReplicas":4.*\}\. it waits for 4 unavailable pods: web-/,
    )
    await expectCluster(cluster).not.toBecomeAvailable('deployment/web', { within: '1s' })
  })

  it.each([
    ['an image that cannot be pulled', 'shop/missing:1', {}, /container web: ImagePullBackOff: Back-off pulling image "shop\/missing:1"/],
    ['too little room', 'one', { resources: { requests: { cpu: '1000' } } }, /Unschedulable: 0\/2 nodes are available: 2 Insufficient cpu/],
    ['a quota', 'one', {}, /FailedCreate: pods "web-\S+" is forbidden: exceeded quota: few/, { hard: { pods: '1' } }],
  ])('names the cause: %s', async (_name, image, container, cause, quota?: object) => {
    const other = await createCluster({ nodes: 2, missingImages: ['shop/missing'] })
    try {
      if (quota !== undefined) await other.apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: quota })
      const { template } = web(image).spec
      const containers = [{ name: 'web', image, ...container }]
      await other.apply(web(image, { template: { ...template, spec: { containers } } }))
      await expect(expectCluster(other).toBecomeAvailable('deployment/web', { within: '60s' })).rejects.toThrow(cause)
    } finally {
      await other.stop()
    }
  })
})

describe('timeline()', () => {
  it('has a line for each change of the counts, without names', async () => {
    await cluster.apply(web('one', { replicas: 1, strategy: { type: 'Recreate' } }))
    await cluster.settle()
    await cluster.apply(web('two', { replicas: 1, strategy: { type: 'Recreate' }, podReplacementPolicy: 'TerminationComplete' }))
    await cluster.settle()
    expect(cluster.timeline('deployment/web').map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'desired 1, cap 1: 1 starting',
      'desired 1, cap 1: 1 ready',
      'desired 1, cap 1: 1 terminating',
      'desired 1, cap 1: 1 starting',
      'desired 1, cap 1: 1 ready',
    ])
  })
})
