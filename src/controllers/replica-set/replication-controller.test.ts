import { describe, expect, it } from 'vitest'
import { replicationControllers } from '../../api/kinds.ts'
import type { ReplicationController } from '../../api/types.ts'
import { bench, open, reportAll, template } from './testing/replica-set-bench.ts'

describe('the ReplicationController controller', () => {
  const readController = () => bench().client.get(replicationControllers, { namespace: 'default', name: 'c' })
  const createController = (spec: Partial<NonNullable<ReplicationController['spec']>>) =>
    bench().client.create(replicationControllers, 'default', { metadata: { name: 'c' }, spec: { template: template(), ...spec } } as never)

  it('keeps its pods like a ReplicaSet, and has no terminating count', async () => {
    await open()
    await createController({ replicas: 3 })
    await bench().until('all are there', async () => (await readController()).status?.replicas === 3)
    await reportAll()
    const patch = { spec: { replicas: 1 } }
    await bench().client.patch(replicationControllers, { namespace: 'default', name: 'c' }, 'merge', patch)
    const { status } = await bench().until('two are terminating', async () => {
      const controller = await readController()
      return controller.status?.replicas === 1 && controller
    })
    expect(status).not.toHaveProperty('terminatingReplicas')
    const owned = (await bench().podsOf())[0]?.metadata.ownerReferences?.[0]
    expect(owned).toMatchObject({ apiVersion: 'v1', kind: 'ReplicationController', name: 'c', controller: true })
  })

  it('writes no status without need', async () => {
    await open({ gates: { ExtendedWorkloadConditions: true } })
    await createController({ replicas: 2 })
    await bench().until('all are there', async () => (await readController()).status?.replicas === 2)
    await reportAll()
    await bench().until('all are available', async () => (await readController()).status?.availableReplicas === 2)
    await bench().settle()
    const { revision } = bench().store
    const patch = { metadata: { annotations: { touched: 'yes' } } }
    await bench().client.patch(replicationControllers, { namespace: 'default', name: 'c' }, 'merge', patch)
    await bench().settle()
    expect(bench().store.revision).toBe(revision + 1)
    expect((await readController()).status?.conditions).toMatchObject([{ type: 'Operational', status: 'True' }])
  })
})
