// Nodes that fail, and the other faults, as a test in virtual time sees them.
import { afterEach, describe, expect, it } from 'vitest'
import type { CreateClusterOptions, TestCluster } from './library/cluster-api.ts'
import { createCluster } from './library/test-cluster.ts'

let cluster: TestCluster
afterEach(() => cluster?.stop())
const start = async (options: CreateClusterOptions = {}) => {
  cluster = await createCluster(options)
}

const deployment = (policy: object = {}, template: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    ...policy,
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }], ...template } },
  },
})
/** No pod replaces another before that one was removed, whichever client deleted it. */
const waiting = { podReplacementPolicy: 'TerminationComplete', terminatingAsActive: true }
const ready = (replicas: number) => async () => (await cluster.get('deployment', 'web'))?.status?.readyReplicas === replicas
const podsOn = async (node: string) => (await cluster.list('pod')).filter(({ spec }) => spec?.nodeName === node)
const taintsOf = async (node: string) => (await cluster.get('node', node))?.spec?.taints?.map(({ key, effect }) => `${key}:${effect}`) ?? []

describe('a node that is lost', () => {
  for (const [name, policy, replacedEarly] of [
    ['at once without a policy', {}, true],
    ['at once under TerminationStarted', { podReplacementPolicy: 'TerminationStarted' }, true],
    ['at once under TerminationComplete alone: it is no rollout', { podReplacementPolicy: 'TerminationComplete' }, true],
    ['when they are gone where terminating pods count as active', waiting, false],
  ] as const)
    it(`loses its pods after their toleration, and they are replaced ${name}`, async () => {
      await start()
      await cluster.apply(deployment(policy))
      await cluster.until(ready(3))
      const [pod] = await podsOn('node-1')
      const lost = pod!.metadata.name
      cluster.stopNode('node-1')
      const stoppedMs = cluster.now()
      await cluster.until(async () => (await taintsOf('node-1')).length === 2, { what: 'the node is tainted' })
      expect((cluster.now() - stoppedMs) / 1000).toBeGreaterThan(40)
      expect((cluster.now() - stoppedMs) / 1000).toBeLessThan(56)
      expect(await taintsOf('node-1')).toEqual(['node.kubernetes.io/unreachable:NoSchedule', 'node.kubernetes.io/unreachable:NoExecute'])
      await cluster.until(ready(2))
      expect(await cluster.events()).toContain('NodeNotReady: Node node-1 status is now: NodeNotReady')
      const taintedMs = cluster.now()

      await cluster.until(async () => (await cluster.get('pod', lost))?.metadata.deletionTimestamp, {
        within: '10m',
        what: 'it is evicted',
      })
      expect(Math.round((cluster.now() - taintedMs) / 1000)).toBe(300)
      const evicted = await cluster.get('pod', lost)
      expect(evicted?.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason).toBe('DeletionByTaintManager')
      expect(await cluster.events()).toContain(`TaintManagerEviction: Marking for deletion Pod default/${lost}`)

      await cluster.advance('10m')
      // No kubelet confirms the deletion: the pod stays terminating.
      expect((await cluster.get('pod', lost))?.metadata.deletionTimestamp).toBeDefined()
      expect((await cluster.list('pod')).length).toBe(replacedEarly ? 4 : 3)
      expect(await ready(replacedEarly ? 3 : 2)()).toBe(true)

      cluster.startNode('node-1')
      await cluster.until(async () => (await cluster.get('pod', lost)) === undefined, { what: 'the old pod is gone' })
      await cluster.until(ready(3))
      await cluster.until(async () => (await taintsOf('node-1')).length === 0, { what: 'the node is free' })
      expect(await cluster.events()).toContain('NodeReady: Node node-1 status is now: NodeReady')
      await cluster.settle()
      expect((await cluster.list('pod')).length).toBe(3)
    })

  it('keeps its pods when it is back in time', async () => {
    await start()
    await cluster.apply(deployment(waiting))
    await cluster.until(ready(3))
    const before = (await podsOn('node-2')).map(({ metadata }) => metadata.uid)
    await cluster.fault({ target: 'node', name: 'node-2', action: 'down', for: '4m' })
    await cluster.until(ready(2))
    expect(cluster.faults()).toMatchObject([{ id: 'f1', order: { name: 'node-2', action: 'down' }, until: expect.stringMatching(/Z$/) }])
    await cluster.advance('4m')
    await cluster.until(ready(3))
    expect((await podsOn('node-2')).map(({ metadata }) => metadata.uid)).toEqual(before)
    expect(cluster.faults()).toEqual([])
  })

  it('follows its annotation, and reports when it cannot be started', async () => {
    await start()
    await cluster.patch('node', 'node-1', { metadata: { annotations: { 'rollcall.dev/down': 'true' } } })
    await cluster.until(async () => (await taintsOf('node-1')).length === 2)
    await expect(cluster.fault({ target: 'node', name: 'node-1', action: 'up' })).rejects.toThrow(
      'node-1 stays down because of its annotation. Remove it with kubectl annotate node node-1 rollcall.dev/down-',
    )
    await cluster.patch('node', 'node-1', { metadata: { annotations: { 'rollcall.dev/down': null } } })
    await cluster.until(async () => (await taintsOf('node-1')).length === 0)
    expect(await cluster.fault({ target: 'node', name: 'node-1', action: 'up' })).toBeUndefined()
  })

  it('loses its pods when its Node object is deleted', async () => {
    await start()
    await cluster.apply(deployment(waiting))
    await cluster.until(ready(3))
    cluster.stopNode('node-1')
    await cluster.advance('10m')
    expect(await ready(2)()).toBe(true)
    await cluster.delete('node', 'node-1')
    await cluster.until(ready(3), { within: '3m' })
    expect(await podsOn('node-1')).toEqual([])
  })

  it('costs the others nothing when all are lost at once', async () => {
    await start({ nodes: 2 })
    await cluster.apply(deployment())
    await cluster.until(ready(3))
    for (const node of ['node-1', 'node-2']) cluster.stopNode(node)
    await cluster.advance('20m')
    expect((await cluster.list('pod')).filter(({ metadata }) => metadata.deletionTimestamp)).toEqual([])
  })
})

describe('faults on demand', () => {
  const firstPod = async () => (await cluster.list('pod'))[0]!.metadata.name
  const bring = async (policy: object = {}, template: object = {}) => {
    await start()
    await cluster.apply(deployment(policy, template))
    await cluster.until(ready(3))
  }

  it('drains a node as its budgets allow, and accepts pods again', async () => {
    await bring()
    await cluster.apply({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: 3, selector: { matchLabels: { app: 'web' } } },
    })
    await cluster.advance('1s')
    const fault = await cluster.fault({ target: 'node', name: 'node-1', action: 'drain' })
    await cluster.advance('1m')
    expect((await cluster.get('node', 'node-1'))?.spec?.unschedulable).toBe(true)
    expect(await podsOn('node-1')).toHaveLength(1)
    expect(cluster.faults()[0]?.progress).toBe('0 pods evicted, 1 left, held by a disruption budget')
    await cluster.patch('poddisruptionbudget', 'web', { spec: { minAvailable: 2 } })
    await cluster.until(async () => (await podsOn('node-1')).length === 0)
    await cluster.advance('10s')
    expect(cluster.faults()[0]?.progress).toBe('1 pod evicted, none left')
    await cluster.endFaults(fault!.id)
    expect((await cluster.get('node', 'node-1'))?.spec?.unschedulable).toBeUndefined()
  })

  it('crashes a pod', async () => {
    await bring()
    const name = await firstPod()
    expect(await cluster.fault({ target: 'pod', name, action: 'crash', exitCode: 3 })).toBeUndefined()
    await cluster.until(ready(2))
    await cluster.until(ready(3))
    const status = (await cluster.get('pod', name))?.status?.containerStatuses?.[0]
    expect([status?.restartCount, status?.lastState?.terminated?.exitCode]).toEqual([1, 3])
  })

  it('makes a pod hang, and a Deployment wait for it', async () => {
    await bring(waiting)
    const name = await firstPod()
    await cluster.fault({ target: 'pod', name, action: 'hang', for: '10m' })
    await cluster.delete('pod', name)
    await cluster.advance('9m')
    expect((await cluster.list('pod')).length).toBe(3)
    await cluster.advance('2m')
    expect(await cluster.get('pod', name)).toBeUndefined()
    await cluster.until(ready(3))
    await cluster.settle()
  })

  it('fails probes only where there are some', async () => {
    await bring()
    const name = await firstPod()
    await expect(cluster.fault({ target: 'pod', name, action: 'fail-liveness' })).rejects.toThrow('has no liveness probe that could fail')
    expect(cluster.faults()).toEqual([])
    await cluster.fault({ target: 'pod', name, action: 'unready' })
    await cluster.until(ready(2))
    await cluster.fault({ target: 'pod', name, action: 'recover' })
    await cluster.until(ready(3))
  })

  it('stops a controller, and starts it again', async () => {
    await bring()
    await cluster.fault({ target: 'controller', name: 'replicaset-controller', action: 'stop' })
    await cluster.scale('deployment', 'web', 5)
    await cluster.advance('5m')
    expect((await cluster.list('pod')).length).toBe(3)
    await cluster.fault({ target: 'controller', name: 'replicaset-controller', action: 'start' })
    await cluster.until(ready(5))
    await cluster.settle()
  })

  it('makes the cache of a controller stale', async () => {
    await bring()
    await cluster.fault({ target: 'controller', name: 'replicaset-controller', action: 'stale', for: '5m' })
    await cluster.scale('deployment', 'web', 5)
    await cluster.advance('4m')
    expect((await cluster.list('pod')).length).toBe(3)
    await cluster.advance('1m')
    await cluster.until(ready(5))
    await cluster.settle()
  })

  it('makes the server refuse requests of controllers', async () => {
    await start()
    await cluster.fault({ target: 'api', action: 'refuse', verbs: ['create'], kinds: ['po'], agents: ['replicaset-controller'], for: '2m' })
    await cluster.apply(deployment())
    await cluster.advance('1m')
    expect(await cluster.list('pod')).toEqual([])
    await cluster.until(ready(3))
    expect(cluster.failures.join()).toContain('unable to handle the request')
  })

  for (const [name, order, message] of [
    ['no such node', { target: 'node', name: 'x', action: 'down' }, 'there is no simulated node "x"'],
    ['no such node to drain', { target: 'node', name: 'x', action: 'drain' }, 'there is no simulated node "x"'],
    ['no such pod', { target: 'pod', name: 'x', action: 'hang' }, 'there is no pod default/x on a simulated node'],
    [
      'no such controller',
      { target: 'controller', name: 'x', action: 'stop' },
      'there is no controller "x". The controllers are controllermanager, ',
    ],
    [
      'no such action',
      { target: 'node', name: 'node-1', action: 'explode' },
      'a fault of target node has no action "explode". The action must be down, up or drain',
    ],
    [
      'no such target',
      { target: 'moon', action: 'down' },
      'cannot inject a fault into "moon". The target must be node, pod, api, client or controller',
    ],
    ['no such field', { target: 'node', name: 'node-1', action: 'down', share: '1%' }, 'has no field "share"'],
    ['no such verb', { target: 'api', action: 'slow', verbs: ['eat'] }, 'there is no verb "eat"'],
    ['no such kind', { target: 'api', action: 'slow', kinds: ['cars'] }, 'there is no kind "cars"'],
    ['no such code', { target: 'api', action: 'refuse', code: 404 }, 'code must be 429, 500 or 503'],
    [
      'no such length',
      { target: 'api', action: 'slow', for: 'ever' },
      'cannot read for "ever". Write a duration such as 250ms, 90s or 1h30m',
    ],
    ['no such share', { target: 'api', action: 'slow', share: '200%' }, 'cannot read share "200%". Write a percentage such as 10%'],
  ] as const)
    it(`says that there is ${name}`, async () => {
      await start({ nodes: 1 })
      await expect(cluster.fault(order as never)).rejects.toThrow(message)
      expect(cluster.faults()).toEqual([])
    })
})
