// The cache observes changes late and in any order: a set never has more pods than the largest spec.replicas so far, and ends
// with exactly spec.replicas pods.
import { describe, expect, it } from 'vitest'
import { pods, replicaSets } from '../../api/kinds.ts'
import type { Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { seededRandom } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { isTerminal } from '../shared/plan/pod-state.ts'
import { startReplicaSetController } from './replica-set-controller.ts'

const seeds = Array.from({ length: 12 }, (_, index) => index + 1)
const steps = 60
const ref = { namespace: 'default', name: 'a' }

async function runRandomly(seed: number, terminatingAsActive: boolean) {
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random.next() * limit)
  const waiting: { readonly plural: string; readonly deliver: () => void }[] = []
  const deliver = (plural: string, count: number) => {
    for (let left = count; left > 0; left--) {
      const at = waiting.findIndex((one) => one.plural === plural)
      if (at < 0) return
      waiting.splice(at, 1)[0]!.deliver()
    }
  }
  const bench = await openControllerBench({
    start: startReplicaSetController,
    wrapClient: (client): Client => ({
      ...client,
      watch: (resource, request, handlers) =>
        client.watch(resource, request, {
          ...handlers,
          onEvents: (events) => {
            for (const event of events) waiting.push({ plural: resource.plural, deliver: () => handlers.onEvents([event]) })
          },
        }),
    }),
  })

  let wanted = 4
  let maxWanted = wanted
  let most = 0
  const living = new Map<string, boolean>()
  bench.client.watch(
    pods,
    { resourceVersion: String(bench.store.revision) },
    {
      onEvents: (events) => {
        for (const { type, object } of events) {
          if (type === 'DELETED' || isTerminal(object)) living.delete(object.metadata.uid)
          else living.set(object.metadata.uid, object.metadata.deletionTimestamp === undefined)
          const counted = terminatingAsActive ? living.size : [...living.values()].filter((isActive) => isActive).length
          most = Math.max(most, counted - maxWanted)
        }
      },
      onEnd: () => {},
    },
  )
  await bench.client.create(replicaSets, 'default', {
    metadata: { name: 'a' },
    spec: {
      replicas: wanted,
      terminatingAsActive,
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
    },
  } as ReplicaSet)

  const anyPod = async (is: (pod: Stored<Pod>) => boolean) => {
    const found = (await bench.podsOf()).filter((pod) => is(pod) && !isTerminal(pod))
    return found[below(found.length)]
  }
  const isHere = ({ metadata }: Stored<Pod>) => metadata.deletionTimestamp === undefined
  const actions = [
    async () => deliver('pods', 1 + below(4)),
    async () => deliver('pods', 50),
    async () => deliver('replicasets', 1 + below(4)),
    async () => {
      wanted = below(10) === 0 ? 0 : 3 + below(3)
      maxWanted = Math.max(maxWanted, wanted)
      await bench.client.patch(replicaSets, ref, 'merge', { spec: { replicas: wanted } })
    },
    async () => {
      const pod = await anyPod(isHere)
      if (pod !== undefined) await bench.report(pod, below(4) === 0 ? 'failed' : 'ready')
    },
    async () => {
      for (const pod of await bench.podsOf()) if (isHere(pod) && !isTerminal(pod)) await bench.report(pod, 'ready')
    },
    async () => {
      const pod = await anyPod(isHere)
      if (pod !== undefined) await bench.client.delete(pods, { namespace: 'default', name: pod.metadata.name })
    },
    () => bench.finishTerminating(1),
    async () => bench.pass(20),
  ]
  for (let step = 0; step < steps; step++) {
    await actions[below(actions.length)]!()
    if (below(2) === 0) await bench.settle()
  }
  const { status } = await bench.until('it has settled', async () => {
    deliver('pods', Number.POSITIVE_INFINITY)
    deliver('replicasets', Number.POSITIVE_INFINITY)
    await bench.finishTerminating()
    const set = await bench.client.get(replicaSets, ref)
    const isSettled = set.status?.replicas === wanted && set.status.observedGeneration === set.metadata.generation
    return isSettled && living.size === wanted && set
  })
  await bench.stop()
  return { tooMany: Math.max(most, 0), replicas: status?.replicas, terminating: status?.terminatingReplicas, wanted }
}

describe('a ReplicaSet with a cache that is behind', () => {
  it.each(seeds)('never has too many active pods (seed %d)', async (seed) => {
    expect(await runRandomly(seed, false)).toMatchObject({ tooMany: 0 })
  })

  it.each(seeds)('never has too many pods at all, with terminatingAsActive (seed %d)', async (seed) => {
    const { tooMany, replicas, wanted } = await runRandomly(seed, true)
    expect({ tooMany, replicas }).toEqual({ tooMany: 0, replicas: wanted })
  })
})

describe('a set whose status is observed late', () => {
  it('is corrected when a later sync finds the counts of an older cached status', async () => {
    let held: (() => void)[] | undefined
    const bench = await openControllerBench({
      start: startReplicaSetController,
      wrapClient: (client): Client => ({
        ...client,
        watch: (resource, request, handlers) =>
          client.watch(resource, request, {
            ...handlers,
            onEvents: (events) => {
              if (held !== undefined && resource.plural === 'replicasets') held.push(() => handlers.onEvents(events))
              else handlers.onEvents(events)
            },
          }),
      }),
    })
    const readyCount = async () => (await bench.client.get(replicaSets, ref)).status?.readyReplicas ?? 0
    await bench.client.create(replicaSets, 'default', {
      metadata: { name: 'a' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'x' } },
        template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
      },
    } as ReplicaSet)
    await bench.settle()
    const [first] = await bench.podsOf()
    await bench.report(first!, 'ready')
    await bench.settle()
    expect(await readyCount()).toBe(1)

    held = []
    const [pod] = await bench.podsOf()
    await bench.report(pod!, 'running')
    await bench.settle()
    expect(await readyCount()).toBe(0)
    await bench.report(pod!, 'ready')
    await bench.settle()
    // The cached set still has the old status.
    expect(await readyCount()).toBe(0)
    const late = held
    held = undefined
    for (const deliver of late) deliver()
    await bench.settle()
    bench.pass(1000)
    await bench.settle()
    expect(await readyCount()).toBe(1)
    await bench.stop()
  })
})
