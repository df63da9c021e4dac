// A ReplicaSet that is deleted under its Deployment, with nodes and a garbage collector, in virtual time. The cluster checks
// after every write that there are no more pods than replicas + maxSurge, and at the end that the counts are right.
import { afterEach, describe, expect, it } from 'vitest'
import type { TestCluster } from './library/cluster-api.ts'
import { createCluster } from './library/test-cluster.ts'

let cluster: TestCluster
afterEach(() => cluster.stop())

const web = (policy: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'web' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
    ...policy,
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds: 60,
        containers: [{ name: 'c', image: 'a:1', command: ['sh', '-c', 'trap "" TERM; sleep 1000000'] }],
      },
    },
  },
})

describe('deleting the ReplicaSet of a Deployment', () => {
  for (const [name, policy] of [
    ['TerminationComplete', { podReplacementPolicy: 'TerminationComplete' }],
    ['terminatingAsActive', { terminatingAsActive: true }],
  ] as const)
    it(`under ${name}: its pods hold room until they have terminated`, async () => {
      cluster = await createCluster()
      await cluster.apply(web(policy))
      await cluster.settle()
      const [set] = await cluster.list('replicaset')
      await cluster.delete('replicaset', set!.metadata.name)
      let most = 0
      let maxTerminating = 0
      for (let seconds = 0; seconds < 150; seconds++) {
        await cluster.advance('1s')
        const pods = await cluster.list('pod')
        most = Math.max(most, pods.length)
        maxTerminating = Math.max(maxTerminating, (await cluster.get('deployment', 'web'))?.status?.terminatingReplicas ?? 0)
      }
      expect(most).toBe(5)
      expect(maxTerminating).toBe(4)
      await cluster.settle()
      expect((await cluster.get('deployment', 'web'))?.status).toMatchObject({ availableReplicas: 4, terminatingReplicas: 0 })
    })

  for (const [name, policy] of [
    ['TerminationComplete', { podReplacementPolicy: 'TerminationComplete' }],
    ['TerminationComplete, Recreate', { podReplacementPolicy: 'TerminationComplete', strategy: { type: 'Recreate' } }],
    ['terminatingAsActive', { terminatingAsActive: true }],
  ] as const)
    for (const seed of [1, 2, 3])
      it(`with its pods orphaned under ${name}: the next one adopts all of them, however late the caches are (seed ${seed})`, async () => {
        cluster = await createCluster({ seed, interleave: true })
        await cluster.apply(web(policy))
        await cluster.settle()
        const before = (await cluster.list('pod')).map(({ metadata }) => metadata.name)
        cluster.delay({ watches: 500 })
        const [set] = await cluster.list('replicaset')
        await cluster.delete('replicaset', set!.metadata.name, { propagationPolicy: 'Orphan' })
        await cluster.settle()
        expect((await cluster.list('replicaset')).map(({ metadata }) => metadata.uid)).not.toEqual([set!.metadata.uid])
        expect((await cluster.list('pod')).map(({ metadata }) => metadata.name)).toEqual(before)
        expect((await cluster.get('deployment', 'web'))?.status).toMatchObject({ availableReplicas: 4, terminatingReplicas: 0 })
      })

  it('a second Deployment that selects its terminating pods does not count them', async () => {
    cluster = await createCluster()
    await cluster.apply(web({ podReplacementPolicy: 'TerminationComplete' }))
    await cluster.apply({ ...web({ podReplacementPolicy: 'TerminationComplete' }), metadata: { name: 'twin' } })
    await cluster.settle()
    await cluster.scale('deployment', 'web', 0)
    await cluster.advance('10s')
    const set = (await cluster.list('replicaset')).find(({ metadata }) => metadata.ownerReferences?.[0]?.name === 'web')
    await cluster.delete('replicaset', set!.metadata.name)
    await cluster.advance('1s')
    const terminating = async (name: string) => (await cluster.get('deployment', name))?.status?.terminatingReplicas
    expect([await terminating('web'), await terminating('twin')]).toEqual([4, 0])
    await cluster.settle()
    expect([await terminating('web'), await terminating('twin')]).toEqual([0, 0])
  })

  it('a Deployment that had adopted it from another one does not count its pods: its name is not that of the Deployment', async () => {
    cluster = await createCluster()
    const policy = { podReplacementPolicy: 'TerminationComplete' }
    await cluster.apply(web(policy))
    await cluster.settle()
    await cluster.apply({ ...web(policy), metadata: { name: 'twin' } })
    await cluster.settle()
    await cluster.delete('deployment', 'web', { propagationPolicy: 'Orphan' })
    await cluster.settle()
    const sets = await cluster.list('replicaset')
    expect(sets.map(({ metadata }) => metadata.ownerReferences?.[0]?.name)).toEqual(['twin', 'twin'])
    const adopted = sets.find(({ metadata }) => metadata.name.startsWith('web-'))!
    expect(adopted.spec?.replicas).toBe(4)
    await cluster.delete('replicaset', adopted.metadata.name)
    await cluster.advance('10s')
    expect((await cluster.get('deployment', 'twin'))?.status).toMatchObject({ availableReplicas: 4, terminatingReplicas: 0 })
    await cluster.settle()
  })

  for (const name of ['again', 'web'])
    it(`a new Deployment called ${name} does not wait for pods of the deleted one called web`, async () => {
      cluster = await createCluster()
      const first = web({ strategy: { type: 'Recreate' }, podReplacementPolicy: 'TerminationComplete' })
      await cluster.apply(first)
      await cluster.settle()
      const [pod] = await cluster.list('pod')
      await cluster.patch('pod', pod!.metadata.name, { metadata: { annotations: { 'rollcall.dev/hang': 'true' } } })
      await cluster.delete('deployment', 'web')
      await cluster.advance('10m')
      await cluster.apply({ ...first, metadata: { name } })
      await cluster.advance('10s')
      expect((await cluster.get('deployment', name))?.status).toMatchObject({ availableReplicas: 4, terminatingReplicas: 0 })
    })

  for (const [name, policy] of [
    ['TerminationComplete', { podReplacementPolicy: 'TerminationComplete' }],
    ['TerminationComplete, Recreate', { podReplacementPolicy: 'TerminationComplete', strategy: { type: 'Recreate' } }],
    ['TerminationStarted', { podReplacementPolicy: 'TerminationStarted' }],
    ['terminatingAsActive', { terminatingAsActive: true }],
  ] as const)
    it(`in the foreground under ${name}: says which pod holds it, passes the deadline, and completes when the pod has terminated`, async () => {
      cluster = await createCluster()
      await cluster.apply(web({ progressDeadlineSeconds: 120, ...policy }))
      await cluster.settle()
      const [pod] = await cluster.list('pod')
      const hang = (value: string | null) =>
        cluster.patch('pod', pod!.metadata.name, { metadata: { annotations: { 'rollcall.dev/hang': value } } })
      await hang('true')
      const [set] = await cluster.list('replicaset')
      await cluster.delete('replicaset', set!.metadata.name, { propagationPolicy: 'Foreground' })
      const progressing = async () =>
        (await cluster.get('deployment', 'web'))?.status?.conditions?.find(({ type }) => type === 'Progressing')
      const message = expect.stringContaining(
        `Waiting for the deletion of ReplicaSet "${set!.metadata.name}", which has 1 terminating pod since 2026-01-01T00:`,
      )
      await cluster.advance('90s')
      expect(await progressing()).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated', message })
      await cluster.advance('5m')
      expect(await progressing()).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded', message })
      expect((await progressing())?.message).toContain(pod!.metadata.name)
      await hang(null)
      await cluster.settle()
      expect(await progressing()).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' })
      expect((await cluster.get('deployment', 'web'))?.status).toMatchObject({ availableReplicas: 4, terminatingReplicas: 0 })
    })
})
