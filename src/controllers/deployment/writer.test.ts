import { describe, expect, it } from 'vitest'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import type { Client } from '../../client/client.ts'
import type { EventRecorder } from '../../runtime/event-recorder.ts'
import { sampleDeployment, sampleSet } from './testing/sample-objects.ts'
import { applyPlan } from './writer.ts'

/** A client whose updates of ReplicaSets result in this version. */
async function applyResize(version: string) {
  const deployment = sampleDeployment({ replicas: 2, generation: 1, status: { observedGeneration: 1 } })
  const statuses: KubernetesObject[] = []
  const client = {
    update: async (_: unknown, object: Stored<KubernetesObject>) => ({
      ...object,
      metadata: { ...object.metadata, resourceVersion: version },
    }),
    updateStatus: async (_: unknown, object: Stored<KubernetesObject>) => {
      statuses.push(object)
      return object
    },
  } as unknown as Client
  const recorder = { record: () => {} } as unknown as EventRecorder
  const event = { type: 'Normal', reason: 'ScalingReplicaSet', message: '' } as const
  const plan = {
    actions: [{ action: 'update-set' as const, replicaSet: sampleSet({ name: 'web-1', size: 2 }), event }],
    events: [],
    status: deployment,
  }
  const isLeft = await applyPlan({ client, recorder, deployment, clock: new VirtualClock() }, plan)
  return { isLeft, statuses: statuses.length }
}

describe('applyPlan()', () => {
  it('leaves the status to the sync that observes the new sizes', async () => {
    expect(await applyResize('2')).toEqual({ isLeft: true, statuses: 0 })
  })

  it('writes the status where the server changes no size: no event would follow', async () => {
    const { resourceVersion } = sampleSet({ name: 'web-1', size: 2 }).metadata
    expect(await applyResize(resourceVersion)).toEqual({ isLeft: false, statuses: 1 })
  })
})
