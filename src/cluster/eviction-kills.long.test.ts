// Controllers that die between two writes while pods are evicted, and other changes meanwhile.
import { describe, expect, it } from 'vitest'
import { nodes, podDisruptionBudgets } from '../api/kinds.ts'
import { seededRandom } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import { hasEvictionMarks } from '../controllers/eviction/plan/eviction-marks.ts'
import { type Evictor, evictAs, namespace, openEvictedDeployment } from './testing/evicted-deployment.ts'
import { wrapWrites } from './wrapped-calls.ts'

/** A process whose controllers can be killed: from then on none of its writes is sent. */
class Process {
  #life = 0
  #left = Number.POSITIVE_INFINITY
  #loses = false
  onDeath = () => {}

  readonly wrapClient = (client: Client, part: string): Client => {
    if (part !== 'controllers') return client
    const life = this.#life
    return wrapWrites(client, async (send) => {
      if (life !== this.#life) throw new Error('killed')
      if (this.#left-- > 0) return send()
      this.#life++
      this.onDeath()
      // The last write may have been carried out, although its answer is not received.
      if (this.#loses) await send()
      throw new Error('killed')
    })
  }

  /** The process dies at its next write but `writes`. */
  killAfter(writes: number, isCarriedOut: boolean): void {
    this.#left = writes
    this.#loses = isCarriedOut
  }

  /** It dies now. */
  kill(): void {
    this.#life++
  }

  survive(): void {
    this.#left = Number.POSITIVE_INFINITY
  }
}

async function open(replicas: number, rollingUpdate: object, { seed = 1, spec = {} } = {}) {
  const process = new Process()
  const opened = await openEvictedDeployment(replicas, { rollingUpdate, seed, spec, wrapClient: process.wrapClient })
  const { cluster, clock, client } = opened
  await client.create(podDisruptionBudgets, namespace, {
    metadata: { name: 'web' },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } },
  } as never)
  await clock.advance(1_000)
  const restart = async () => {
    await clock.runUntilSettled(cluster.stopControllers())
    process.survive()
    await clock.runUntilSettled(cluster.startControllers())
  }
  return { ...opened, process, restart }
}

const surge = { maxSurge: 1, maxUnavailable: 0 }

describe('evictions while controllers are killed', { timeout: 120_000 }, () => {
  it.each([false, true])('at each of the first 25 writes, carried out: %s', async (isCarriedOut) => {
    for (let writes = 0; writes < 25; writes++) {
      const { clock, client, all, process, restart, lowest, peak } = await open(1, surge)
      let isDead = false
      process.onDeath = () => {
        isDead = true
      }
      process.killAfter(writes, isCarriedOut)
      let isOver = false
      const drained = evictAs('kubectl', client, clock, await all()).then(() => {
        isOver = true
      })
      for (let second = 0; second < 120 && !isOver; second++) {
        await clock.advance(1_000)
        if (!isDead) continue
        isDead = false
        await restart()
      }
      await drained
      await clock.advance(300_000)
      const left = await all()
      expect([writes, left.length, left.some(hasEvictionMarks), lowest(), peak()]).toEqual([writes, 1, false, 1, 2])
    }
  })

  it.each([1, 2, 3])('50 times, with scales, rollouts and all kinds of clients meanwhile: seed %s', async (seed) => {
    const random = seededRandom(seed)
    const below = (max: number) => Math.floor(random.next() * max)
    const maxSurge = 1 + below(2)
    const first = 3
    // Otherwise a pod that is evicted before it is ready is replaced at once, as in Kubernetes, also beyond the cap.
    const spec = { podReplacementPolicy: undefined, terminatingAsActive: true }
    const opened = await open(first, { maxSurge, maxUnavailable: 0 }, { seed, spec })
    const { clock, client, all, change, process, restart, lowest, peak } = opened
    const sizes = [first]
    let waiting = 0
    for (let kill = 1; kill <= 50; kill++) {
      const evictor = (['kubectl', 'Karpenter', 'cluster-autoscaler'] as const satisfies readonly Evictor[])[below(3)]!
      if (waiting < 3) {
        waiting++
        const end = () => {
          waiting--
        }
        void evictAs(evictor, client, clock, (await all()).slice(0, 1 + below(3))).then(end, end)
      }
      const next = below(4)
      if (next === 0) {
        sizes.push(2 + below(4))
        await change({ spec: { replicas: sizes.at(-1) } })
      } else if (next === 1)
        await change({ spec: { template: { spec: { containers: [{ name: 'web', image: `example/web:${below(4)}` }] } } } })
      process.killAfter(below(8), below(2) === 0)
      await clock.advance(below(20_000))
      process.kill()
      await restart()
      await clock.advance(below(10_000))
    }
    await clock.advance(900_000)
    const left = await all()
    expect([left.length, left.some(hasEvictionMarks), waiting]).toEqual([sizes.at(-1), false, 0])
    expect(lowest()).toBeGreaterThanOrEqual(Math.min(...sizes))
    expect(peak()).toBeLessThanOrEqual(Math.max(...sizes) + maxSurge)
  })
})

describe('evictions by other clients', () => {
  it.each<Evictor>(['kubectl', 'Karpenter', 'cluster-autoscaler'])('%s', async (evictor) => {
    const { clock, client, all, failures, lowest, peak } = await open(3, surge)
    const startMs = clock.now()
    let isOver = false
    const drained = evictAs(evictor, client, clock, (await all()).slice(0, 2)).then(() => {
      isOver = true
    })
    await clock.runUntil(() => Promise.resolve(isOver), startMs + 300_000)
    await drained
    await clock.advance(60_000)
    const left = await all()
    expect([left.length, left.some(hasEvictionMarks), lowest(), peak(), failures]).toEqual([3, false, 3, 4, []])
  })

  it.each(['comes back', 'is deleted'])('the node of the replacement dies, and %s', async (what) => {
    const { cluster, clock, client, all, lowest, peak } = await open(2, surge)
    const before = await all()
    let isOver = false
    const drained = evictAs('kubectl', client, clock, before.slice(0, 1)).then(() => {
      isOver = true
    })
    await clock.advance(5_000)
    const replacement = (await all()).find(({ metadata }) => before.every((pod) => pod.metadata.uid !== metadata.uid))!
    const name = replacement.spec!.nodeName!
    cluster.stopNode(name)
    await clock.advance(60_000)
    expect(isOver).toBe(false)
    if (what === 'comes back') cluster.startNode(name)
    else await client.delete(nodes, { name })
    await clock.advance(150_000)
    expect(isOver).toBe(true)
    await drained
    await clock.advance(60_000)
    expect([(await all()).length, (await all()).some(hasEvictionMarks), lowest(), peak()]).toEqual([2, false, 2, 3])
  })
})
