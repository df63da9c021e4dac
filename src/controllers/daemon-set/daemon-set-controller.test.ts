import { afterEach, describe, expect, it, vi } from 'vitest'
import { controllerRevisions, daemonSets, nodes, pods } from '../../api/kinds.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { DaemonSet, KubernetesObject, Node, Pod, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, type ControllerBenchOptions, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { Informer } from '../../runtime/informer.ts'
import { startDaemonSetController } from './daemon-set-controller.ts'
import { nodeOf } from './plan/pods.ts'

let bench: ControllerBench
const open = async (options: Partial<ControllerBenchOptions> = {}, names: readonly string[] = ['n1', 'n2']) => {
  bench = await openControllerBench({ gates: { ExtendedWorkloadConditions: false }, start: startDaemonSetController, ...options })
  for (const name of names) await createNode(name)
}
afterEach(() => bench.stop())

type Spec = Partial<NonNullable<DaemonSet['spec']>>
const ref = { namespace: 'default', name: 'a' }
const template = (image = 'nginx:1', spec: object = {}) => ({
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image }], ...spec },
})
const createNode = (name: string, more: Partial<Node> = {}) =>
  bench.client.create(nodes, undefined, { metadata: { name }, ...more } as Node)
const createSet = (spec: Spec = {}, metadata: object = {}) =>
  bench.client.create(daemonSets, 'default', {
    metadata: { name: 'a', ...metadata },
    spec: { selector: { matchLabels: { app: 'x' } }, template: template(), ...spec },
  } as DaemonSet)
const readSet = () => bench.client.get(daemonSets, ref)
const patchSet = (spec: object) => bench.client.patch(daemonSets, ref, 'merge', { spec })
const shownPods = async () =>
  (await bench.podsOf())
    .map((pod) => `${nodeOf(pod)} ${pod.spec?.containers[0]?.image}${pod.metadata.deletionTimestamp === undefined ? '' : ' terminating'}`)
    .sort()
const reportAll = async () => {
  for (const pod of await bench.podsOf()) if (pod.metadata.deletionTimestamp === undefined) await bench.report(pod, 'ready', nodeOf(pod))
}
const until = (what: string, isSo: (status: NonNullable<DaemonSet['status']>) => boolean) =>
  bench.until(what, async () => {
    const { status, metadata } = await readSet()
    return status?.observedGeneration === metadata.generation && isSo(status!) ? status : undefined
  })
/** Plays the nodes until so many pods are available and new. */
const untilRolledOut = (count: number) =>
  bench.until('it is rolled out', async () => {
    await bench.finishTerminating()
    await reportAll()
    const { status, metadata } = await readSet()
    const isSo = (status?.numberAvailable ?? 0) === count && (status?.updatedNumberScheduled ?? 0) === count
    return isSo && status?.observedGeneration === metadata.generation ? status : undefined
  })
/** Calls `onRead` for every read of an index of the caches, with the number of objects. */
function countReads(onRead: (objects: number, index: string, value: string) => void): { stop(): void } {
  const { byIndex } = Informer.prototype
  const spy = vi.spyOn(Informer.prototype, 'byIndex').mockImplementation(function (this: Informer<KubernetesObject>, index, value) {
    const found = byIndex.call(this, index, value)
    onRead(found.length, index, value)
    return found as never
  })
  return { stop: () => spy.mockRestore() }
}

describe('the DaemonSet controller', () => {
  it('keeps a pod on every node, and counts', async () => {
    await open()
    await createSet()
    await until('pods are there', ({ currentNumberScheduled }) => currentNumberScheduled === 2)
    await reportAll()
    expect(await untilRolledOut(2)).toEqual({
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      desiredNumberScheduled: 2,
      numberReady: 2,
      observedGeneration: 1,
      updatedNumberScheduled: 2,
      numberAvailable: 2,
    })
    await createNode('n3')
    await until(
      'the new node counts',
      ({ desiredNumberScheduled, currentNumberScheduled }) => desiredNumberScheduled === 3 && currentNumberScheduled === 3,
    )
    await bench.settle()
    const created = await bench.podsOf()
    expect((await bench.events()).sort()).toEqual(created.map(({ metadata }) => `SuccessfulCreate: Created pod: ${metadata.name}`).sort())
    expect(bench.failures).toEqual([])
  })

  it('follows the labels and taints of nodes', async () => {
    await open({ gates: { ExtendedWorkloadConditions: true } })
    await createSet({ template: template('nginx:1', { nodeSelector: { disk: 'ssd' } }) })
    await until('it was seen', ({ desiredNumberScheduled }) => desiredNumberScheduled === 0)
    const label = (disk: string) => bench.client.patch(nodes, { name: 'n1' }, 'merge', { metadata: { labels: { disk } } })
    await label('ssd')
    await until('it fits', ({ currentNumberScheduled }) => currentNumberScheduled === 1)
    expect(await shownPods()).toEqual(['n1 nginx:1'])
    const taint = (effect: string) => bench.client.patch(nodes, { name: 'n1' }, 'merge', { spec: { taints: [{ key: 'k', effect }] } })
    await taint('NoSchedule')
    await until(
      'it is misplaced',
      ({ numberMisscheduled, desiredNumberScheduled }) => numberMisscheduled === 1 && desiredNumberScheduled === 0,
    )
    expect(await shownPods()).toEqual(['n1 nginx:1'])
    await taint('NoExecute')
    await bench.until('it goes', async () => (await shownPods())[0] === 'n1 nginx:1 terminating' || (await shownPods()).length === 0)
  })

  it('without the extended conditions counts a tainted or removed node only with the next sync, as Kubernetes does', async () => {
    await open({}, ['n1', 'n2', 'n3'])
    await createSet()
    const before = await untilRolledOut(3)
    const taint = (name: string, taints: readonly object[]) => bench.client.patch(nodes, { name }, 'merge', { spec: { taints } })
    await taint('n1', [{ key: 'k', effect: 'NoSchedule' }])
    await bench.client.delete(nodes, { name: 'n2' })
    await bench.settle()
    expect((await readSet()).status).toEqual(before)
    await taint('n3', [{ key: 'k', effect: 'NoExecute' }])
    await until(
      'all are counted',
      ({ numberMisscheduled, desiredNumberScheduled }) => numberMisscheduled === 2 && desiredNumberScheduled === 0,
    )
    await taint('n1', [])
    await until('the pod is in its place again', ({ desiredNumberScheduled }) => desiredNumberScheduled === 1)
  })

  it('does nothing when a node only reports in', async () => {
    await open({ gates: { ExtendedWorkloadConditions: true } })
    await createSet()
    await untilRolledOut(2)
    await bench.settle()
    const { revision } = bench.store
    await bench.client.patch(
      nodes,
      { name: 'n1' },
      'merge',
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      { subresource: 'status' },
    )
    bench.pass(3_600_000)
    await bench.settle()
    expect(bench.store.revision).toBe(revision + 1)
  })

  it.each([
    ['with', true],
    ['without', false],
  ])('reads the pods of a changed node only, %s the extended conditions', async (_, isOn) => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`)
    await open({ gates: { ExtendedWorkloadConditions: isOn } }, names)
    await createSet()
    await untilRolledOut(names.length)
    await bench.settle()
    let read = 0
    const count = countReads((objects) => {
      read += objects
    })
    for (const name of names) await bench.client.patch(nodes, { name }, 'merge', { metadata: { labels: { rack: name } } })
    await bench.settle()
    count.stop()
    expect(read).toBeLessThanOrEqual(names.length)
  })

  it('does not reconcile because of a status that it wrote itself', async () => {
    await open({}, ['n1'])
    await createSet()
    await untilRolledOut(1)
    await bench.settle()
    const { revision } = bench.store
    const [pod] = await bench.podsOf()
    let syncs = 0
    const count = countReads((_, index, value) => {
      if (index === 'owner' && value === pod?.metadata.ownerReferences?.[0]?.uid) syncs++
    })
    await bench.client.patch(
      pods,
      { namespace: 'default', name: pod!.metadata.name },
      'merge',
      { status: { conditions: [] } },
      { subresource: 'status' },
    )
    await until('the pod is not ready', ({ numberReady }) => numberReady === 0)
    await bench.settle()
    count.stop()
    expect(bench.store.revision).toBe(revision + 2)
    // One for the revisions, one for the pods.
    expect(syncs).toBe(2)
  })

  it('updates one node at a time, and keeps the history', async () => {
    await open()
    await createSet({ revisionHistoryLimit: 1 })
    await untilRolledOut(2)
    for (const image of ['nginx:2', 'nginx:3', 'nginx:4']) {
      await patchSet({ template: template(image) })
      await bench.settle()
      expect((await shownPods()).filter((pod) => pod.endsWith('terminating'))).toHaveLength(1)
      await untilRolledOut(2)
      expect(await shownPods()).toEqual([`n1 ${image}`, `n2 ${image}`])
    }
    await bench.settle()
    const { items } = await bench.client.list(controllerRevisions, { namespace: 'default' })
    expect(items.map(({ revision }) => revision).sort()).toEqual([3, 4])
  })

  it('restores a revision that another client has deleted', async () => {
    await open({}, ['n1'])
    await createSet()
    await untilRolledOut(1)
    await bench.settle()
    const list = async () => (await bench.client.list(controllerRevisions, { namespace: 'default' })).items
    const [before] = await list()
    await bench.client.delete(controllerRevisions, { namespace: 'default', name: before!.metadata.name })
    await bench.settle()
    const after = await list()
    expect(after.map(({ metadata, data }) => [metadata.name, data])).toEqual([[before!.metadata.name, before!.data]])
    expect(after[0]!.metadata.uid).not.toBe(before!.metadata.uid)
  })

  it('surges: creates the new pod before the old one is deleted', async () => {
    await open({}, ['n1'])
    await createSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })
    await untilRolledOut(1)
    await patchSet({ template: template('nginx:2') })
    await bench.settle()
    expect(await shownPods()).toEqual(['n1 nginx:1', 'n1 nginx:2'])
    await reportAll()
    await bench.settle()
    expect(await shownPods()).toEqual(['n1 nginx:1 terminating', 'n1 nginx:2'])
  })

  it('brings an old revision to the front, and merges duplicates', async () => {
    await open({}, ['n1'])
    await createSet()
    await untilRolledOut(1)
    const list = async () => (await bench.client.list(controllerRevisions, { namespace: 'default' })).items
    const [first] = await list()
    const { resourceVersion: _, uid: __, creationTimestamp: ___, managedFields: ____, ...metadata } = first!.metadata
    await bench.client.create(controllerRevisions, 'default', {
      ...first!,
      metadata: { ...metadata, name: 'a-twin', labels: { app: 'x', 'controller-revision-hash': 'twin' } },
      revision: 7,
    })
    await bench.settle()
    expect(await list()).toHaveLength(2)
    await patchSet({ template: template('nginx:2') })
    await untilRolledOut(1)
    await patchSet({ template: template('nginx:1') })
    await untilRolledOut(1)
    await bench.settle()
    expect((await list()).map(({ revision, metadata: { name } }) => `${revision} ${name === 'a-twin'}`).sort()).toEqual([
      '8 false',
      '9 true',
    ])
    expect((await bench.podsOf()).map((pod) => pod.metadata.labels?.['controller-revision-hash'])).toEqual(['twin'])
  })

  it('finds another name when the hash of a revision is taken', async () => {
    await open({}, [])
    await createSet()
    await until('it was seen', () => true)
    const { items } = await bench.client.list(controllerRevisions, { namespace: 'default' })
    const { name } = items[0]!.metadata
    await bench.client.delete(daemonSets, ref)
    await bench.client.delete(controllerRevisions, { namespace: 'default', name })
    await bench.client.create(controllerRevisions, 'default', { metadata: { name }, data: { other: true }, revision: 1 })
    await createSet()
    expect(await until('it was seen', () => true)).toMatchObject({ collisionCount: 1 })
  })

  it('replaces failed pods, and slower each time', async () => {
    await open({}, ['n1'])
    await createSet()
    await until('a pod is there', ({ currentNumberScheduled }) => currentNumberScheduled === 1)
    await bench.settle()
    const failOnce = async () => {
      const pod = (await bench.podsOf()).find(({ metadata }) => metadata.deletionTimestamp === undefined) as Stored<Pod>
      await bench.report(pod, 'failed', 'n1')
      return async () =>
        !(await bench.podsOf()).some(({ metadata }) => metadata.uid === pod.metadata.uid && metadata.deletionTimestamp === undefined)
    }
    const isFirstGone = await failOnce()
    await bench.until('it goes', isFirstGone)
    await bench.until('there is another', async () => {
      await bench.finishTerminating()
      return (await bench.podsOf()).some(({ status }) => status?.phase === 'Pending')
    })
    const isSecondGone = await failOnce()
    await bench.settle()
    expect(await isSecondGone()).toBe(false)
    bench.pass(1000)
    await bench.until('it goes as well', isSecondGone)
    await bench.settle()
    const recorded = (await bench.events()).filter((event) => event.startsWith('FailedDaemonPod: Found failed daemon pod default/a-'))
    expect(recorded).toHaveLength(2)
  })

  it('records failed creations and retries', async () => {
    let refusals = 1
    const wrapClient = (client: Client): Client => ({
      ...client,
      create: (resource, namespace, object, options) =>
        resource.plural === 'pods' && refusals-- > 0
          ? Promise.reject(failure(403, 'Forbidden', 'pods "a-" is forbidden: not today'))
          : client.create(resource, namespace, object, options),
    })
    await open({ wrapClient })
    await createSet()
    await until('pods are there', ({ currentNumberScheduled }) => currentNumberScheduled === 2)
    await bench.settle()
    expect(await bench.events()).toContain('FailedCreate: Error creating: pods "a-" is forbidden: not today')
    expect(bench.failures).toHaveLength(1)
  })

  it('creates no pod twice when the watch is slow', async () => {
    let creations = 0
    const wrapClient = (client: Client): Client => ({
      ...client,
      create: (resource, namespace, object, options) => {
        if (resource.plural === 'pods') creations++
        return client.create(resource, namespace, object, options)
      },
      watch: (resource, request, handlers) =>
        client.watch(resource, request, {
          ...handlers,
          onEvents: (events) => void bench.clock.after(resource.plural === 'pods' ? 20 : 0, () => handlers.onEvents(events)),
        }),
    })
    await open(
      { wrapClient },
      Array.from({ length: 300 }, (_, index) => `n${index}`),
    )
    await createSet()
    await until('all are seen', ({ currentNumberScheduled }) => currentNumberScheduled === 300)
    expect(creations).toBe(300)
  })

  it('adopts pods that it selects, and removes the surplus', async () => {
    await open({}, ['n1'])
    for (const name of ['one', 'two'])
      await bench.client.create(pods, 'default', {
        metadata: { name, labels: { app: 'x' } },
        spec: { ...template().spec, nodeName: 'n1' },
      } as Pod)
    await createSet({ updateStrategy: { type: 'OnDelete' } })
    await bench.until(
      'one is left',
      async () => (await bench.podsOf()).filter(({ metadata }) => metadata.deletionTimestamp === undefined).length === 1,
    )
    const [left] = (await bench.podsOf()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    expect(left?.metadata).toMatchObject({ name: 'one', ownerReferences: [{ kind: 'DaemonSet', name: 'a' }] })
  })
})

describe('the DaemonSet controller: KEP-2804', () => {
  const withConditions = { gates: { ExtendedWorkloadConditions: true } }
  const condition = async (type: string) => (await readSet()).status?.conditions?.find((one) => one.type === type)
  const untilCondition = (type: string, status: string, reason: string) =>
    bench.until(`${type} is ${status} ${reason}`, async () => {
      const found = await condition(type)
      return found?.status === status && found.reason === reason ? found : undefined
    })

  it('becomes complete and operational', async () => {
    await open(withConditions)
    await createSet({ operationalThreshold: 1 })
    await untilCondition('Operational', 'False', 'InsufficientReplicasAvailable')
    await bench.until('pods are there', async () => (await bench.podsOf()).length === 2)
    const [first, second] = await bench.podsOf()
    bench.pass(5000)
    await bench.report(first!, 'ready', nodeOf(first!))
    const operational = await untilCondition('Operational', 'True', 'SufficientReplicasAvailable')
    expect(await condition('Progressing')).toMatchObject({ status: 'True', reason: 'RevisionUpdated' })
    bench.pass(5000)
    await bench.report(second!, 'ready', nodeOf(second!))
    const complete = await untilCondition('Progressing', 'True', 'NewRevisionAvailable')
    expect(await condition('Operational')).toEqual(operational)
    expect(complete.lastTransitionTime).not.toBe(operational.lastTransitionTime)
  })

  it('fails at the deadline, and recovers', async () => {
    await open(withConditions, ['n1'])
    await createSet({ progressDeadlineSeconds: 30 })
    await untilCondition('Progressing', 'True', 'RevisionUpdated')
    bench.pass(32_000)
    await untilCondition('Progressing', 'False', 'ProgressDeadlineExceeded')
    await reportAll()
    await untilCondition('Progressing', 'True', 'NewRevisionAvailable')
  })

  it('adds none while the gate is off, and leaves those that are there', async () => {
    await open({}, ['n1'])
    await createSet()
    await untilRolledOut(1)
    expect((await readSet()).status?.conditions).toBeUndefined()
    const stale = [{ type: 'Operational', status: 'False', reason: 'Old' }]
    await bench.client.patch(daemonSets, ref, 'merge', { status: { conditions: stale } }, { subresource: 'status' })
    await patchSet({ template: template('nginx:2') })
    await untilRolledOut(1)
    expect((await readSet()).status?.conditions).toMatchObject(stale)
  })
})
