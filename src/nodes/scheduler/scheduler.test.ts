import { afterEach, describe, expect, it } from 'vitest'
import { nodes as nodeKind, persistentVolumeClaims, pods as podKind, priorityClasses, replicaSets } from '../../api/kinds.ts'
import type { Node, Pod, PodSpec, ReplicaSet } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { claimProblem } from './pod-claims.ts'
import { startScheduler } from './scheduler.ts'

let bench: ControllerBench | undefined

afterEach(async () => {
  await bench?.stop()
  bench = undefined
})

const open = async () => {
  bench = await openControllerBench({ start: startScheduler })
  return bench
}

const size = { cpu: '4', memory: '8Gi', pods: '10' }

async function addNode(name: string, { labels, allocatable = size, spec }: { labels?: object; allocatable?: object; spec?: object } = {}) {
  const node = { metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } }, spec } as Node
  await bench!.client.create(nodeKind, undefined, node)
  await bench!.client.patch(nodeKind, { name }, 'merge', { status: { allocatable, capacity: allocatable } }, { subresource: 'status' })
}

async function addPod(name: string, { cpu = '1', labels = {}, ...spec }: Partial<PodSpec> & { cpu?: string; labels?: object } = {}) {
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu } } }]
  await bench!.client.create(podKind, 'default', { metadata: { name, labels }, spec: { containers, ...spec } } as Pod)
}

const podNamed = (name: string) => bench!.client.get(podKind, { namespace: 'default', name })
const nodeOf = async (name: string) => (await podNamed(name)).spec?.nodeName
const scheduled = async (name: string) => (await podNamed(name)).status?.conditions?.find(({ type }) => type === 'PodScheduled')

describe('startScheduler()', () => {
  it('binds a pod to a feasible node, and records it', async () => {
    await open()
    await addNode('small', { allocatable: { ...size, cpu: '500m' } })
    await addNode('large')
    await addPod('web')
    await bench!.settle()
    expect(await nodeOf('web')).toBe('large')
    expect(await scheduled('web')).toMatchObject({ status: 'True' })
    expect(await bench!.events()).toEqual(['Scheduled: Successfully assigned default/web to large'])
    expect(bench!.failures).toEqual([])
  })

  it('keeps a pod until its claim exists, and reports the reason', async () => {
    await open()
    await addNode('a')
    await addPod('web', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'disk' } }] })
    await bench!.settle()
    const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }
    const message =
      '0/1 nodes are available: persistentvolumeclaim "disk" not found. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.'
    expect(await scheduled('web')).toMatchObject({ status: 'False', reason: 'Unschedulable', message })
    expect(await bench!.events()).toEqual([`FailedScheduling: ${message}`])
    await addNode('b')
    await bench!.client.create(persistentVolumeClaims, 'default', { metadata: { name: 'other' }, ...claim })
    await bench!.settle()
    bench!.pass(5000)
    await bench!.settle()
    expect(await bench!.events()).toHaveLength(1)
    await bench!.client.create(persistentVolumeClaims, 'default', { metadata: { name: 'disk' }, ...claim })
    await bench!.settle()
    bench!.pass(5000)
    await bench!.settle()
    expect(await nodeOf('web')).toBeDefined()
  })

  it.each<[name: string, claim: object, problem: string | undefined]>([
    ['of no class', {}, undefined],
    ['of a class', { spec: { storageClassName: 'fast' } }, undefined],
    ['of no class at all', { spec: { storageClassName: '' } }, 'pod has unbound immediate PersistentVolumeClaims'],
    ['that is bound', { spec: { storageClassName: '', volumeName: 'v' }, status: { phase: 'Bound' } }, undefined],
    [
      'that has lost its volume',
      { spec: { volumeName: 'v' }, status: { phase: 'Lost' } },
      'persistentvolumeclaim "disk" bound to non-existent persistentvolume "v"',
    ],
    [
      'being deleted',
      { metadata: { name: 'disk', deletionTimestamp: '2026-11-01T12:00:00Z' } },
      'persistentvolumeclaim "disk" is being deleted',
    ],
  ])('has to say of a claim %s what Kubernetes says', (_, claim, problem) => {
    const pod = { spec: { containers: [], volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'disk' } }] } }
    expect(claimProblem(pod, () => ({ metadata: { name: 'disk' }, ...claim }) as never)).toBe(problem)
  })

  it('ignores pods of other schedulers, with scheduling gates, and with a node', async () => {
    await open()
    await addNode('a')
    await addPod('other', { schedulerName: 'mine' })
    await addPod('gated', { schedulingGates: [{ name: 'x.example/g' }] })
    await addPod('own', { schedulerName: 'rollcall' })
    await bench!.settle()
    expect([await nodeOf('other'), await nodeOf('gated'), await nodeOf('own')]).toEqual([undefined, undefined, 'a'])
    await bench!.client.patch(podKind, { namespace: 'default', name: 'gated' }, 'merge', { spec: { schedulingGates: null } })
    await bench!.settle()
    expect(await nodeOf('gated')).toBe('a')
  })

  it('reports why a pod is unschedulable, and binds it after a change', async () => {
    await open()
    await addNode('a', { allocatable: { ...size, cpu: '500m' } })
    await addPod('web')
    await bench!.settle()
    expect(await scheduled('web')).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message: expect.stringContaining('0/1 nodes are available: 1 Insufficient cpu.'),
    })
    const { revision } = bench!.store
    bench!.pass(200_000)
    await bench!.settle()
    expect(bench!.store.revision).toBe(revision)
    await addNode('b')
    await bench!.settle()
    expect(await nodeOf('web')).toBe('b')
  })

  it('reports a shortage once while nothing changes', async () => {
    await open()
    await addNode('a', { spec: { unschedulable: true } })
    await addNode('b', { allocatable: { ...size, cpu: '1' } })
    await addNode('c', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } })
    await addPod('web', { cpu: '2' })
    await bench!.settle()
    const message =
      '0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.'
    expect(await scheduled('web')).toMatchObject({ status: 'False', reason: 'Unschedulable', message, observedGeneration: 1 })
    // Heartbeats and new pods do not help.
    await bench!.client.patch(nodeKind, { name: 'b' }, 'merge', { metadata: { annotations: { beat: '1' } } })
    await addPod('small', { cpu: '500m' })
    bench!.pass(60_000)
    await bench!.settle()
    expect(await bench!.events()).toEqual(['Scheduled: Successfully assigned default/small to b', `FailedScheduling: ${message}`])
  })

  it.each<[name: string, help: () => Promise<unknown>]>([
    ['a pod was deleted', () => bench!.client.delete(podKind, { namespace: 'default', name: 'old' }, { gracePeriodSeconds: 0 })],
    [
      'a pod has ended',
      () =>
        bench!.client.patch(
          podKind,
          { namespace: 'default', name: 'old' },
          'merge',
          { status: { phase: 'Succeeded' } },
          { subresource: 'status' },
        ),
    ],
    [
      'the node has grown',
      () => bench!.client.patch(nodeKind, { name: 'a' }, 'merge', { status: { allocatable: { cpu: '8' } } }, { subresource: 'status' }),
    ],
    ['another node is uncordoned', () => bench!.client.patch(nodeKind, { name: 'b' }, 'merge', { spec: { unschedulable: null } })],
    [
      'the pod tolerates more',
      () =>
        bench!.client.patch(podKind, { namespace: 'default', name: 'web' }, 'json', [
          { op: 'add', path: '/spec/tolerations/-', value: { operator: 'Exists' } },
        ]),
    ],
  ])('tries again when %s, not before the back-off is over', async (_, help) => {
    await open()
    await addNode('a')
    await addNode('b', { spec: { unschedulable: true } })
    await addPod('old', { cpu: '4' })
    await bench!.settle()
    await addPod('web', { cpu: '2' })
    await bench!.settle()
    await help()
    await bench!.settle()
    expect(await nodeOf('web')).toBeUndefined()
    bench!.pass(1000)
    await bench!.settle()
    expect(await nodeOf('web')).toMatch(/^[ab]$/)
    expect(bench!.failures).toEqual([])
  })

  it('schedules a pod after the pod that its affinity selects', async () => {
    await open()
    await addNode('a')
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'db' } } }
    await addPod('web', { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } })
    await bench!.settle()
    expect((await scheduled('web'))?.message).toContain("1 node(s) didn't match pod affinity rules")
    await addPod('db', { labels: { app: 'db' } })
    await bench!.settle()
    bench!.pass(1000)
    await bench!.settle()
    expect(await nodeOf('web')).toBe('a')
  })

  it('preempts pods of lower priority, reserves their resources, and records it', async () => {
    await open()
    await addNode('a')
    await bench!.client.create(priorityClasses, undefined, { metadata: { name: 'high' }, value: 1000 })
    await addPod('low', { cpu: '4', terminationGracePeriodSeconds: 30 })
    await bench!.settle()
    await bench!.report(await podNamed('low'), 'ready')
    await addPod('high', { cpu: '3', priorityClassName: 'high' })
    await bench!.settle()
    const low = await podNamed('low')
    expect(low.metadata.deletionTimestamp).toBeDefined()
    expect(low.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: 'default-scheduler: preempting to accommodate a higher priority pod',
    })
    const { uid } = (await podNamed('high')).metadata
    expect((await podNamed('high')).status?.nominatedNodeName).toBe('a')
    expect((await scheduled('high'))?.message).toBe('0/1 nodes are available: 1 Insufficient cpu.')
    expect(await bench!.events()).toContain(`Preempted: Preempted by pod ${uid} on node a`)
    await addPod('late', { cpu: '2' })
    await bench!.settle()
    await bench!.finishTerminating()
    await bench!.settle()
    bench!.pass(10_000)
    await bench!.settle()
    expect([await nodeOf('high'), await nodeOf('late')]).toEqual(['a', undefined])
    expect((await podNamed('high')).status?.nominatedNodeName).toBeUndefined()
    expect(bench!.failures).toEqual([])
  })

  it('counts assumed pods, also when bindings fail', async () => {
    let refusals = 3
    bench = await openControllerBench({
      start: startScheduler,
      wrapClient: (client) => ({
        ...client,
        createSubresource: async (...request) => {
          if (refusals-- > 0) throw new Error('the server is tired')
          return client.createSubresource(...request)
        },
      }),
    })
    await addNode('a')
    await addNode('b')
    for (let index = 0; index < 12; index++) await addPod(`web-${index}`)
    for (let round = 0; round < 12; round++) {
      await bench.settle()
      bench.pass(1000)
    }
    const places = (await bench.podsOf()).map(({ spec }) => spec?.nodeName)
    expect([places.filter((node) => node === 'a').length, places.filter((node) => node === 'b').length]).toEqual([4, 4])
    expect(bench.failures).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('the server is tired')))
    expect((await bench.events()).filter((event) => event.startsWith('FailedScheduling: binding rejected')).length).toBe(3)
  })

  it('writes a failure again after a failed write', async () => {
    let refusals = 1
    bench = await openControllerBench({
      start: startScheduler,
      wrapClient: (client) => ({
        ...client,
        patch: async (...request) => {
          if (refusals-- > 0) throw new Error('the server is tired')
          return client.patch(...request)
        },
      }),
    })
    await addNode('a')
    await addPod('web', { cpu: '5' })
    await bench.settle()
    expect((await scheduled('web'))?.reason).toBeUndefined()
    bench.pass(1000)
    await bench.settle()
    expect((await scheduled('web'))?.reason).toBe('Unschedulable')
  })

  it('reserves nothing for a pod that another client bound or deleted', async () => {
    await open()
    await addNode('a')
    await addNode('b')
    await addPod('other', { cpu: '4', schedulerName: 'mine' })
    await bench!.client.createSubresource(podKind, { namespace: 'default', name: 'other' }, 'binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'other' },
      target: { kind: 'Node', name: 'a' },
    })
    await addPod('one', { cpu: '4' })
    await bench!.settle()
    expect(await nodeOf('one')).toBe('b')
    await bench!.client.delete(podKind, { namespace: 'default', name: 'one' }, { gracePeriodSeconds: 0 })
    await addPod('two', { cpu: '4' })
    await bench!.settle()
    expect(await nodeOf('two')).toBe('b')
  })

  it('spreads the pods of a controller over the nodes', async () => {
    await open()
    for (const name of ['a', 'b', 'c']) await addNode(name, { labels: { 'topology.kubernetes.io/zone': name } })
    const labels = { app: 'web' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const set = { metadata: { name: 'web' }, spec: { selector: { matchLabels: labels }, template } } as ReplicaSet
    const { uid } = (await bench!.client.create(replicaSets, 'default', set)).metadata
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid, controller: true }]
    for (let index = 0; index < 6; index++) {
      const metadata = { name: `web-${index}`, labels, ownerReferences }
      await bench!.client.create(podKind, 'default', { metadata, spec: template.spec } as Pod)
    }
    await bench!.settle()
    const places = (await bench!.podsOf()).map(({ spec }) => spec?.nodeName)
    expect(places.sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c'])
  })
})
