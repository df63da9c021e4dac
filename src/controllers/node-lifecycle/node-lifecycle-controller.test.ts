import { afterEach, describe, expect, it } from 'vitest'
import { coreEvents, leases, namespaces, nodes, pods } from '../../api/kinds.ts'
import type { Node, Pod } from '../../api/types.ts'
import { formatMicroTime, formatTime } from '../../base/clock.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startTaintEvictionController } from '../taint-eviction/taint-eviction-controller.ts'
import { startNodeLifecycleController } from './node-lifecycle-controller.ts'

let bench: ControllerBench
afterEach(() => bench?.stop())

const open = async () => {
  bench = await openControllerBench({ start: (parts) => [startNodeLifecycleController(parts), startTaintEvictionController(parts)] })
  await bench.client.create(namespaces, undefined, { metadata: { name: 'kube-node-lease' } })
}

/** In steps of a second, so that timers run in order. */
const pass = async (seconds: number, each?: () => Promise<void>) => {
  for (let left = seconds; left > 0; left--) {
    bench.pass(1000)
    await each?.()
    await bench.settle()
  }
}
const conditions = (status: string) => [
  {
    type: 'Ready',
    status,
    reason: 'KubeletReady',
    lastHeartbeatTime: formatTime(bench.clock.now()),
    lastTransitionTime: formatTime(bench.clock.now()),
  },
]
const createNode = async (name: string, more: { status?: object; zone?: string } = {}) => {
  await bench.client.create(nodes, undefined, {
    metadata: { name, labels: { 'topology.kubernetes.io/zone': more.zone ?? 'a' } },
    status: more.status ?? { conditions: conditions('True') },
  } as unknown as Node)
  await bench.settle()
}
/** As a kubelet does it. */
const renew = async (...names: readonly string[]) => {
  for (const name of names) {
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: formatMicroTime(bench.clock.now()) }
    const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec }
    await bench.client.patch(leases, { namespace: 'kube-node-lease', name }, 'apply', object, { force: true })
  }
}
const report = (name: string, status: string) =>
  bench.client.patch(nodes, { name }, 'strategic', { status: { conditions: conditions(status) } }, { subresource: 'status' })
const readNode = (name: string) => bench.client.get(nodes, { name })
const taintsOf = async (name: string) =>
  ((await readNode(name)).spec?.taints ?? []).map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`).sort()
const readyOf = async (name: string) => (await readNode(name)).status?.conditions?.find(({ type }) => type === 'Ready')
const eventsOf = async (reason: string) =>
  (await bench.client.list(coreEvents, { namespace: 'default' })).items
    .filter((event) => event.reason === reason)
    .map(({ message }) => message)
const createPod = async (name: string, nodeName: string, tolerations: readonly object[] = []) => {
  const pod = { metadata: { name }, spec: { nodeName, containers: [{ name: 'c', image: 'x' }], tolerations } } as unknown as Pod
  await bench.client.create(pods, 'default', pod)
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(bench.clock.now()) }] }
  await bench.client.patch(pods, { namespace: 'default', name }, 'merge', { status }, { subresource: 'status' })
  await bench.settle()
}
const readPod = (name: string) => bench.client.get(pods, { namespace: 'default', name })
const lost = ['unreachable:NoExecute', 'unreachable:NoSchedule']

describe('startNodeLifecycleController()', () => {
  it('marks a node without heartbeats as lost, and recovers it', async () => {
    await open()
    await createNode('n')
    await createNode('m', { zone: 'b' })
    await createPod('p', 'n')
    await createPod('daemon', 'n', [{ operator: 'Exists' }])
    await renew('n', 'm')
    await pass(49, () => renew('m'))
    expect((await readyOf('n'))?.status).toBe('True')
    await pass(7, () => renew('m'))
    expect(await readyOf('n')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    })
    expect(await taintsOf('n')).toEqual(lost)
    expect(await taintsOf('m')).toEqual([])
    expect((await readPod('p')).status?.conditions?.[0]).toMatchObject({ type: 'Ready', status: 'False' })
    expect(await eventsOf('RegisteredNode')).toContain('Node n event: Registered Node n in Controller')
    expect((await eventsOf('NodeNotReady')).sort()).toEqual([
      'Node is not ready',
      'Node is not ready',
      'Node n status is now: NodeNotReady',
    ])

    await pass(290, () => renew('m'))
    expect((await readPod('p')).metadata.deletionTimestamp).toBeUndefined()
    await pass(15, () => renew('m'))
    const evicted = await readPod('p')
    expect(evicted.metadata.deletionTimestamp).toBeDefined()
    expect(evicted.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    })
    expect(await eventsOf('TaintManagerEviction')).toEqual(['Marking for deletion Pod default/p'])
    expect((await readPod('daemon')).metadata.deletionTimestamp).toBeUndefined()

    await renew('n')
    await report('n', 'True')
    await pass(5, () => renew('m', 'n'))
    expect(await taintsOf('n')).toEqual([])
    expect(bench.failures).toEqual([])
  })

  it('calls evictions off when the node is back in time', async () => {
    await open()
    await createNode('n')
    await createNode('m', { zone: 'b' })
    await createPod('p', 'n')
    await pass(60, () => renew('m'))
    expect(await taintsOf('n')).toEqual(lost)
    await report('n', 'True')
    await pass(400, () => renew('m', 'n'))
    expect((await readPod('p')).metadata.deletionTimestamp).toBeUndefined()
    expect(await eventsOf('TaintManagerEviction')).toEqual(['Cancelling deletion of Pod default/p'])
  })

  it('reports that a manually created node never reported', async () => {
    await open()
    await createNode('n', { status: {} })
    expect(await taintsOf('n')).toEqual([])
    await pass(59)
    expect(await readyOf('n')).toBeUndefined()
    await pass(7)
    expect(await readyOf('n')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
    })
  })

  it('handles a node that reports that it is not ready', async () => {
    await open()
    await createNode('n')
    await createNode('m', { zone: 'b' })
    await createPod('p', 'n')
    await pass(1)
    await report('n', 'False')
    await bench.settle()
    expect(await taintsOf('n')).toEqual(['not-ready:NoSchedule'])
    await pass(6, () => renew('n', 'm'))
    expect(await taintsOf('n')).toEqual(['not-ready:NoExecute', 'not-ready:NoSchedule'])
    // The node speaks for its pods itself.
    expect((await readPod('p')).status?.conditions?.[0]?.status).toBe('True')
    await pass(60, () => renew('m'))
    expect(await taintsOf('n')).toEqual(lost)
  })

  it('taints a node that is cordoned, at once', async () => {
    await open()
    await createNode('n')
    await bench.client.patch(nodes, { name: 'n' }, 'merge', { spec: { unschedulable: true } })
    await bench.settle()
    expect(await taintsOf('n')).toEqual(['unschedulable:NoSchedule'])
    expect((await readNode('n')).spec?.taints?.[0]?.timeAdded).toBeDefined()
    await bench.client.patch(nodes, { name: 'n' }, 'merge', { spec: { unschedulable: null } })
    await bench.settle()
    expect((await readNode('n')).spec?.taints).toBeUndefined()
  })

  it('drives pods off one node in ten seconds of a zone', async () => {
    await open()
    for (const name of ['n1', 'n2', 'm1', 'm2', 'm3']) await createNode(name)
    await pass(57, () => renew('m1', 'm2', 'm3'))
    const given = async () => (await Promise.all(['n1', 'n2'].map(taintsOf))).filter((taints) => taints.length === 2).length
    expect(await given()).toBe(1)
    await pass(10, () => renew('m1', 'm2', 'm3'))
    expect(await given()).toBe(2)
  })

  it('evicts no pods while all nodes are lost, and restarts the grace periods when one recovers', async () => {
    await open()
    await createNode('n')
    await createNode('m', { zone: 'b' })
    await createPod('p', 'n')
    await pass(400)
    expect(await taintsOf('n')).toEqual(['unreachable:NoSchedule'])
    expect((await readPod('p')).metadata.deletionTimestamp).toBeUndefined()
    await report('m', 'True')
    await pass(20, () => renew('m'))
    expect(await taintsOf('n')).toEqual(lost)
    expect(await taintsOf('m')).toEqual([])
  })

  it('marks no node as lost after a sleep of the machine', async () => {
    await open()
    await createNode('n')
    await pass(6, () => renew('n'))
    bench.pass(3_600_000)
    await bench.settle()
    expect((await readyOf('n'))?.status).toBe('True')
    await pass(56)
    expect((await readyOf('n'))?.status).toBe('Unknown')
  })

  it('forgets a node that is deleted', async () => {
    await open()
    await createNode('n')
    await pass(5)
    await bench.client.delete(nodes, { name: 'n' })
    await pass(5)
    expect(await eventsOf('RemovingNode')).toEqual(['Node n event: Removing Node n from Controller'])
    await createNode('n')
    await pass(5)
    expect(await eventsOf('RegisteredNode')).toHaveLength(2)
  })
})

describe('startTaintEvictionController()', () => {
  const taint = (...taints: readonly object[]) => bench.client.patch(nodes, { name: 'n' }, 'merge', { spec: { taints } })
  const maintenance = { key: 'maintenance', effect: 'NoExecute' }

  it('respects the tolerations of each pod', async () => {
    await open()
    await createNode('n')
    await createPod('none', 'n')
    await createPod('some', 'n', [{ key: 'maintenance', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 }])
    await createPod('all', 'n', [{ key: 'maintenance', operator: 'Exists' }])
    await taint(maintenance)
    await bench.settle()
    const terminating = async () =>
      (await bench.podsOf()).filter(({ metadata }) => metadata.deletionTimestamp).map(({ metadata }) => metadata.name)
    expect(await terminating()).toEqual(['none'])
    await pass(2)
    expect(await terminating()).toEqual(['none'])
    await pass(2)
    expect(await terminating()).toEqual(['none', 'some'])
    await createPod('late', 'n')
    expect(await terminating()).toEqual(['late', 'none', 'some'])
    await pass(60)
    expect(await terminating()).toEqual(['late', 'none', 'some'])
  })

  it('continues from the stored state after a restart', async () => {
    await open()
    await createNode('n')
    await createPod('p', 'n', [{ key: 'maintenance', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 30 }])
    await taint(maintenance)
    await pass(20)
    await bench.restartControllers()
    await bench.settle()
    await pass(20)
    expect((await readPod('p')).metadata.deletionTimestamp).toBeUndefined()
    await pass(12)
    expect((await readPod('p')).metadata.deletionTimestamp).toBeDefined()
  })
})
