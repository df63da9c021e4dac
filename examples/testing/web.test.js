// Tests of web.yaml with a cluster in virtual time: an hour takes less than a second.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createCluster } from 'rollcall/testing'

const web = await readFile(new URL('web.yaml', import.meta.url), 'utf8')

describe('web', () => {
  let cluster
  beforeEach(async () => {
    cluster = await createCluster({ nodes: 3, seed: 7 })
    await cluster.apply(web)
    await cluster.settle()
  })
  afterEach(() => cluster.stop())

  const readyPods = async () => (await cluster.get('deployment', 'web'))?.status?.readyReplicas ?? 0
  const rollOut = (image) =>
    cluster.patch('deployment', 'web', { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } }, { type: 'strategic' })

  it('has a pod on every node', async () => {
    const nodes = (await cluster.list('pod')).map((pod) => pod.spec.nodeName)
    assert.deepEqual(nodes.sort(), ['node-1', 'node-2', 'node-3'])
  })

  it('never has more than four pods while it rolls out', async () => {
    const before = cluster.now()
    let peak = 0
    await rollOut('example/web:2')
    await cluster.until(
      async () => {
        const pods = await cluster.list('pod')
        peak = Math.max(peak, pods.length)
        return pods.length === 3 && pods.every((pod) => pod.spec.containers[0].image === 'example/web:2' && pod.status.phase === 'Running')
      },
      { within: '10m', what: 'the new image runs everywhere' },
    )
    assert.equal(peak, 4)
    // Every pod takes 20 s to terminate, and its replacement waits for that.
    assert.ok(cluster.now() - before >= 20_000)
  })

  it('completes a rollout although controllers crash and writes fail', async () => {
    await rollOut('example/web:2')
    await cluster.advance('5s')
    await cluster.crashControllers()
    await cluster.startControllers()
    cluster.failNextWrites(4)
    await cluster.until(async () => (await cluster.get('deployment', 'web'))?.status?.updatedReplicas === 3, { within: '30m' })
    await cluster.settle()
    assert.equal(await readyPods(), 3)
  })

  it('loses one pod at a time to evictions', async () => {
    const [first, second] = await cluster.list('pod')
    await cluster.evict(first.metadata.name)
    await assert.rejects(cluster.evict(second.metadata.name), /disruption budget/)
    await cluster.settle()
    await cluster.evict(second.metadata.name)
    await cluster.settle()
    assert.equal(await readyPods(), 3)
  })

  it('gives the same run for the same seed', async () => {
    await rollOut('example/web:2')
    await cluster.advance('1h')
    const again = await createCluster({ nodes: 3, seed: 7 })
    await again.apply(web)
    await again.settle()
    await again.patch(
      'deployment',
      'web',
      { spec: { template: { spec: { containers: [{ name: 'web', image: 'example/web:2' }] } } } },
      { type: 'strategic' },
    )
    await again.advance('1h')
    assert.deepEqual(again.trace(), cluster.trace())
    await again.stop()
  })
})
