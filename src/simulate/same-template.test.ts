// Two ReplicaSets of one template under one Deployment, through the API in virtual time.
import { afterEach, describe, expect, it } from 'vitest'
import type { TestCluster } from './library/cluster-api.ts'
import { createCluster } from './library/test-cluster.ts'

let cluster: TestCluster
afterEach(() => cluster.stop())

const named = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'a:1' }] } },
  },
})

describe('two Deployments of one template, of which one is deleted and leaves its ReplicaSet', () => {
  for (const [first, second] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const)
    it(`${second} takes the ReplicaSet of ${first} over, and settles`, async () => {
      cluster = await createCluster()
      await cluster.apply(named(first))
      await cluster.apply(named(second))
      await cluster.settle()
      await cluster.delete('deployment', first, { propagationPolicy: 'Orphan' })
      await cluster.settle()
      const sets = await cluster.list('replicaset')
      expect(sets.map(({ spec }) => spec?.replicas).sort()).toEqual([0, 2])
      expect(sets.every(({ metadata }) => metadata.ownerReferences?.[0]?.name === second)).toBe(true)
      // The older one by its time, then its name, has the pods.
      const older = [...sets].sort((one, other) =>
        `${one.metadata.creationTimestamp} ${one.metadata.name}` < `${other.metadata.creationTimestamp} ${other.metadata.name}` ? -1 : 1,
      )[0]
      expect(older?.spec?.replicas).toBe(2)
      const countWrites = () => cluster.trace().filter((line) => / (replicasets|deployments|pods) /.test(line)).length
      const writes = countWrites()
      await cluster.advance('1h')
      expect(countWrites()).toBe(writes)
      expect((await cluster.get('deployment', second))?.status?.availableReplicas).toBe(2)
    })

  it('the adoption is not a scale: no pod of the ReplicaSet with the full size is deleted', async () => {
    cluster = await createCluster()
    const sized = (name: string, replicas: number) => ({
      ...named(name),
      spec: { ...named(name).spec, replicas, minReadySeconds: 500, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
    })
    await cluster.apply(sized('a', 5))
    await cluster.advance('10s')
    const before = (await cluster.list('pod')).map(({ metadata }) => metadata.name)
    await cluster.apply(sized('b', 2))
    await cluster.advance('10s')
    await cluster.delete('deployment', 'b', { propagationPolicy: 'Orphan' })
    await cluster.settle()
    expect((await cluster.list('pod')).map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(before))
  })
})
