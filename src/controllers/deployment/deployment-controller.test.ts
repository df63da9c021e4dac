import { afterEach, describe, expect, it } from 'vitest'
import { defaultFeatureGates } from '../../api/feature-gates.ts'
import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import { failure } from '../../api/status-error.ts'
import type { Deployment, Pod, ReplicaSet, Stored } from '../../api/types.ts'
import { seededRandom } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, type ControllerBenchOptions, openControllerBench } from '../../cluster/testing.ts'
import { maxReplicas } from '../../planners/deployment/fenceposts.ts'
import { startReplicaSetController } from '../replica-set/replica-set-controller.ts'
import { startDeploymentController } from './deployment-controller.ts'

let bench: ControllerBench
const open = async (options: Partial<ControllerBenchOptions> = {}) => {
  bench = await openControllerBench({
    gates: { ExtendedWorkloadConditions: false },
    start: (parts) => [startDeploymentController(parts), startReplicaSetController(parts)],
    ...options,
  })
}
afterEach(() => bench.stop())

type Spec = Partial<NonNullable<Deployment['spec']>>
const namespace = 'default'
const ref = { namespace, name: 'web' }
const beforeScale = 'deployment.kubernetes.io/replicaset-replicas-before-scale'
const revision = 'deployment.kubernetes.io/revision'

const rolling = (maxSurge: number, maxUnavailable: number) => ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } })
const template = (image = 'a:1') => ({ metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image }] } })
const create = (spec: Spec = {}) =>
  bench.client.create(deployments, namespace, {
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: { app: 'x' } }, template: template(), strategy: rolling(1, 1), ...spec },
  } as Deployment)
const read = () => bench.client.get(deployments, ref)
const change = (spec: object) => bench.client.patch(deployments, ref, 'merge', { spec })
const changeImage = (image: string) => bench.client.patch(deployments, ref, 'strategic', { spec: { template: template(image) } })
const readSets = async () =>
  [...(await bench.client.list(replicaSets, { namespace })).items].sort((a, b) => (imageOf(a) < imageOf(b) ? -1 : 1))
const imageOf = ({ spec }: ReplicaSet) => spec?.template?.spec?.containers[0]?.image ?? ''
const sizes = async () => Object.fromEntries((await readSets()).map((set) => [imageOf(set), set.spec?.replicas]))
const isGoing = ({ metadata }: Stored<Pod>) => metadata.deletionTimestamp !== undefined
const reportAll = async () => {
  for (const pod of await bench.podsOf()) if (!isGoing(pod) && pod.status?.phase !== 'Running') await bench.report(pod, 'ready')
}
/** The nodes do their part until the Deployment has so many pods, all new and available. */
const rollOut = (replicas: number, { finish = true } = {}) =>
  bench.until(`${replicas} are available`, async () => {
    await reportAll()
    if (finish) await bench.finishTerminating()
    const { status, metadata } = await read()
    const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas].map((count) => count ?? 0)
    return status?.observedGeneration === metadata.generation && counts.every((count) => count === replicas) && read()
  })
const progressing = async () => (await read()).status?.conditions?.find(({ type }) => type === 'Progressing')

/** Every new pod of the Deployment is looked at: with it, running and terminating, there are no more than allowed. */
async function watchPods() {
  let allowed = 0
  const alive = new Set<string>()
  const seen = { most: 0, excess: [] as string[] }
  const { resourceVersion, items } = await bench.client.list(pods, { namespace })
  for (const { metadata } of items) alive.add(metadata.uid)
  allowed = maxReplicas(await read())
  const stops = [
    bench.client.watch(
      deployments,
      { namespace, resourceVersion },
      {
        onEvents: (events) =>
          events.forEach(({ object }) => {
            allowed = maxReplicas(object)
          }),
        onEnd() {},
      },
    ),
    bench.client.watch(
      pods,
      { namespace, resourceVersion },
      {
        onEvents: (events) => {
          for (const { type, object } of events) {
            if (type === 'DELETED') alive.delete(object.metadata.uid)
            else alive.add(object.metadata.uid)
            seen.most = Math.max(seen.most, alive.size)
            if (type === 'ADDED' && alive.size > allowed) seen.excess.push(`${alive.size} of ${allowed}`)
          }
        },
        onEnd() {},
      },
    ),
  ]
  return {
    seen,
    stop: () =>
      stops.forEach((stop) => {
        stop()
      }),
  }
}

describe('the Deployment controller', () => {
  it('makes a set, and tells of it word for word', async () => {
    await open()
    await create({ replicas: 2 })
    const { status, metadata } = await rollOut(2)
    await bench.settle()
    const [set] = await readSets()
    expect(set?.metadata.name).toBe(`web-${set?.metadata.labels?.['pod-template-hash']}`)
    expect(metadata.annotations).toEqual({ [revision]: '1' })
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      terminatingReplicas: 0,
    })
    expect(await progressing()).toMatchObject({
      reason: 'NewReplicaSetAvailable',
      message: `ReplicaSet "${set?.metadata.name}" has successfully progressed.`,
    })
    const events = (await bench.events()).filter((event) => event.startsWith('Scaling'))
    expect(events).toEqual([`ScalingReplicaSet: Scaled up replica set ${set?.metadata.name} from 0 to 2`])
    expect(bench.failures).toEqual([])
  })

  it('writes nothing when there is nothing to do', async () => {
    await open()
    await create({ replicas: 2 })
    await rollOut(2)
    await bench.settle()
    const before = bench.store.revision
    await bench.client.patch(deployments, ref, 'merge', { metadata: { labels: { touched: 'yes' } } })
    await bench.settle()
    expect(bench.store.revision).toBe(before + 1)
  })

  for (const policy of [undefined, 'TerminationStarted', 'TerminationComplete'] as const)
    for (const strategy of [rolling(1, 1), rolling(0, 2), rolling(3, 0), { type: 'Recreate' }])
      it(`rolls out with ${JSON.stringify(strategy)} under ${policy ?? 'no policy'}`, async () => {
        await open()
        await create({ replicas: 4, strategy, ...(policy && { podReplacementPolicy: policy }) } as Spec)
        await rollOut(4)
        const watch = await watchPods()
        await changeImage('a:2')
        await rollOut(4)
        await bench.until('no pod is terminating', async () => (await read()).status?.terminatingReplicas === 0)
        await bench.settle()
        watch.stop()
        expect(await sizes()).toEqual({ 'a:1': 0, 'a:2': 4 })
        expect(await progressing()).toMatchObject({ reason: 'NewReplicaSetAvailable' })
        if (policy === 'TerminationComplete') expect(watch.seen.excess).toEqual([])
        expect(bench.failures).toEqual([])
      })

  it('shows what the policy is for: with pods that do not go, only TerminationComplete stays within the surge', async () => {
    for (const [policy, most] of [
      [undefined, 8],
      ['TerminationStarted', 8],
      ['TerminationComplete', 5],
    ] as const) {
      await open()
      await create({ replicas: 4, ...(policy && { podReplacementPolicy: policy }) } as Spec)
      await rollOut(4)
      const watch = await watchPods()
      await changeImage('a:2')
      for (let round = 0; round < 12; round++) {
        await reportAll()
        await bench.settle()
      }
      watch.stop()
      expect([policy, watch.seen.most]).toEqual([policy, most])
      if (policy !== 'TerminationComplete') await bench.stop()
    }
    expect(await progressing()).toMatchObject({ reason: 'ReplicaSetUpdated' })
  })

  it('Recreate: TerminationStarted does not wait for pods to go, TerminationComplete does', async () => {
    for (const [policy, made] of [
      ['TerminationStarted', true],
      ['TerminationComplete', false],
    ] as const) {
      await open()
      await create({ replicas: 3, strategy: { type: 'Recreate' }, podReplacementPolicy: policy } as Spec)
      await rollOut(3)
      await changeImage('a:2')
      await bench.settle()
      expect([policy, await sizes()]).toEqual([policy, made ? { 'a:1': 0, 'a:2': 3 } : { 'a:1': 0 }])
      if (made) await bench.stop()
    }
    await bench.finishTerminating(2)
    await bench.settle()
    expect(await sizes()).toEqual({ 'a:1': 0 })
    await bench.finishTerminating()
    await bench.settle()
    expect(await sizes()).toEqual({ 'a:1': 0, 'a:2': 3 })
  })

  describe('scaling under TerminationComplete', () => {
    const scaled = async (spec: Spec = {}) => {
      await open()
      await create({ replicas: 5, strategy: rolling(0, 1), podReplacementPolicy: 'TerminationComplete', ...spec } as Spec)
      await rollOut(spec.replicas ?? 5)
      await bench.settle()
    }
    const pending = async () => (await readSets())[0]?.metadata.annotations?.[beforeScale]

    for (const strategy of [rolling(0, 1), { type: 'Recreate' }])
      it(`${strategy.type}: 5 → 2 → 5 waits for the three`, async () => {
        await scaled({ strategy } as Spec)
        const watch = await watchPods()
        await change({ replicas: 2 })
        await bench.settle()
        await change({ replicas: 5 })
        await bench.settle()
        expect(await sizes()).toEqual({ 'a:1': 2 })
        await bench.finishTerminating(1)
        await bench.settle()
        expect(await sizes()).toEqual({ 'a:1': 3 })
        await bench.finishTerminating()
        await rollOut(5)
        watch.stop()
        expect(watch.seen.excess).toEqual([])
        expect(await pending()).toBeUndefined()
      })

    it('a second and a third scale while the first is pending', async () => {
      await scaled()
      const watch = await watchPods()
      await change({ replicas: 2 })
      await bench.settle()
      for (const replicas of [6, 4, 7]) {
        await change({ replicas })
        await bench.settle()
      }
      expect(await sizes()).toEqual({ 'a:1': 4 })
      expect(await pending()).toBeDefined()
      await rollOut(7)
      watch.stop()
      expect(watch.seen.excess).toEqual([])
      expect(await pending()).toBeUndefined()
    })

    it('a pending scale that is made moot: the annotations go, and a template change still rolls out', async () => {
      await scaled({ replicas: 12 } as Spec)
      await change({ replicas: 10 })
      await bench.settle()
      await change({ replicas: 14 })
      await bench.settle()
      expect(await sizes()).toEqual({ 'a:1': 12 })
      expect(await pending()).toBe('10')
      await change({ replicas: 12 })
      await bench.settle()
      expect(await pending()).toBeUndefined()
      await changeImage('a:2')
      await rollOut(12)
      expect(await sizes()).toEqual({ 'a:1': 0, 'a:2': 12 })
    })

    it('a template change while a scale is pending', async () => {
      await scaled()
      const watch = await watchPods()
      await change({ replicas: 2 })
      await bench.settle()
      await change({ replicas: 4 })
      await bench.settle()
      await changeImage('a:2')
      await bench.settle()
      expect(await sizes()).toEqual({ 'a:1': 2 })
      await rollOut(4)
      watch.stop()
      expect(watch.seen.excess).toEqual([])
      expect(await sizes()).toEqual({ 'a:1': 0, 'a:2': 4 })
    })

    it('a paused Deployment', async () => {
      await scaled()
      await change({ paused: true })
      await change({ replicas: 2 })
      await bench.settle()
      await change({ replicas: 4 })
      await bench.settle()
      expect(await sizes()).toEqual({ 'a:1': 2 })
      await bench.finishTerminating()
      await bench.settle()
      expect(await sizes()).toEqual({ 'a:1': 4 })
      expect(await progressing()).toMatchObject({ reason: 'DeploymentPaused' })
    })

    it('in the middle of a rollout, in proportion', async () => {
      await scaled({ replicas: 10, strategy: rolling(3, 2) } as Spec)
      const watch = await watchPods()
      await changeImage('a:2')
      await bench.settle()
      expect(await sizes()).toEqual({ 'a:1': 8, 'a:2': 3 })
      await change({ replicas: 15 })
      await bench.settle()
      // 18 at most, 2 of them terminating: 16 may run.
      expect(Object.values(await sizes()).reduce((sum, size) => sum! + size!, 0)).toBe(16)
      await bench.finishTerminating()
      await bench.settle()
      expect(Object.values(await sizes()).reduce((sum, size) => sum! + size!, 0)).toBe(18)
      await rollOut(15)
      watch.stop()
      expect(watch.seen.excess).toEqual([])
    })

    it("an old kubectl's undo that copied the annotation", async () => {
      await scaled()
      await bench.client.patch(deployments, ref, 'merge', { metadata: { annotations: { [beforeScale]: '3', note: 'kept' } } })
      await bench.settle()
      expect((await read()).metadata.annotations).toEqual({ [revision]: '1', note: 'kept' })
      const [set] = await readSets()
      expect(set?.metadata.annotations).not.toHaveProperty([beforeScale])
      expect(set?.metadata.annotations).toMatchObject({ note: 'kept' })
    })

    for (const terminatingAsActive of [false, true])
      it(`eviction ${terminatingAsActive ? 'with' : 'without'} terminatingAsActive`, async () => {
        await scaled({ terminatingAsActive } as Spec)
        const watch = await watchPods()
        const [pod] = await bench.podsOf()
        await bench.client.createSubresource(pods, { namespace, name: pod!.metadata.name }, 'eviction', {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: pod!.metadata.name, namespace },
        })
        await bench.settle()
        expect(await bench.podsOf()).toHaveLength(terminatingAsActive ? 5 : 6)
        await rollOut(5)
        watch.stop()
        expect(watch.seen.excess).toEqual(terminatingAsActive ? [] : ['6 of 5'])
      })
  })

  it('a gate that is switched off in the middle of a rollout and on again', async () => {
    const gates = { ...defaultFeatureGates, ExtendedWorkloadConditions: false }
    await open({ start: (parts) => [startDeploymentController({ ...parts, gates }), startReplicaSetController(parts)] })
    await create({ replicas: 6, strategy: rolling(1, 1), podReplacementPolicy: 'TerminationComplete' } as Spec)
    await rollOut(6)
    const watch = await watchPods()
    const stepOn = async () => {
      await reportAll()
      await bench.settle()
    }
    await changeImage('a:2')
    for (let step = 0; step < 4; step++) await stepOn()
    expect(watch.seen.most).toBe(7)
    gates.DeploymentPodReplacementPolicy = false
    await bench.client.patch(deployments, ref, 'merge', { metadata: { labels: { gate: 'off' } } })
    for (let step = 0; step < 2; step++) await stepOn()
    const most = watch.seen.most
    expect(most).toBeGreaterThan(7)
    gates.DeploymentPodReplacementPolicy = true
    await bench.client.patch(deployments, ref, 'merge', { metadata: { labels: { gate: 'on' } } })
    for (let step = 0; step < 4; step++) await stepOn()
    expect(watch.seen.most).toBe(most)
    expect((await read()).spec?.podReplacementPolicy).toBe('TerminationComplete')
    await rollOut(6)
    watch.stop()
    expect(await sizes()).toEqual({ 'a:1': 0, 'a:2': 6 })
  })

  it('goes back to an old set, and counts its revisions', async () => {
    await open()
    await create({ replicas: 1 })
    await rollOut(1)
    await changeImage('a:2')
    await rollOut(1)
    await changeImage('a:1')
    await rollOut(1)
    await bench.settle()
    const annotations = (await readSets()).map(({ metadata }) => metadata.annotations)
    expect(annotations[0]).toMatchObject({ [revision]: '3', 'deployment.kubernetes.io/revision-history': '1' })
    expect(annotations[1]).toMatchObject({ [revision]: '2' })
    expect((await read()).metadata.annotations).toMatchObject({ [revision]: '3' })
  })

  it('keeps no more old sets than it should', async () => {
    await open()
    await create({ replicas: 1, revisionHistoryLimit: 1 })
    for (const image of ['a:1', 'a:2', 'a:3', 'a:4']) {
      await changeImage(image)
      await rollOut(1)
    }
    await bench.settle()
    expect(await sizes()).toEqual({ 'a:3': 0, 'a:4': 1 })
  })

  it('adopts what it selects and nobody controls, and releases what it no longer selects', async () => {
    await open()
    const orphan = (labels: Readonly<Record<string, string>>) =>
      bench.client.create(replicaSets, namespace, {
        metadata: { name: 'orphan', labels },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'x', old: 'yes' } },
          template: { ...template('old'), metadata: { labels: { app: 'x', old: 'yes' } } },
        },
      } as ReplicaSet)
    await create({ replicas: 2 })
    await rollOut(2)
    const { uid } = (await read()).metadata
    await orphan({ app: 'y' })
    await bench.settle()
    const ownerOf = async () => (await bench.client.get(replicaSets, { namespace, name: 'orphan' })).metadata.ownerReferences?.[0]?.uid
    expect(await ownerOf()).toBeUndefined()
    await bench.client.patch(replicaSets, { namespace, name: 'orphan' }, 'merge', { metadata: { labels: { app: 'x' } } })
    await bench.until('it is adopted', async () => (await ownerOf()) === uid)
    await bench.until('it is emptied', async () => (await sizes())['old'] === 0)
    await bench.client.patch(replicaSets, { namespace, name: 'orphan' }, 'merge', { metadata: { labels: { app: 'z' } } })
    await bench.until('it is released', async () => (await ownerOf()) === undefined)
  })

  it('finds another name when another object has the one of its new set', async () => {
    await open()
    const first = await create({ replicas: 1 })
    await rollOut(1)
    const [set] = await readSets()
    await bench.client.delete(deployments, ref, { propagationPolicy: 'Orphan' })
    await bench.until('the Deployment is on its way out', async () => (await read()).metadata.deletionTimestamp !== undefined)
    await bench.client.patch(deployments, ref, 'merge', { metadata: { finalizers: null } })
    // Nobody collects here: the set keeps its owner, who is gone.
    expect(set?.metadata.ownerReferences?.[0]?.uid).toBe(first.metadata.uid)
    await create({ replicas: 1 })
    await bench.until('there is a second set', async () => (await readSets()).length === 2)
    expect((await read()).status?.collisionCount).toBe(1)
    expect(new Set((await readSets()).map(({ metadata }) => metadata.name)).size).toBe(2)
  })

  it('says so when its set is refused, and tries again', async () => {
    let isRefused = true
    const refuse = (client: Client): Client => ({
      ...client,
      create: (resource, where, object, options) =>
        isRefused && resource.plural === 'replicasets'
          ? Promise.reject(failure(403, 'Forbidden', 'no more sets'))
          : client.create(resource, where, object, options),
    })
    await open({ wrapClient: refuse })
    await create({ replicas: 1 })
    const condition = await bench.until('it says so', async () => {
      const found = await progressing()
      return found?.reason === 'ReplicaSetCreateError' && found
    })
    expect(condition.message).toMatch(/^Failed to create new replica set "web-[a-z0-9]+": no more sets$/)
    isRefused = false
    await rollOut(1)
    await bench.settle()
    expect((await bench.events()).some((event) => event.startsWith('ReplicaSetCreateError: Failed to create new replica set'))).toBe(true)
  })

  it('notices the lack of progress when the deadline passes', async () => {
    await open()
    await create({ replicas: 1, progressDeadlineSeconds: 60 })
    await bench.settle()
    expect(await progressing()).toMatchObject({ status: 'True' })
    bench.pass(59_000)
    await bench.settle()
    expect(await progressing()).toMatchObject({ status: 'True' })
    bench.pass(3_000)
    await bench.settle()
    expect(await progressing()).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
    await rollOut(1)
    expect(await progressing()).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' })
  })

  it('does not act twice on an old copy', async () => {
    let held: (() => void)[] | undefined
    const slow = (client: Client): Client => ({
      ...client,
      watch: (resource, request, handlers) =>
        client.watch(resource, request, {
          ...handlers,
          onEvents: (events) => {
            if (held === undefined || resource.plural !== 'replicasets') handlers.onEvents(events)
            else held.push(() => handlers.onEvents(events))
          },
        }),
    })
    const writes: string[] = []
    const counted = (client: Client): Client => ({
      ...client,
      create: async (resource, where, object, options) => {
        const written = await client.create(resource, where, object, options)
        if (resource.plural === 'replicasets') writes.push('create')
        return written
      },
      update: async (resource, object, options) => {
        const written = await client.update(resource, object, options)
        if (resource.plural === 'replicasets') writes.push('update')
        return written
      },
    })
    const deliverAll = async () => {
      for (let round = 0; round < 10; round++) {
        for (const deliver of held!.splice(0)) deliver()
        await bench.settle()
        bench.pass(100)
      }
    }
    await open({ wrapClient: (client) => counted(slow(client)) })
    held = []
    await create({ replicas: 3 })
    await bench.settle()
    for (const label of ['one', 'two', 'three']) {
      await bench.client.patch(deployments, ref, 'merge', { metadata: { labels: { label } } })
      await bench.settle()
    }
    expect(writes).toEqual(['create'])
    await deliverAll()
    await change({ replicas: 6 })
    await bench.settle()
    await change({ replicas: 5 })
    await bench.settle()
    expect(writes).toEqual(['create', 'update'])
    await deliverAll()
    expect(writes).toEqual(['create', 'update', 'update'])
    expect(await sizes()).toEqual({ 'a:1': 5 })
    expect(bench.failures).toEqual([])
  })

  for (const seed of [1, 2, 3])
    it(`TerminationComplete: random changes, evictions and failing writes, seed ${seed}`, async () => {
      const random = seededRandom(seed)
      const below = (n: number) => Math.floor(random.next() * n)
      let isFailing = true
      const failSometimes = <T>(write: () => Promise<T>): Promise<T> =>
        isFailing && below(6) === 0 ? Promise.reject(failure(500, 'InternalError', 'chance')) : write()
      const unreliable = (client: Client): Client => ({
        ...client,
        update: (resource, object, options) => failSometimes(() => client.update(resource, object, options)),
        updateStatus: (resource, object, options) => failSometimes(() => client.updateStatus(resource, object, options)),
      })
      await open({ wrapClient: unreliable })
      await create({ replicas: 6, strategy: rolling(2, 1), podReplacementPolicy: 'TerminationComplete', terminatingAsActive: true } as Spec)
      await rollOut(6)
      const watch = await watchPods()
      for (let round = 0; round < 60; round++) {
        const what = below(6)
        // It only grows: a smaller Deployment has more pods than allowed until they are gone.
        if (what === 0) await change({ replicas: 6 + Math.floor(round / 6) })
        else if (what === 1) await changeImage(`a:${1 + below(3)}`)
        else if (what === 2) await bench.finishTerminating(1 + below(3))
        else if (what === 3) {
          const [pod] = (await bench.podsOf()).filter((one) => !isGoing(one))
          if (pod !== undefined) await bench.client.delete(pods, { namespace, name: pod.metadata.name })
        } else await reportAll()
        if (below(3) === 0) await bench.settle()
        bench.pass(5)
      }
      isFailing = false
      await rollOut((await read()).spec!.replicas!)
      await bench.settle()
      watch.stop()
      expect(watch.seen.excess).toEqual([])
      for (const set of await readSets()) expect(set.metadata.annotations).not.toHaveProperty([beforeScale])
    })
})
