// A pacer that dies between two calls, at random moments, while rollouts, scales and deletions go on. The invariants of the test cluster check
// every release against the cap.
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../base/random.ts'
import { isGated } from '../cluster/pacer/in-process-pacer.ts'
import { createCluster } from './library/test-cluster.ts'

const web = (image: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds: 5,
        containers: [{ name: 'web', image, command: ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done'] }],
      },
    },
  },
})

describe('the pacer', () => {
  it('loses nothing when it is killed at 50 random moments', { timeout: 60_000 }, async () => {
    const seed = Number(process.env['ROLLCALL_PROPERTY_SEED'] ?? 1)
    const random = seededRandom(seed)
    const below = (max: number) => Math.floor(random.next() * max)
    const cluster = await createCluster({ seed, nodes: 3, pacer: 'all', interleave: true })
    cluster.delayPacer({ calls: '50ms', watches: '200ms' })
    for (let kill = 1; kill <= 50; kill++) {
      await cluster.apply(web(`example/web:${below(7)}`, 4 + below(4)))
      // The Lease of the one before it expires within 15 s: some die before they lead, some between two releases, some while idle.
      await cluster.advance(15_000 + below(12_000))
      const [pod] = (await cluster.list('pod')).slice(below(4))
      if (pod !== undefined && below(3) === 0) await cluster.delete('pod', pod.metadata.name)
      await cluster.advance(below(300))
      await cluster.crashPacers()
      await cluster.advance(below(5_000))
      cluster.startPacer()
    }
    await cluster.apply(web('example/web:last', 6))
    await cluster.settle({ within: '1h' })
    expect((await cluster.list('pod')).filter(isGated)).toEqual([])
    expect((await cluster.get('deployment', 'web'))?.status).toMatchObject({ replicas: 6, updatedReplicas: 6, availableReplicas: 6 })
    await cluster.stop()
  })
})
