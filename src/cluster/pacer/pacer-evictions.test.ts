// Surge before eviction in virtual time: evictions of a node's pods, asked again until they pass.
import { describe, expect, it } from 'vitest'
import { coreEvents, deployments, nodes as nodeKind, pods } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Deployment, Pod, Stored } from '../../api/types.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import { startVirtualCluster } from '../virtual-cluster.ts'
import { readWaitingEvictions } from './eviction-status.ts'
import { giveBackPods } from './given-back-pods.ts'
import { hasEvictionMarks, isGated } from './in-process-pacer.ts'

const namespace = 'default'

async function open(replicas: number, rollingUpdate: object = { maxSurge: 1, maxUnavailable: 0 }) {
  const clock = new VirtualClock()
  const failures: string[] = []
  const onFailure = (what: string, error: unknown) => failures.push(`${what}: ${(error as Error).message}`)
  const gates = { ...defaultFeatureGates, DeploymentPodReplacementPolicy: false }
  const cluster = await startVirtualCluster({ clock, seed: 1, gates, nodes: [{ count: 4 }], pacerAdmission: 'asked', onFailure })
  const { client } = cluster
  await clock.runUntilSettled(cluster.startControllers())
  await clock.runUntilSettled(cluster.startPacer().synced)
  await client.create(deployments, namespace, {
    metadata: { name: 'web', annotations: { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' } },
    spec: {
      replicas,
      strategy: { rollingUpdate },
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' }, annotations: { 'rollcall.dev/ready-delay': '10s', 'rollcall.dev/stop-delay': '5s' } },
        spec: { containers: [{ name: 'web', image: 'example/web:1' }] },
      },
    },
  } as unknown as Deployment)
  const all = async () => (await client.list(pods, { namespace })).items
  await clock.runUntil(async () => (await all()).filter(isAvailable).length === replicas, clock.now() + 60_000)
  let lowest = replicas
  let peak = replicas
  const here = new Map((await all()).map((pod) => [pod.metadata.uid, pod]))
  cluster.onChange(({ verb, kind, object }) => {
    if (kind.kind !== 'Pod') return
    if (verb === 'delete') here.delete(object.metadata.uid)
    else here.set(object.metadata.uid, object as Stored<Pod>)
    lowest = Math.min(lowest, [...here.values()].filter(isAvailable).length)
    peak = Math.max(peak, [...here.values()].filter((pod) => !isGated(pod)).length)
  })
  /** As kubectl drain does. */
  const evict = async (name: string) => {
    const waitMs = await cluster.reviewEviction({ namespace, name })
    if (waitMs !== undefined) return false
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
    return client.createSubresource(pods, { namespace, name }, 'eviction', body).then(
      () => true,
      (error: unknown) => {
        if (isStatusError(error, 'NotFound')) return true
        throw error
      },
    )
  }
  const evictAll = async (names: readonly string[], limitMs = 600_000) => {
    const left = new Set(names)
    const untilMs = clock.now() + limitMs
    while (left.size > 0 && clock.now() < untilMs) {
      for (const name of left) if (await evict(name)) left.delete(name)
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
  return { clock, client, all, evict, evictAll, reasons, failures, lowest: () => lowest, peak: () => peak }
}

const isAvailable = ({ metadata, status }: Stored<Pod>) =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false)
const names = (found: readonly Stored<Pod>[]) => found.map(({ metadata }) => metadata.name)

describe('surge before eviction', () => {
  it.each([
    [1, 1, 1],
    [4, 1, 4],
    [4, 2, 4],
    [6, 3, 2],
  ])('%s replicas with maxSurge %s, %s of them evicted at once: none is missing, and the cap holds', async (replicas, maxSurge, count) => {
    const { clock, all, evictAll, reasons, failures, lowest, peak } = await open(replicas, { maxSurge, maxUnavailable: 0 })
    expect(await evictAll(names(await all()).slice(0, count))).toBe(true)
    await clock.advance(180_000)
    expect([lowest(), peak() <= replicas + maxSurge]).toEqual([replicas, true])
    const left = await all()
    expect(left.map((pod) => [controllerOf(pod)?.kind, hasEvictionMarks(pod)])).toEqual(left.map(() => ['ReplicaSet', false]))
    expect(left).toHaveLength(replicas)
    expect(await reasons()).toEqual(new Set(['EvictionReplacing', 'EvictionAllowed']))
    expect(failures).toEqual([])
  })

  it('gives a pod back whose eviction is no longer requested', async () => {
    const { clock, client, all, evict, lowest } = await open(1)
    const [name] = names(await all())
    expect(await evict(name!)).toBe(false)
    await clock.advance(3_000)
    expect(await readWaitingEvictions(client, undefined)).toEqual([
      { kind: 'Deployment', namespace, name: 'web', eviction: { pod: name, isReplacing: true, sinceMs: expect.any(Number) } },
    ])
    await clock.advance(180_000)
    const left = await all()
    expect(left.map((pod) => [controllerOf(pod)?.kind, hasEvictionMarks(pod)])).toEqual([['ReplicaSet', false]])
    expect(lowest()).toBe(1)
  })

  it('lets a pod pass at once that may not have a second one', async () => {
    const { all, evict, reasons } = await open(2, { maxSurge: 0, maxUnavailable: 1 })
    expect(await evict(names(await all())[0]!)).toBe(true)
    expect(await reasons()).toEqual(new Set())
  })

  it('ends the wait when the replacement does not become available, and leaves the pod alone', async () => {
    const { clock, client, all, evict, evictAll, reasons, lowest } = await open(1)
    const [old] = await all()
    // No node takes the replacement.
    for (let number = 1; number <= 4; number++)
      await client.patch(nodeKind, { name: `node-${number}` }, 'merge', { spec: { unschedulable: true } })
    expect(await evict(old!.metadata.name)).toBe(false)
    let isPassed = false
    for (let second = 0; second < 330 && !isPassed; second += 5) {
      await clock.advance(5_000)
      isPassed = (await reasons()).has('EvictionTimedOut')
      if (!isPassed) expect(await evict(old!.metadata.name)).toBe(false)
    }
    expect(isPassed).toBe(true)
    await clock.advance(10_000)
    expect((await all()).map(({ metadata }) => metadata.uid)).toEqual([old!.metadata.uid])
    expect(lowest()).toBe(1)
    // Without a budget nothing else holds the eviction.
    expect(await evictAll([old!.metadata.name])).toBe(true)
  })

  it('is undone by rollcall pacer release', async () => {
    const { clock, client, all, evict } = await open(1)
    expect(await evict(names(await all())[0]!)).toBe(false)
    await clock.advance(3_000)
    expect((await all()).map((pod) => controllerOf(pod)?.kind).sort()).toEqual(['Deployment', 'ReplicaSet'])
    expect(await giveBackPods(client, undefined)).toBe(1)
    expect(await readWaitingEvictions(client, undefined)).toEqual([])
    await clock.advance(60_000)
    expect((await all()).map((pod) => controllerOf(pod)?.kind)).toEqual(['ReplicaSet'])
  })
})
