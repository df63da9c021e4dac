import { describe, expect, it } from 'vitest'
import { coreEvents, pods, replicaSets } from '../../api/kinds.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { ReplicaSet } from '../../api/types.ts'
import type { ControllerBenchOptions } from '../../cluster/testing/controller-bench.ts'
import {
  activePods,
  bench,
  createPod,
  createSet,
  names,
  open,
  patchPod,
  patchSet,
  readSet,
  reportAll,
  type Spec,
  template,
  untilStatus,
} from './testing/replica-set-bench.ts'

const cost = 'controller.kubernetes.io/pod-deletion-cost'

describe('the ReplicaSet controller', () => {
  it('creates the pods of the template, owned by the set', async () => {
    await open()
    const set = await createSet({ replicas: 3 })
    await untilStatus({ replicas: 3, fullyLabeledReplicas: 3 })
    await bench().settle()
    const created = await bench().podsOf()
    expect(created).toHaveLength(3)
    for (const { metadata } of created) {
      expect(metadata.generateName).toBe('a-')
      expect(metadata.ownerReferences).toEqual([
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'a', uid: set.metadata.uid, controller: true, blockOwnerDeletion: true },
      ])
    }
    expect((await bench().events()).sort()).toEqual(
      names(created)
        .map((name) => `SuccessfulCreate: Created pod: ${name}`)
        .sort(),
    )
  })

  it('adopts matching pods and deletes the surplus', async () => {
    await open()
    for (const name of ['one', 'two', 'three']) await createPod(name)
    await createPod('other', { labels: { app: 'y' } })
    const { metadata } = await createSet({ replicas: 2 })
    await untilStatus({ replicas: 2 })
    const owned = (await activePods()).filter((pod) => pod.metadata.ownerReferences?.[0]?.uid === metadata.uid)
    expect(owned).toHaveLength(2)
    expect(names(owned).every((name) => !name.startsWith('a-'))).toBe(true)
    expect((await bench().client.get(pods, { namespace: 'default', name: 'other' })).metadata.ownerReferences).toBeUndefined()
    expect((await bench().events()).filter((event) => event.startsWith('SuccessfulDelete: Deleted pod: '))).toHaveLength(1)
  })

  it('adopts an orphan whose labels start to match, and deletes the surplus', async () => {
    await open()
    await createSet({ replicas: 1 })
    await untilStatus({ replicas: 1 })
    await reportAll()
    await untilStatus({ replicas: 1, readyReplicas: 1 })
    await createPod('late', { labels: { app: 'y' } })
    await patchPod('late', { metadata: { labels: { app: 'x' } } })
    await bench().until('it was deleted', async () => !names(await bench().podsOf()).includes('late'))
    expect(await activePods()).toHaveLength(1)
  })

  it('releases a pod whose labels no longer match, and replaces it', async () => {
    await open()
    await createSet({ replicas: 2 })
    await untilStatus({ replicas: 2 })
    const [pod] = await bench().podsOf()
    await patchPod(pod!.metadata.name, { metadata: { labels: { app: 'other' } } })
    const released = await bench().until('it is released', async () => {
      const now = await bench().client.get(pods, { namespace: 'default', name: pod!.metadata.name })
      return now.metadata.ownerReferences === undefined && now
    })
    expect(released.metadata.deletionTimestamp).toBeUndefined()
    await bench().until('it is replaced', async () => (await bench().podsOf()).length === 3)
    await untilStatus({ replicas: 2 })
  })

  it('deletes the pod with the lowest cost first', async () => {
    await open()
    await createSet({ replicas: 3 })
    await untilStatus({ replicas: 3 })
    await reportAll()
    await untilStatus({ replicas: 3, readyReplicas: 3 })
    const [dear, cheap, free] = names(await bench().podsOf())
    await patchPod(dear!, { metadata: { annotations: { [cost]: '10' } } })
    await patchPod(cheap!, { metadata: { annotations: { [cost]: '-5' } } })
    await bench().settle()
    await patchSet({ spec: { replicas: 2 } })
    await untilStatus({ replicas: 2 })
    expect(names(await activePods()).sort()).toEqual([dear, free].sort())
    await patchSet({ spec: { replicas: 1 } })
    await untilStatus({ replicas: 1 })
    expect(names(await activePods())).toEqual([dear])
  })

  it('deletes a pod on the node with most pods of its owner', async () => {
    await open()
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'd-uid', controller: true }
    const create = (name: string, revision: string, replicas: number) =>
      bench().client.create(replicaSets, 'default', {
        metadata: { name, ownerReferences: [owner] },
        spec: { replicas, selector: { matchLabels: { app: 'x', revision } }, template: template({ app: 'x', revision }) },
      } as ReplicaSet)
    await create('a', '1', 2)
    await untilStatus({ replicas: 2 })
    // Without the sibling, the first one would be deleted because of its uid.
    const [first, second] = [...(await bench().podsOf())].sort((a, b) => (a.metadata.uid < b.metadata.uid ? -1 : 1))
    await create('b', '2', 1)
    const sibling = await bench().until('the sibling is there', async () =>
      (await bench().podsOf()).find((p) => p.metadata.name.startsWith('b-')),
    )
    await bench().report(first!, 'ready', 'node-1')
    await bench().report(second!, 'ready', 'node-2')
    await bench().report(sibling, 'ready', 'node-2')
    await untilStatus({ replicas: 2, readyReplicas: 2 })
    await patchSet({ spec: { replicas: 1 } })
    await untilStatus({ replicas: 1 })
    expect(names(await activePods()).sort()).toEqual([first!.metadata.name, sibling.metadata.name].sort())
  })

  it('has no siblings on a node without an owner, as in Kubernetes', async () => {
    await open()
    await createSet({ replicas: 3 })
    await untilStatus({ replicas: 3 })
    const [first, second, third] = await bench().podsOf()
    await bench().report(first!, 'ready', 'node-1')
    await bench().report(second!, 'ready', 'node-1')
    bench().pass(3_600_000)
    await bench().report(third!, 'ready', 'node-2')
    await untilStatus({ replicas: 3, readyReplicas: 3 })
    await patchSet({ spec: { replicas: 2 } })
    await untilStatus({ replicas: 2 })
    expect(names(await activePods()).sort()).toEqual(names([first!, second!]).sort())
  })

  it('counts terminating pods apart, in the write that stops counting them as replicas', async () => {
    await open()
    await createSet({ replicas: 3 })
    await untilStatus({ replicas: 3 })
    await reportAll()
    await untilStatus({ replicas: 3, availableReplicas: 3, terminatingReplicas: 0 })
    const seen: string[] = []
    bench().client.watch(
      replicaSets,
      { resourceVersion: String(bench().store.revision) },
      {
        onEvents: (events) => {
          for (const { object } of events) seen.push(`${object.status?.replicas}+${object.status?.terminatingReplicas}`)
        },
        onEnd: () => {},
      },
    )
    await patchSet({ spec: { replicas: 1 } })
    await untilStatus({ replicas: 1, availableReplicas: 1, terminatingReplicas: 2 })
    await bench().finishTerminating(1)
    await untilStatus({ replicas: 1, terminatingReplicas: 1 })
    await bench().finishTerminating()
    await untilStatus({ replicas: 1, terminatingReplicas: 0 })
    expect(seen.filter((one, index) => one !== seen[index - 1])).toEqual(['3+0', '1+2', '1+1', '1+0'])
  })

  it('uses the current annotations', async () => {
    await open()
    await bench().client.create(replicaSets, 'default', {
      metadata: { name: 'a', annotations: { 'rollcall.dev/terminating-as-active': 'true' } },
      spec: { replicas: 2, selector: { matchLabels: { app: 'x' } }, template: template() },
    } as ReplicaSet)
    await untilStatus({ replicas: 2 })
    const [first, second] = await bench().podsOf()
    for (const pod of [first!, second!]) await bench().report(pod, 'ready')
    await untilStatus({ replicas: 2, readyReplicas: 2 })
    await bench().client.delete(pods, { namespace: 'default', name: first!.metadata.name })
    await untilStatus({ replicas: 1, readyReplicas: 1 })
    await bench().settle()
    expect(await bench().podsOf()).toHaveLength(2)
    await patchSet({ metadata: { annotations: { 'rollcall.dev/terminating-as-active': null } } })
    await bench().until('the replacement is there', async () => (await bench().podsOf()).length === 3)
  })

  it('does not adopt a terminating orphan, and does not count it', async () => {
    await open()
    const orphan = await createPod('orphan', { finalizers: ['example.com/hold'] })
    await bench().report(orphan, 'ready')
    await bench().client.delete(pods, { namespace: 'default', name: 'orphan' })
    await createSet({ replicas: 1 })
    await untilStatus({ replicas: 1, terminatingReplicas: 0 })
    await bench().settle()
    expect((await bench().client.get(pods, { namespace: 'default', name: 'orphan' })).metadata.ownerReferences).toBeUndefined()
    expect((await readSet()).status?.terminatingReplicas).toBe(0)
  })

  it('has no terminating count while the gate is off', async () => {
    await open({
      gates: { DeploymentReplicaSetTerminatingReplicas: false, DeploymentPodReplacementPolicy: false, ExtendedWorkloadConditions: false },
    })
    await createSet({ replicas: 2 })
    await untilStatus({ replicas: 2 })
    await reportAll()
    await patchSet({ spec: { replicas: 1 } })
    expect((await untilStatus({ replicas: 1 })).status).not.toHaveProperty('terminatingReplicas')
  })

  it('replaces a failed pod and does not count it', async () => {
    await open()
    await createSet({ replicas: 1 })
    await untilStatus({ replicas: 1 })
    await bench().report((await bench().podsOf())[0]!, 'failed')
    await bench().until('it is replaced', async () => (await bench().podsOf()).length === 2)
    await bench().settle()
    expect((await untilStatus({ replicas: 1 })).status).toMatchObject({ replicas: 1 })
    expect(await bench().podsOf()).toHaveLength(2)
  })

  it('leaves the pods of a set that is being deleted alone', async () => {
    await open()
    await createSet({ replicas: 2 })
    await untilStatus({ replicas: 2 })
    await patchSet({ metadata: { finalizers: ['example.com/hold'] } })
    await bench().client.delete(replicaSets, { namespace: 'default', name: 'a' })
    const [pod] = await bench().podsOf()
    await bench().client.delete(pods, { namespace: 'default', name: pod!.metadata.name })
    await untilStatus({ replicas: 1 })
    await bench().settle()
    expect(await bench().podsOf()).toHaveLength(1)
  })

  it('counts a pod as available when it has been ready for long enough, and not before', async () => {
    await open()
    await createSet({ replicas: 2, minReadySeconds: 10 })
    await untilStatus({ replicas: 2 })
    const [first, second] = await bench().podsOf()
    await bench().report(first!, 'ready')
    await untilStatus({ replicas: 2, readyReplicas: 1, availableReplicas: 0 })
    bench().pass(4000)
    await bench().report(second!, 'ready')
    await untilStatus({ replicas: 2, readyReplicas: 2, availableReplicas: 0 })
    bench().pass(5000)
    await bench().settle()
    expect((await readSet()).status?.availableReplicas ?? 0).toBe(0)
    bench().pass(1000)
    await untilStatus({ replicas: 2, availableReplicas: 1 })
    bench().pass(4000)
    await untilStatus({ replicas: 2, availableReplicas: 2 })
  })

  it('reports why it cannot create pods, retries, and removes the condition', async () => {
    const refusal = failure(403, 'Forbidden', 'pods "a-" is forbidden: no room')
    let isRefusing = true
    let tries = 0
    await open({
      wrapClient: (client) => ({
        ...client,
        create: (resource, ...rest) => {
          if (resource.plural === 'pods') tries++
          return isRefusing && resource.plural === 'pods' ? Promise.reject(refusal) : client.create(resource, ...rest)
        },
      }),
    })
    await createSet({ replicas: 50 })
    const failed = await bench().until('the condition is set', async () => (await readSet()).status?.conditions)
    expect(failed).toMatchObject([
      { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'pods "a-" is forbidden: no room' },
    ])
    // A batch of one, and no more while that fails.
    expect(tries).toBeLessThan(5)
    isRefusing = false
    const set = await untilStatus({ replicas: 50 })
    expect(set.status).not.toHaveProperty('conditions')
    expect(await bench().events()).toContain('FailedCreate: Error creating: pods "a-" is forbidden: no room')
  })

  it('reports why it cannot delete pods', async () => {
    await open({
      wrapClient: (client) => ({
        ...client,
        delete: () => Promise.reject(failure(500, 'InternalError', 'no such luck')),
      }),
    })
    await createSet({ replicas: 2 })
    await untilStatus({ replicas: 2 })
    await patchSet({ spec: { replicas: 1 } })
    const conditions = await bench().until('the condition is set', async () => (await readSet()).status?.conditions)
    expect(conditions).toMatchObject([{ reason: 'FailedDelete', message: 'unable to delete pods: no such luck' }])
    await bench().until('the Event is recorded', async () =>
      (await bench().events()).includes('FailedDelete: Error deleting: no such luck'),
    )
  })

  it('starts slowly, in batches that double', async () => {
    const batches: number[] = []
    let inFlight = 0
    await open({
      wrapClient: (client) => ({
        ...client,
        create: async (resource, ...rest) => {
          if (resource.plural !== 'pods') return client.create(resource, ...rest)
          inFlight++
          await Promise.resolve()
          if (inFlight > 0) batches.push(inFlight)
          inFlight = 0
          return client.create(resource, ...rest)
        },
      }),
    })
    await createSet({ replicas: 20 })
    await untilStatus({ replicas: 20 })
    expect(batches).toEqual([1, 2, 4, 8, 5])
  })

  describe('an evicted pod', () => {
    const evictOne = async () => {
      const [pod] = await activePods()
      const name = pod!.metadata.name
      await bench().client.createSubresource(pods, { namespace: 'default', name }, 'eviction', {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace: 'default' },
      })
    }
    const openWith = async (spec: Spec, gates: ControllerBenchOptions['gates'] = {}) => {
      await open({ gates: { ExtendedWorkloadConditions: false, ...gates } })
      await createSet({ replicas: 3, ...spec })
      await untilStatus({ replicas: 3 })
      await reportAll()
      await untilStatus({ replicas: 3, readyReplicas: 3 })
      await evictOne()
      await untilStatus({ readyReplicas: 2, terminatingReplicas: 1 } as NonNullable<ReplicaSet['status']>)
      await bench().settle()
    }

    it('is replaced at once', async () => {
      await openWith({})
      expect(await bench().podsOf()).toHaveLength(4)
      await untilStatus({ replicas: 3, terminatingReplicas: 1 })
    })

    it('is replaced when it has terminated, with terminatingAsActive', async () => {
      await openWith({ terminatingAsActive: true })
      expect(await bench().podsOf()).toHaveLength(3)
      await untilStatus({ replicas: 2, terminatingReplicas: 1 })
      await bench().finishTerminating()
      await untilStatus({ replicas: 3, terminatingReplicas: 0 })
      expect(await bench().podsOf()).toHaveLength(3)
    })

    it('is replaced at once when the gate TerminatingAsActive is off', async () => {
      await openWith({ terminatingAsActive: true }, { TerminatingAsActive: false })
      expect(await bench().podsOf()).toHaveLength(4)
    })
  })

  it('waits for terminating pods when it scales up again, with terminatingAsActive', async () => {
    await open()
    await createSet({ replicas: 5, terminatingAsActive: true })
    await untilStatus({ replicas: 5 })
    await reportAll()
    await patchSet({ spec: { replicas: 2 } })
    await untilStatus({ replicas: 2, terminatingReplicas: 3 })
    await patchSet({ spec: { replicas: 5 } })
    await untilStatus({ replicas: 2, terminatingReplicas: 3 })
    await bench().finishTerminating(2)
    await untilStatus({ replicas: 4, terminatingReplicas: 1 })
    await bench().finishTerminating()
    await untilStatus({ replicas: 5, terminatingReplicas: 0 })
  })

  it('reports an invalid annotation once', async () => {
    await open()
    await createSet({ replicas: 1 })
    await patchSet({ metadata: { annotations: { 'rollcall.dev/terminating-as-active': 'maybe' } } })
    const expected = 'InvalidAnnotation: Cannot read annotation "rollcall.dev/terminating-as-active": must be true or false, got "maybe"'
    await bench().until('the Event is recorded', async () => (await bench().events()).includes(expected))
    await patchSet({ spec: { replicas: 2 } })
    await untilStatus({ replicas: 2 })
    await bench().settle()
    const { items } = await bench().client.list(coreEvents, { namespace: 'default' })
    expect(items.filter(({ reason }) => reason === 'InvalidAnnotation').map(({ count }) => count)).toEqual([1])
  })

  it('leaves the annotations that it carries for its Deployment to the Deployment', async () => {
    await open()
    await createSet({ replicas: 1 })
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'u', controller: true }]
    await patchSet({ metadata: { ownerReferences, annotations: { 'rollcall.dev/terminating-as-active': 'maybe' } } })
    await patchSet({ spec: { replicas: 2 } })
    await untilStatus({ replicas: 2 })
    await bench().settle()
    expect((await bench().events()).filter((event) => event.includes('InvalidAnnotation'))).toEqual([])
  })

  it('sets Operational (KEP-2804)', async () => {
    await open({ gates: { ExtendedWorkloadConditions: true } })
    await createSet({ replicas: 4, operationalThreshold: '75%' })
    await untilStatus({ replicas: 4 })
    expect((await readSet()).status?.conditions).toMatchObject([{ type: 'Operational', status: 'False' }])
    for (const pod of (await bench().podsOf()).slice(0, 3)) await bench().report(pod, 'ready')
    const { status } = await untilStatus({ replicas: 4, availableReplicas: 3 })
    expect(status?.conditions).toMatchObject([{ type: 'Operational', status: 'True' }])
  })

  it('writes nothing when nothing changed', async () => {
    await open({ gates: { ExtendedWorkloadConditions: true } })
    await createSet({ replicas: 2 })
    await untilStatus({ replicas: 2 })
    await reportAll()
    await untilStatus({ replicas: 2, availableReplicas: 2 })
    await bench().settle()
    const { revision } = bench().store
    await patchSet({ metadata: { annotations: { touched: 'yes' } } })
    await bench().settle()
    expect(bench().store.revision).toBe(revision + 1)
  })
})
