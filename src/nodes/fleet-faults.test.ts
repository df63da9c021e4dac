import { afterEach, describe, expect, it } from 'vitest'
import { leases, namespaces, nodes, pods } from '../api/kinds.ts'
import type { Pod, Stored } from '../api/types.ts'
import { type ControllerBench, openControllerBench } from '../cluster/testing/controller-bench.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { virtualTiming } from './kubelet/pod-settings.ts'
import { planNodes } from './node-object.ts'

let bench: ControllerBench
let fleet: Fleet
afterEach(() => bench?.stop())

const open = async () => {
  bench = await openControllerBench({
    start(parts) {
      fleet = startFleet({ ...parts, timing: virtualTiming, nodes: planNodes([{ count: 2 }]) })
      return fleet
    },
  })
  await bench.client.create(namespaces, undefined, { metadata: { name: 'kube-node-lease' } })
}
const wait = async (seconds: number) => {
  await bench.settle()
  for (let passed = 0; passed < seconds * 4; passed++) {
    bench.pass(250)
    await bench.settle()
  }
}
const web = { namespace: 'default', name: 'web' }
const probe = { httpGet: { port: 80 }, periodSeconds: 1, failureThreshold: 2 }
const start = async (spec: object = {}, annotations: Record<string, string> = {}) => {
  await open()
  const containers = [{ name: 'c', image: 'nginx' }]
  const pod = {
    metadata: { name: 'web', annotations },
    spec: { nodeName: 'node-1', containers, terminationGracePeriodSeconds: 2, ...spec },
  }
  await bench.client.create(pods, 'default', pod as Pod)
  await wait(2)
  expect(await isReady()).toBe(true)
}
const read = async (): Promise<Stored<Pod> | undefined> => (await bench.podsOf())[0]
const isReady = async () => (await read())?.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True'
const first = async () => (await read())?.status?.containerStatuses?.[0]
const annotate = (annotations: Record<string, string | null>) => bench.client.patch(pods, web, 'merge', { metadata: { annotations } })
const remove = async () => {
  await bench.client.delete(pods, web)
  await wait(3)
}

describe('faults of pods', () => {
  it('keeps a pod terminating until the fault ends', async () => {
    await start()
    expect(fleet.setFaults(web, [{ action: 'hang' }])?.metadata.name).toBe('web')
    expect(await isReady()).toBe(true)
    await remove()
    await wait(60)
    expect((await read())?.status?.phase).toBe('Running')
    fleet.setFaults(web, [])
    await wait(1)
    expect(await read()).toBeUndefined()
  })

  it('keeps a pod terminating until the annotation is removed', async () => {
    await start({}, { 'rollcall.dev/hang': 'true' })
    await remove()
    await wait(20)
    expect((await read())?.metadata.deletionTimestamp).toBeDefined()
    await annotate({ 'rollcall.dev/hang': null })
    await wait(1)
    expect(await read()).toBeUndefined()
  })

  it('removes a hanging pod by force deletion', async () => {
    await start({}, { 'rollcall.dev/hang': 'true' })
    await remove()
    await bench.client.delete(pods, web, { gracePeriodSeconds: 0 })
    await wait(1)
    expect(await read()).toBeUndefined()
    expect(bench.failures).toEqual([])
  })

  it('makes a pod unready at once, and ready again', async () => {
    await start()
    fleet.setFaults(web, [{ action: 'unready' }])
    await wait(1)
    expect([await isReady(), (await first())?.restartCount]).toEqual([false, 0])
    fleet.setFaults(web, [])
    await wait(1)
    expect(await isReady()).toBe(true)
    await annotate({ 'rollcall.dev/unready.c': 'true' })
    await wait(1)
    expect(await isReady()).toBe(false)
  })

  it('affects only the named container', async () => {
    const containers = ['c', 'd'].map((name) => ({ name, image: 'nginx' }))
    await start({ containers })
    fleet.setFaults(web, [{ action: 'unready', container: 'd' }])
    await wait(1)
    expect((await read())?.status?.containerStatuses?.map(({ name, ready }) => `${name} ${ready}`)).toEqual(['c true', 'd false'])
  })

  it('fails the readiness probe, with its thresholds', async () => {
    await start({ containers: [{ name: 'c', image: 'nginx', readinessProbe: probe }] })
    fleet.setFaults(web, [{ action: 'fail-readiness' }])
    await wait(4)
    expect(await isReady()).toBe(false)
    expect((await bench.events()).join()).toContain('Readiness probe failed: HTTP probe failed with statuscode: 500')
    fleet.setFaults(web, [])
    await wait(3)
    expect(await isReady()).toBe(true)
  })

  it('restarts a container whose liveness probe fails', async () => {
    await start({ containers: [{ name: 'c', image: 'nginx', livenessProbe: probe }] })
    fleet.setFaults(web, [{ action: 'fail-liveness' }])
    await wait(5)
    expect((await first())?.restartCount).toBe(1)
    expect((await bench.events()).join()).toContain('Container c failed liveness probe, will be restarted')
  })

  it('crashes a pod for the duration of the fault', async () => {
    await start()
    fleet.setFaults(web, [{ action: 'crash', exitCode: 3 }])
    await wait(5)
    expect((await first())?.state?.waiting?.reason).toBe('CrashLoopBackOff')
    expect((await first())?.lastState?.terminated?.exitCode).toBe(3)
    fleet.setFaults(web, [])
    await wait(15)
    expect(await isReady()).toBe(true)
  })

  it('returns undefined for pods of other nodes', async () => {
    await start()
    expect(fleet.readPod(web)?.metadata.name).toBe('web')
    expect(fleet.setFaults({ namespace: 'default', name: 'other' }, [])).toBeUndefined()
  })
})

describe('faults of nodes', () => {
  const renewed = async () => (await bench.client.get(leases, { namespace: 'kube-node-lease', name: 'node-1' })).spec?.renewTime

  it('takes a node down by annotation, without syncing its pods', async () => {
    await start()
    await wait(12)
    await bench.client.patch(nodes, { name: 'node-1' }, 'merge', { metadata: { annotations: { 'rollcall.dev/down': 'true' } } })
    await bench.settle()
    const before = await renewed()
    await remove()
    await wait(30)
    expect(await renewed()).toBe(before)
    expect((await read())?.metadata.deletionTimestamp).toBeDefined()
    await bench.client.patch(nodes, { name: 'node-1' }, 'merge', { metadata: { annotations: { 'rollcall.dev/down': null } } })
    await wait(1)
    expect(await renewed()).not.toBe(before)
    expect(await read()).toBeUndefined()
  })

  it('brings a node back when no cause is left', async () => {
    await start()
    fleet.stopNode('node-1')
    await bench.client.patch(nodes, { name: 'node-1' }, 'merge', { metadata: { annotations: { 'rollcall.dev/down': 'true' } } })
    await bench.settle()
    fleet.startNode('node-1')
    const before = await renewed().catch(() => 'never')
    await wait(12)
    expect(await renewed().catch(() => 'never')).toBe(before)
  })

  it('records an event when it is ready again', async () => {
    await start()
    fleet.stopNode('node-1')
    const conditions = [{ type: 'Ready', status: 'Unknown' }]
    await bench.client.patch(nodes, { name: 'node-1' }, 'strategic', { status: { conditions } }, { subresource: 'status' })
    await bench.settle()
    fleet.startNode('node-1')
    await wait(1)
    expect(await bench.events()).toContain('NodeReady: Node node-1 status is now: NodeReady')
  })

  it('records events when it is cordoned and uncordoned', async () => {
    await start()
    const cordon = async (unschedulable: boolean | null) => {
      await bench.client.patch(nodes, { name: 'node-1' }, 'merge', { spec: { unschedulable } })
      await wait(1)
    }
    await cordon(true)
    expect(await bench.events()).toContain('NodeNotSchedulable: Node node-1 status is now: NodeNotSchedulable')
    await cordon(null)
    expect(await bench.events()).toContain('NodeSchedulable: Node node-1 status is now: NodeSchedulable')
    fleet.stopNode('node-1')
    const before = await bench.events()
    await cordon(true)
    expect(await bench.events()).toEqual(before)
  })

  it('registers again after its object was deleted', async () => {
    await start()
    await bench.client.delete(nodes, { name: 'node-1' })
    await wait(1)
    expect(fleet.hasNode('node-1')).toBe(false)
    expect(fleet.startNode('node-1')).toBe(true)
    await wait(1)
    expect(fleet.hasNode('node-1')).toBe(true)
    expect(fleet.startNode('other')).toBe(false)
  })
})
