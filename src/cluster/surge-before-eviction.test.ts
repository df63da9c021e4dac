// Rollcall's own controllers replace pods before their eviction, in a cluster under virtual time.
import { describe, expect, it } from 'vitest'
import { coreEvents, deployments, nodes as nodeKind, replicaSets } from '../api/kinds.ts'
import type { Pod, Stored } from '../api/types.ts'
import { hasEvictionMarks } from '../controllers/eviction/plan/eviction-marks.ts'
import { evict, namespace, openEvictedDeployment } from './testing/evicted-deployment.ts'

async function open(replicas: number, rollingUpdate: object = { maxSurge: 1, maxUnavailable: 0 }, spec: object = {}) {
  const opened = await openEvictedDeployment(replicas, { rollingUpdate, spec })
  const { client, clock } = opened
  const evictAll = async (names: readonly string[], limitMs = 600_000) => {
    const left = new Set(names)
    const untilMs = clock.now() + limitMs
    while (left.size > 0 && clock.now() < untilMs) {
      for (const name of left) if (await evict(client, name)) left.delete(name)
      await clock.advance(1000)
    }
    return left.size === 0
  }
  const reasons = async () =>
    new Set(
      (await client.list(coreEvents, { namespace })).items
        .filter(({ reason }) => reason?.startsWith('Eviction'))
        .map(({ reason }) => reason),
    )
  return { ...opened, evict: (name: string) => evict(client, name), evictAll, reasons }
}

const names = (found: readonly Stored<Pod>[]) => found.map(({ metadata }) => metadata.name)
const nextImage = { spec: { template: { spec: { containers: [{ name: 'web', image: 'example/web:2' }] } } } }

describe('surge before eviction by the controllers', () => {
  it.each([
    [1, 1, 1],
    [4, 1, 4],
    [4, 2, 4],
    [6, 3, 2],
  ])('%s replicas with maxSurge %s, %s of them evicted at once: none is missing, and the cap holds', async (replicas, maxSurge, count) => {
    const { clock, all, evictAll, reasons, failures, lowest, peak } = await open(replicas, { maxSurge, maxUnavailable: 0 })
    expect(await evictAll(names(await all()).slice(0, count))).toBe(true)
    await clock.advance(180_000)
    expect([lowest(), peak()]).toEqual([replicas, replicas + Math.min(maxSurge, count)])
    const left = await all()
    expect(left.map(hasEvictionMarks)).toEqual(left.map(() => false))
    expect(left).toHaveLength(replicas)
    expect(await reasons()).toEqual(new Set(['EvictionReplacing', 'EvictionAllowed']))
    expect(failures).toEqual([])
  })

  it('counts the pod as one of the Deployment until it is evicted', async () => {
    const { clock, client, all, evict } = await open(1)
    expect(await evict(names(await all())[0]!)).toBe(false)
    await clock.advance(12_000)
    const { status } = await client.get(deployments, { namespace, name: 'web' })
    expect([status?.replicas, status?.availableReplicas]).toEqual([2, 2])
  })

  it('deletes a pod too many when the eviction is no longer requested', async () => {
    const { clock, all, evict, lowest, peak } = await open(1)
    expect(await evict(names(await all())[0]!)).toBe(false)
    await clock.advance(240_000)
    const left = await all()
    expect([left.length, left.some(hasEvictionMarks), lowest(), peak()]).toEqual([1, false, 1, 2])
  })

  it.each<[string, object, object]>([
    ['without a surge', { maxSurge: 0, maxUnavailable: 1 }, {}],
    ['without the policy', { maxSurge: 1, maxUnavailable: 0 }, { podReplacementPolicy: undefined }],
  ])('lets a pod pass at once %s', async (_name, rollingUpdate, spec) => {
    const { all, evict, reasons } = await open(2, rollingUpdate, spec)
    expect(await evict(names(await all())[0]!)).toBe(true)
    expect(await reasons()).toEqual(new Set())
  })

  it('ends the wait when the replacement does not become available, and leaves the pod alone', async () => {
    const { clock, client, all, evict, evictAll, reasons, lowest } = await open(1)
    const [old] = await all()
    for (let number = 1; number <= 4; number++)
      await client.patch(nodeKind, { name: `node-${number}` }, 'merge', { spec: { unschedulable: true } })
    expect(await evict(old!.metadata.name)).toBe(false)
    let isPassed = false
    for (let second = 0; second < 330 && !isPassed; second += 5) {
      await clock.advance(5_000)
      isPassed = (await reasons()).has('EvictionTimedOut')
      if (!isPassed) await evict(old!.metadata.name)
    }
    expect(isPassed).toBe(true)
    await clock.advance(10_000)
    expect((await all()).map(({ metadata }) => metadata.uid)).toEqual([old!.metadata.uid])
    expect(lowest()).toBe(1)
    expect(await evictAll([old!.metadata.name])).toBe(true)
  })

  it.each<[string, object, number, number]>([
    ['a rollout', nextImage, 3, 3],
    ['a scale up', { spec: { replicas: 5 } }, 5, 3],
    ['a scale down', { spec: { replicas: 1 } }, 1, 1],
    ['a scale to 0', { spec: { replicas: 0 } }, 0, 0],
  ])('goes on through %s', async (_name, patch, replicas, floor) => {
    const { clock, all, evict, evictAll, change, failures, lowest, peak } = await open(3)
    const old = names(await all())
    expect(await evict(old[0]!)).toBe(false)
    await clock.advance(2_000)
    await change(patch)
    expect(await evictAll(old)).toBe(true)
    await clock.advance(180_000)
    const left = await all()
    expect([left.length, left.some(hasEvictionMarks), failures]).toEqual([replicas, false, []])
    expect(lowest()).toBe(floor)
    expect(peak()).toBeLessThanOrEqual(Math.max(3, replicas) + 1)
  })

  it('deletes a pod that waits at once when its Deployment is scaled to 0', async () => {
    const { clock, all, evict, change } = await open(1)
    expect(await evict(names(await all())[0]!)).toBe(false)
    await clock.advance(2_000)
    await change({ spec: { replicas: 0 } })
    await clock.advance(10_000)
    expect(await all()).toEqual([])
  })

  it('ignores the annotation in a pod template', async () => {
    const marks = { 'rollcall.dev/eviction-replacing': '2100-01-01T00:00:00Z 1 a' }
    const { clock, client, all, change } = await open(2)
    await change({ spec: { template: { metadata: { annotations: marks } } } })
    await clock.advance(300_000)
    expect(await all()).toHaveLength(2)
    const sets = (await client.list(replicaSets, { namespace })).items
    expect(sets.map(({ spec }) => spec?.replicas).sort()).toEqual([0, 2])
  })

  it('goes on after the controllers were stopped and started again', async () => {
    const { cluster, clock, all, evict, evictAll, lowest, peak } = await open(1)
    const [name] = names(await all())
    for (const pauseMs of [0, 50, 3_000, 11_000]) {
      await evict(name!)
      await clock.advance(pauseMs)
      await clock.runUntilSettled(cluster.stopControllers())
      await clock.advance(5_000)
      await clock.runUntilSettled(cluster.startControllers())
    }
    expect(await evictAll([name!])).toBe(true)
    await clock.advance(180_000)
    const left = await all()
    expect([left.length, left.some(hasEvictionMarks), lowest(), peak()]).toEqual([1, false, 1, 2])
  })
})
