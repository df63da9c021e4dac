import { afterEach, describe, expect, it } from 'vitest'
import { controllerRevisions, persistentVolumeClaims, pods, statefulSets } from '../../api/kinds.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { Pod, StatefulSet } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, type ControllerBenchOptions, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startStatefulSetController } from './stateful-set-controller.ts'

let bench: ControllerBench
const open = async (options: Partial<ControllerBenchOptions> = {}) => {
  bench = await openControllerBench({ gates: { ExtendedWorkloadConditions: false }, start: startStatefulSetController, ...options })
}
afterEach(() => bench.stop())

type Spec = Partial<NonNullable<StatefulSet['spec']>>
const ref = { namespace: 'default', name: 'a' }
const template = (image = 'nginx:1') => ({ metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image }] } })
const createSet = (spec: Spec = {}, metadata: object = {}) =>
  bench.client.create(statefulSets, 'default', {
    metadata: { name: 'a', ...metadata },
    spec: { serviceName: 'x', selector: { matchLabels: { app: 'x' } }, template: template(), ...spec },
  } as StatefulSet)
const readSet = () => bench.client.get(statefulSets, ref)
const patchSet = (spec: object) => bench.client.patch(statefulSets, ref, 'merge', { spec })
const parallel = { podManagementPolicy: 'Parallel' }
const claimed = {
  volumeClaimTemplates: [
    { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
}

/** `a-0 nginx:1`, in order, with `terminating`. */
const shownPods = async () =>
  (await bench.podsOf()).map(
    ({ metadata, spec }) =>
      `${metadata.name} ${spec?.containers[0]?.image}${metadata.deletionTimestamp === undefined ? '' : ' terminating'}`,
  )
const until = (what: string, isSo: (set: StatefulSet) => boolean) =>
  bench.until(what, async () => {
    const set = await readSet()
    return set.status?.observedGeneration === set.metadata.generation && isSo(set) ? set : undefined
  })
const reportAll = async () => {
  for (const pod of await bench.podsOf()) if (pod.metadata.deletionTimestamp === undefined) await bench.report(pod, 'ready')
}
/** Simulates the nodes until the status has that many available and updated pods. */
const untilRolledOut = async (replicas: number) =>
  bench.until('it is rolled out', async () => {
    await bench.finishTerminating()
    await reportAll()
    const { status, metadata } = await readSet()
    const isSo = status?.availableReplicas === replicas && (status.updatedReplicas ?? 0) === replicas && status.replicas === replicas
    return isSo && status.observedGeneration === metadata.generation ? status : undefined
  })

describe('the StatefulSet controller', () => {
  it('creates one pod after the other, and records each', async () => {
    await open()
    await createSet({ replicas: 2 })
    await bench.settle()
    expect(await shownPods()).toEqual(['a-0 nginx:1'])
    await reportAll()
    await bench.settle()
    expect(await shownPods()).toEqual(['a-0 nginx:1', 'a-1 nginx:1'])
    await reportAll()
    const { status } = await until('both are available', (set) => set.status?.availableReplicas === 2)
    expect(status).toEqual({
      observedGeneration: 1,
      replicas: 2,
      readyReplicas: 2,
      currentReplicas: 2,
      updatedReplicas: 2,
      currentRevision: status?.updateRevision,
      updateRevision: expect.stringMatching(/^a-[a-z0-9]+$/),
      collisionCount: 0,
      availableReplicas: 2,
    })
    await bench.settle()
    expect(await bench.events()).toEqual([
      'SuccessfulCreate: Create Pod a-0 in StatefulSet a successful',
      'SuccessfulCreate: Create Pod a-1 in StatefulSet a successful',
    ])
    expect(bench.failures).toEqual([])
  })

  it('writes nothing when nothing has changed', async () => {
    await open({ gates: { ExtendedWorkloadConditions: true } })
    await createSet({ replicas: 2, ...parallel })
    await untilRolledOut(2)
    await bench.settle()
    const { revision } = bench.store
    await bench.client.patch(pods, { namespace: 'default', name: 'a-0' }, 'merge', { metadata: { annotations: { b: 'c' } } })
    bench.pass(3_600_000)
    await bench.settle()
    expect(bench.store.revision).toBe(revision + 1)
  })

  it('scales down from the end, one by one', async () => {
    await open()
    await createSet({ replicas: 3 })
    await untilRolledOut(3)
    await patchSet({ replicas: 1 })
    await bench.settle()
    expect(await shownPods()).toEqual(['a-0 nginx:1', 'a-1 nginx:1', 'a-2 nginx:1 terminating'])
    await bench.finishTerminating()
    await bench.settle()
    expect(await shownPods()).toEqual(['a-0 nginx:1', 'a-1 nginx:1 terminating'])
  })

  it('updates from the last to the first, and keeps the history', async () => {
    await open()
    await createSet({ replicas: 2, revisionHistoryLimit: 1 })
    await untilRolledOut(2)
    for (const image of ['nginx:2', 'nginx:3', 'nginx:4']) {
      await patchSet({ template: template(image) })
      await bench.settle()
      expect((await shownPods()).at(-1)).toContain('terminating')
      await untilRolledOut(2)
      expect(await shownPods()).toEqual([`a-0 ${image}`, `a-1 ${image}`])
    }
    await bench.settle()
    const { items } = await bench.client.list(controllerRevisions, { namespace: 'default' })
    expect(items.map(({ revision }) => revision).sort()).toEqual([3, 4])
    expect(items.find(({ revision }) => revision === 4)?.metadata.name).toBe((await readSet()).status?.currentRevision)
  })

  it('makes an old revision the newest when its template is used again', async () => {
    await open()
    await createSet({ replicas: 1 })
    const first = (await untilRolledOut(1)).updateRevision
    await patchSet({ template: template('nginx:2') })
    await untilRolledOut(1)
    await patchSet({ template: template('nginx:1') })
    expect((await untilRolledOut(1)).updateRevision).toBe(first)
    await bench.settle()
    const { items } = await bench.client.list(controllerRevisions, { namespace: 'default' })
    expect(items.map(({ revision, metadata }) => [revision, metadata.name === first]).sort()).toEqual([
      [2, false],
      [3, true],
    ])
  })

  it('finds another name when the hash of a revision is taken', async () => {
    await open()
    await createSet({ replicas: 0 })
    const { status } = await until('it was seen', () => true)
    const taken = await bench.client.get(controllerRevisions, { namespace: 'default', name: status?.updateRevision ?? '' })
    await bench.client.delete(statefulSets, ref, { propagationPolicy: 'Background' })
    await bench.client.delete(controllerRevisions, { namespace: 'default', name: taken.metadata.name })
    await bench.client.create(controllerRevisions, 'default', {
      metadata: { name: taken.metadata.name },
      data: { other: true },
      revision: 1,
    })
    await createSet({ replicas: 0 })
    const next = await until('it was seen', () => true)
    expect(next.status).toMatchObject({ collisionCount: 1 })
    expect(next.status?.updateRevision).not.toBe(status?.updateRevision)
  })

  it('replaces a failed pod, with the same name, when it was deleted', async () => {
    await open()
    await createSet({ replicas: 1 })
    await untilRolledOut(1)
    const [pod] = await bench.podsOf()
    await bench.report(pod!, 'failed')
    const next = await bench.until('there is another pod', async () => {
      await bench.finishTerminating()
      return (await bench.podsOf()).find(({ metadata }) => metadata.uid !== pod?.metadata.uid)
    })
    expect(next.metadata.name).toBe('a-0')
    await bench.settle()
    expect(await bench.events()).toContain('SuccessfulDelete: Delete Pod a-0 in StatefulSet a successful')
  })

  it('creates claims, and leaves them to the garbage collector according to the policy', async () => {
    await open()
    const policy = { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' } }
    const { metadata } = await createSet({ replicas: 2, ...parallel, ...claimed, ...policy })
    await untilRolledOut(2)
    await bench.settle()
    const owners = async () =>
      (await bench.client.list(persistentVolumeClaims, { namespace: 'default' })).items.map(
        (claim) => `${claim.metadata.name} ${claim.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`).join()}`,
      )
    expect(await owners()).toEqual(['data-a-0 StatefulSet a', 'data-a-1 StatefulSet a'])
    await patchSet({ replicas: 1 })
    await bench.settle()
    expect(await owners()).toEqual(['data-a-0 StatefulSet a', 'data-a-1 Pod a-1'])
    expect(metadata.uid).toBe(
      (await bench.client.get(persistentVolumeClaims, { namespace: 'default', name: 'data-a-0' })).metadata.ownerReferences?.[0]?.uid,
    )
    expect(await bench.events()).toContain('SuccessfulCreate: Create Claim data-a-0 Pod a-0 in StatefulSet a success')

    // The pod was deleted, its claim not yet: the next pod waits for it.
    await bench.finishTerminating()
    await patchSet({ replicas: 2 })
    await bench.settle()
    expect(await shownPods()).toEqual(['a-0 nginx:1'])
    await bench.client.patch(persistentVolumeClaims, { namespace: 'default', name: 'data-a-1' }, 'merge', {
      metadata: { finalizers: null },
    })
    await bench.client.delete(persistentVolumeClaims, { namespace: 'default', name: 'data-a-1' })
    await bench.settle()
    expect(await shownPods()).toEqual(['a-0 nginx:1', 'a-1 nginx:1'])
  })

  it('adopts pods with its names, and releases those that it no longer selects', async () => {
    await open()
    await bench.client.create(pods, 'default', { metadata: { name: 'a-0', labels: { app: 'x' } }, spec: template().spec } as Pod)
    await bench.client.create(pods, 'default', { metadata: { name: 'other', labels: { app: 'x' } }, spec: template().spec } as Pod)
    await createSet({ replicas: 1 })
    const owned = await bench.until('it is adopted', async () => {
      const pod = await bench.client.get(pods, { namespace: 'default', name: 'a-0' })
      return pod.metadata.ownerReferences === undefined ? undefined : pod
    })
    expect(owned.metadata.ownerReferences).toMatchObject([{ kind: 'StatefulSet', name: 'a', controller: true }])
    expect((await bench.client.get(pods, { namespace: 'default', name: 'other' })).metadata.ownerReferences).toBeUndefined()
    await bench.client.patch(pods, { namespace: 'default', name: 'a-0' }, 'merge', { metadata: { labels: { app: 'y' } } })
    await bench.until('it is released', async () => {
      const pod = await bench.client.get(pods, { namespace: 'default', name: 'a-0' })
      return pod.metadata.ownerReferences === undefined
    })
  })

  it('records a failed creation and retries', async () => {
    let refusals = 2
    const wrapClient = (client: Client): Client => ({
      ...client,
      create: (resource, namespace, object, options) =>
        resource.plural === 'pods' && refusals-- > 0
          ? Promise.reject(failure(403, 'Forbidden', 'pods "a-0" is forbidden: not today'))
          : client.create(resource, namespace, object, options),
    })
    await open({ wrapClient })
    await createSet({ replicas: 1 })
    await bench.until('the pod is there', async () => (await bench.podsOf()).length === 1)
    await bench.settle()
    expect(await bench.events()).toContain('FailedCreate: Create Pod a-0 in StatefulSet a failed error: pods "a-0" is forbidden: not today')
    expect(bench.failures).toHaveLength(2)
  })

  it('creates no pod twice when the watch is slow', async () => {
    const creations: string[] = []
    const wrapClient = (client: Client): Client => ({
      ...client,
      create: (resource, namespace, object, options) => {
        if (resource.plural === 'pods') creations.push(object.metadata?.name ?? '')
        return client.create(resource, namespace, object, options)
      },
      watch: (resource, request, handlers) =>
        client.watch(resource, request, {
          ...handlers,
          onEvents: (events) => void bench.clock.after(resource.plural === 'pods' ? 20 : 0, () => handlers.onEvents(events)),
        }),
    })
    await open({ wrapClient })
    await createSet({ replicas: 5, ...parallel })
    await until('all are seen', (set) => set.status?.replicas === 5)
    expect(creations).toEqual(['a-0', 'a-1', 'a-2', 'a-3', 'a-4'])
    expect(bench.failures).toEqual([])
  })
})

describe('the StatefulSet controller: KEP-2804', () => {
  const withConditions = { gates: { ExtendedWorkloadConditions: true } }
  const condition = async (type: string) => (await readSet()).status?.conditions?.find((one) => one.type === type)
  const untilCondition = (type: string, status: string, reason: string) =>
    bench.until(`${type} is ${status} ${reason}`, async () => {
      const found = await condition(type)
      return found?.status === status && found.reason === reason ? found : undefined
    })

  it('becomes complete and operational', async () => {
    await open(withConditions)
    await createSet({ replicas: 1 })
    const created = await untilCondition('Progressing', 'True', 'RevisionUpdated')
    await untilCondition('Operational', 'False', 'InsufficientReplicasAvailable')
    bench.pass(5000)
    await reportAll()
    const complete = await untilCondition('Progressing', 'True', 'NewRevisionAvailable')
    const operational = await untilCondition('Operational', 'True', 'SufficientReplicasAvailable')
    expect(complete.lastTransitionTime).toBe(created.lastTransitionTime)
    expect(operational.lastTransitionTime).not.toBe(created.lastTransitionTime)

    // Later health is another matter.
    bench.pass(5000)
    await bench.report((await bench.podsOf())[0]!, 'running')
    await untilCondition('Operational', 'False', 'InsufficientReplicasAvailable')
    expect(await condition('Progressing')).toEqual(complete)
  })

  it('fails at the deadline, and recovers', async () => {
    await open(withConditions)
    await createSet({ replicas: 1, progressDeadlineSeconds: 30 })
    await untilCondition('Progressing', 'True', 'RevisionUpdated')
    bench.pass(29_000)
    await bench.settle()
    expect(await condition('Progressing')).toMatchObject({ status: 'True' })
    bench.pass(3000)
    const failed = await untilCondition('Progressing', 'False', 'ProgressDeadlineExceeded')
    expect(failed.message).toMatch(/^Revision "a-.*" with 1 replica has timed out progressing\.$/)
    await reportAll()
    await untilCondition('Progressing', 'True', 'NewRevisionAvailable')
  })

  it('reads the annotations, and reports invalid ones', async () => {
    await open(withConditions)
    const annotations = { 'rollcall.dev/progress-deadline-seconds': '30', 'rollcall.dev/operational-threshold': 'some' }
    await createSet({ replicas: 1 }, { annotations })
    await untilCondition('Progressing', 'True', 'RevisionUpdated')
    bench.pass(32_000)
    await untilCondition('Progressing', 'False', 'ProgressDeadlineExceeded')
    await bench.settle()
    const recorded = (await bench.events()).filter((event) => event.startsWith('InvalidAnnotation'))
    expect(recorded).toEqual([expect.stringContaining('"rollcall.dev/operational-threshold"')])
  })

  it('adds none while the gate is off, and leaves those that are there', async () => {
    await open()
    await createSet({ replicas: 1 })
    await untilRolledOut(1)
    expect((await readSet()).status?.conditions).toBeUndefined()
    const stale = [{ type: 'Operational', status: 'False', reason: 'Old' }]
    await bench.client.patch(statefulSets, ref, 'merge', { status: { conditions: stale } }, { subresource: 'status' })
    await patchSet({ replicas: 2 })
    await untilRolledOut(2)
    expect((await readSet()).status?.conditions).toMatchObject(stale)
  })

  it('needs no more writes than without', async () => {
    const writes: string[][] = []
    for (const on of [false, true]) {
      const seen: string[] = []
      await open({
        gates: { ExtendedWorkloadConditions: on },
        wrapClient: (client) => ({
          ...client,
          updateStatus: (resource, object, options) => {
            seen.push(resource.plural)
            return client.updateStatus(resource, object, options)
          },
        }),
      })
      await createSet({ replicas: 2 })
      for (let i = 0; i < 2; i++) {
        await bench.settle()
        await reportAll()
      }
      await untilRolledOut(2)
      await bench.settle()
      writes.push(seen)
      if (!on) await bench.stop()
    }
    expect(writes[1]).toEqual(writes[0])
  })
})

describe('the StatefulSet controller: StatefulSetUnstickRollout', () => {
  for (const on of [false, true])
    it(on ? 'replaces the pod of a broken rollout that was mended' : 'leaves it stuck while the gate is off', async () => {
      await open({ gates: { ExtendedWorkloadConditions: false, StatefulSetUnstickRollout: on } })
      await createSet({ replicas: 2 })
      await untilRolledOut(2)
      await patchSet({ template: template('broken') })
      await bench.settle()
      await bench.finishTerminating()
      await bench.settle()
      expect(await shownPods()).toEqual(['a-0 nginx:1', 'a-1 broken'])
      await patchSet({ template: template('nginx:2') })
      await bench.settle()
      await bench.finishTerminating()
      await bench.settle()
      expect(await shownPods()).toEqual(['a-0 nginx:1', on ? 'a-1 nginx:2' : 'a-1 broken'])
      if (on) await untilRolledOut(2)
    })
})
