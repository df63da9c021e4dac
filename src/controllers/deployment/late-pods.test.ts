// A ReplicaSet is deleted under its Deployment, and the watch of the pods is behind that of the ReplicaSets. The bench checks after every
// write that there are no more pods than replicas + maxSurge.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pods, replicaSets } from '../../api/kinds.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import {
  type DeploymentSpec,
  isBeingDeleted,
  type PlayedDeployment,
  playDeployment,
  rolling,
} from '../../cluster/testing/deployment-player.ts'
import { startReplicaSetController } from '../replica-set/replica-set-controller.ts'
import { startDeploymentController } from './deployment-controller.ts'

let bench: ControllerBench
let web: PlayedDeployment
/** Events of pods that are not delivered yet; undefined: they are delivered at once. */
let held: (() => void)[] | undefined
let podLists = 0
/** The events of pods are delivered while the answer to the next list is on its way. */
let isDeliveredWithList = false
beforeEach(async () => {
  held = undefined
  isDeliveredWithList = false
  const withHeldPods = (client: Client): Client => ({
    ...client,
    list: async (resource, request) => {
      if (resource.plural === 'pods') podLists++
      const answer = await client.list(resource, request)
      if (resource.plural === 'pods' && isDeliveredWithList) {
        for (const deliver of held ?? []) deliver()
        held = undefined
      }
      return answer
    },
    watch: (resource, request, handlers) =>
      client.watch(resource, request, {
        ...handlers,
        onEvents: (events) => {
          if (resource.plural !== 'pods' || held === undefined) handlers.onEvents(events)
          else for (const event of events) held.push(() => handlers.onEvents([event]))
        },
      }),
  })
  bench = await openControllerBench({
    start: (parts) => [startDeploymentController(parts), startReplicaSetController(parts)],
    wrapClient: withHeldPods,
  })
  web = playDeployment(bench)
})
afterEach(() => bench.stop())

/** Delivers one event after the other. */
const deliverPods = async () => {
  for (let deliver = held?.shift(); deliver !== undefined; deliver = held?.shift()) {
    deliver()
    await bench.settle()
  }
  held = undefined
}
const create = async (spec: object, replicas = 4) => {
  await web.create({ replicas, strategy: rolling(0, 1), ...spec } as DeploymentSpec)
  await web.rollOut(replicas)
  await bench.settle()
  bench.pass(1000)
  podLists = 0
}
const refOf = ({ metadata }: { readonly metadata: { readonly namespace?: string; readonly name: string } }) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
})
const deleteSet = async () => {
  const set = (await web.readSets()).at(-1)!
  await bench.client.delete(replicaSets, refOf(set))
  await bench.settle()
}
const namesOf = async () => (await bench.podsOf()).map(({ metadata }) => metadata.name)

describe.each([
  ['TerminationComplete', { podReplacementPolicy: 'TerminationComplete' }],
  ['TerminationComplete, Recreate', { podReplacementPolicy: 'TerminationComplete', strategy: { type: 'Recreate' } }],
  ['terminatingAsActive', { terminatingAsActive: true }],
])('a ReplicaSet that is deleted while the cache of pods is behind, under %s', (_name, policy) => {
  it('with the pods orphaned: the next one adopts all of them, and none is deleted', async () => {
    await create(policy)
    const before = await namesOf()
    held = []
    for (const pod of await bench.podsOf()) await bench.client.patch(pods, refOf(pod), 'merge', { metadata: { ownerReferences: null } })
    await deleteSet()
    expect(await web.readSets()).toEqual([])
    await deliverPods()
    expect((await web.readSets()).map(({ spec, status }) => [spec?.replicas, status?.replicas])).toEqual([[4, 4]])
    expect(await namesOf()).toEqual(before)
    expect((await bench.podsOf()).filter(isBeingDeleted)).toEqual([])
  })

  it('before the cache has its last pods: they hold room until they have terminated', async () => {
    await create(policy, 2)
    held = []
    await web.change({ replicas: 4 })
    await bench.settle()
    await web.reportAll()
    bench.pass(1000)
    await deleteSet()
    await deliverPods()
    expect(await namesOf()).toHaveLength(4)
    // The garbage collector deletes them.
    for (const pod of await bench.podsOf()) await bench.client.delete(pods, refOf(pod))
    await bench.settle()
    expect(await namesOf()).toHaveLength(4)
    await web.rollOut(4)
  })
})

it('calls no rollout complete before the cache has the pods of a ReplicaSet that never reported them', async () => {
  await create({ podReplacementPolicy: 'TerminationComplete', strategy: rolling(1, 0) }, 2)
  held = []
  await web.changeImage('a:2')
  await bench.settle()
  expect(await namesOf()).toHaveLength(3)
  // Back, before the new ReplicaSet has reported its pod: its size and its status are 0.
  await web.changeImage('a:1')
  await bench.settle()
  expect(await web.sizes()).toEqual({ 'a:1': 2, 'a:2': 0 })
  await deleteSet()
  expect((await web.condition('Progressing'))?.reason).not.toBe('NewReplicaSetAvailable')
  await deliverPods()
  expect((await web.condition('Progressing'))?.reason).not.toBe('NewReplicaSetAvailable')
  for (const pod of await bench.podsOf()) if (pod.spec?.containers[0]?.image === 'a:2') await bench.client.delete(pods, refOf(pod))
  await web.rollOut(2)
  await bench.settle()
  expect((await web.condition('Progressing'))?.reason).toBe('NewReplicaSetAvailable')
})

describe('comparing the cache with the API server', () => {
  it('makes another plan when it is done: the cache may get the last pods of the ReplicaSet meanwhile', async () => {
    await create({ podReplacementPolicy: 'TerminationComplete' }, 2)
    held = []
    await web.change({ replicas: 4 })
    await bench.settle()
    bench.pass(1000)
    isDeliveredWithList = true
    await deleteSet()
    expect(podLists).toBe(1)
    expect(await namesOf()).toHaveLength(4)
  })

  it('happens once after the deletion of a ReplicaSet with pods, and not in a rollout', async () => {
    await create({ podReplacementPolicy: 'TerminationComplete', strategy: rolling(1, 0), revisionHistoryLimit: 0 })
    await web.changeImage('a:2')
    await web.rollOut(4)
    await bench.settle()
    await web.changeImage('a:3')
    await web.rollOut(4)
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:3': 4 })
    expect(podLists).toBe(0)
    await deleteSet()
    await web.changeImage('a:4')
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:3': 1, 'a:4': 0 })
    expect(podLists).toBe(1)
  })

  it('does not happen without a policy', async () => {
    await create({})
    await deleteSet()
    expect(await web.readSets()).toHaveLength(1)
    expect(podLists).toBe(0)
  })
})
