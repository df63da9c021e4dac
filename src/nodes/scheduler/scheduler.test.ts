import { afterEach, describe, expect, it } from 'vitest'
import { nodes as nodeKind, pods as podKind } from '../../api/kinds.ts'
import type { Node, Pod, PodSpec } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing.ts'
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
  it('binds a pod to a node that takes it, and says so', async () => {
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

  it('leaves pods of other schedulers, with gates, and with nodes alone', async () => {
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

  it('says why a pod finds no place, and places it when there is one', async () => {
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
})
