import { afterEach, describe, expect, it } from 'vitest'
import { nodes, pods } from '../../api/kinds.ts'
import type { Node, Pod } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startPodGarbageCollector } from './pod-garbage-collector.ts'
import { Quarantine, quarantineMs } from './quarantine.ts'

let bench: ControllerBench
let written: string[]
afterEach(() => bench?.stop())

/** Records the writes of the collector. */
const noting = (client: Client): Client => ({
  ...client,
  async patch(resource, ref, type, patch, more) {
    written.push(`patch ${ref.name} ${JSON.stringify((patch as { status: object }).status)}`)
    return client.patch(resource, ref, type, patch, more)
  },
  async delete(resource, ref, more) {
    written.push(`delete ${ref.name} ${more?.gracePeriodSeconds}`)
    return client.delete(resource, ref, more)
  },
})

const open = async (terminatedPodThreshold?: number) => {
  written = []
  bench = await openControllerBench({
    wrapClient: noting,
    start: (parts) => startPodGarbageCollector({ ...parts, ...(terminatedPodThreshold !== undefined && { terminatedPodThreshold }) }),
  })
}

const createPod = (name: string, spec: object = {}) =>
  bench.client.create(pods, 'default', { metadata: { name }, spec: { containers: [{ name: 'c', image: 'x' }], ...spec } } as Pod)

const names = async () => (await bench.podsOf()).map(({ metadata }) => metadata.name)

const pass = async (ms: number) => {
  for (let left = ms; left > 0; left -= 1000) {
    bench.pass(Math.min(left, 1000))
    await bench.settle()
  }
}

describe('startPodGarbageCollector()', () => {
  it('fails and deletes the pods of a deleted node, after the quarantine', async () => {
    await open()
    await bench.client.create(nodes, undefined, { metadata: { name: 'n' } } as Node)
    await createPod('a', { nodeName: 'n' })
    await pass(61_000)
    expect(await names()).toEqual(['a'])
    await bench.client.delete(nodes, { name: 'n' })
    await pass(40_000)
    expect(await names()).toEqual(['a'])
    await pass(20_000)
    expect(await names()).toEqual([])
    expect(written).toEqual([
      expect.stringMatching(/^patch a \{"phase":"Failed".*"reason":"DeletionByPodGC","message":"PodGC: node no longer exists"/),
      'delete a 0',
    ])
    expect(bench.failures).toEqual([])
  })

  it('keeps the pods of a node that appears in time', async () => {
    await open()
    await createPod('a', { nodeName: 'late' })
    await pass(39_000)
    await bench.client.create(nodes, undefined, { metadata: { name: 'late' } } as Node)
    await pass(120_000)
    expect(await names()).toEqual(['a'])
    expect(written).toEqual([])
  })

  it('removes deleted pods that never got a node', async () => {
    await open()
    const held = { metadata: { name: 'held', finalizers: ['x.example/y'] }, spec: { containers: [{ name: 'c', image: 'x' }] } } as Pod
    await bench.client.create(pods, 'default', held)
    await bench.client.delete(pods, { namespace: 'default', name: 'held' })
    await pass(20_000)
    expect(written).toEqual(['patch held {"phase":"Failed","observedGeneration":2}', 'delete held 0'])
  })

  it('deletes the oldest terminated pods above the threshold', async () => {
    await open(2)
    for (const name of ['a', 'b', 'c']) {
      await createPod(name)
      await pass(1000)
    }
    for (const pod of await bench.podsOf()) await bench.report(pod, 'failed')
    await pass(20_000)
    expect(await names()).toEqual(['b', 'c'])
    expect(written).toEqual(['delete a 0'])
  })

  it('removes deleted pods of a node out of service', async () => {
    await open()
    await bench.client.create(nodes, undefined, { metadata: { name: 'n' } } as Node)
    await createPod('a', { nodeName: 'n' })
    await bench.client.delete(pods, { namespace: 'default', name: 'a' })
    await pass(40_000)
    expect(await names()).toEqual(['a'])
    const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }]
    await bench.client.patch(nodes, { name: 'n' }, 'merge', { spec: { taints } })
    await pass(20_000)
    expect(await names()).toEqual([])
  })

  it('does not run when there is nothing to do', async () => {
    await open()
    await bench.client.create(nodes, undefined, { metadata: { name: 'n' } } as Node)
    await createPod('a', { nodeName: 'n' })
    await pass(40_000)
    let timers = 0
    const { after } = bench.clock
    bench.clock.after = (ms, run) => {
      timers++
      return after(ms, run)
    }
    await pass(100_000)
    expect(timers).toBe(0)
  })
})

describe('Quarantine', () => {
  it('releases a node after it has been missing for forty seconds, and starts again', () => {
    const quarantine = new Quarantine()
    const missing = new Set(['n'])
    expect([...quarantine.release(missing, 0)]).toEqual([])
    expect([...quarantine.release(missing, quarantineMs - 1)]).toEqual([])
    expect([...quarantine.release(missing, quarantineMs)]).toEqual(['n'])
    expect(quarantine.isEmpty).toBe(true)
    expect([...quarantine.release(missing, quarantineMs + 1)]).toEqual([])
    expect([...quarantine.release(missing, 2 * quarantineMs)]).toEqual([])
  })
  it('forgets a node that is back', () => {
    const quarantine = new Quarantine()
    quarantine.release(new Set(['n']), 0)
    quarantine.release(new Set(), 10)
    expect([...quarantine.release(new Set(['n']), quarantineMs)]).toEqual([])
  })
})
