import { afterEach, describe, expect, it } from 'vitest'
import { deployments, pods, replicaSets } from '../../api/kinds.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { ReplicaSet } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, type ControllerBenchOptions, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { type PlayedDeployment, playDeployment, rolling, templateOf } from '../../cluster/testing/deployment-player.ts'
import { startReplicaSetController } from '../replica-set/replica-set-controller.ts'
import { startDeploymentController } from './deployment-controller.ts'

let bench: ControllerBench
let web: PlayedDeployment
const open = async (options: Partial<ControllerBenchOptions> = {}) => {
  bench = await openControllerBench({
    gates: { ExtendedWorkloadConditions: false },
    start: (parts) => [startDeploymentController(parts), startReplicaSetController(parts)],
    ...options,
  })
  web = playDeployment(bench)
}
afterEach(() => bench.stop())

const namespace = 'default'
const ref = { namespace, name: 'web' }
const revision = 'deployment.kubernetes.io/revision'

describe('the Deployment controller', () => {
  it('creates a ReplicaSet with the Events of Kubernetes', async () => {
    await open()
    await web.create({ replicas: 2 })
    const { status, metadata } = await web.rollOut(2)
    await bench.settle()
    const [set] = await web.readSets()
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
    expect(await web.condition('Progressing')).toMatchObject({
      reason: 'NewReplicaSetAvailable',
      message: `ReplicaSet "${set?.metadata.name}" has successfully progressed.`,
    })
    const events = (await bench.events()).filter((event) => event.startsWith('Scaling'))
    expect(events).toEqual([`ScalingReplicaSet: Scaled up replica set ${set?.metadata.name} from 0 to 2`])
    expect(bench.failures).toEqual([])
  })

  it('writes nothing when there is nothing to do', async () => {
    await open()
    await web.create({ replicas: 2 })
    await web.rollOut(2)
    await bench.settle()
    const before = bench.store.revision
    await bench.client.patch(deployments, ref, 'merge', { metadata: { labels: { touched: 'yes' } } })
    await bench.settle()
    expect(bench.store.revision).toBe(before + 1)
  })

  it('reuses an old ReplicaSet and updates its revisions', async () => {
    await open()
    await web.create({ replicas: 1 })
    await web.rollOut(1)
    await web.changeImage('a:2')
    await web.rollOut(1)
    await web.changeImage('a:1')
    await web.rollOut(1)
    await bench.settle()
    const annotations = (await web.readSets()).map(({ metadata }) => metadata.annotations)
    expect(annotations[0]).toMatchObject({ [revision]: '3', 'deployment.kubernetes.io/revision-history': '1' })
    expect(annotations[1]).toMatchObject({ [revision]: '2' })
    expect((await web.read()).metadata.annotations).toMatchObject({ [revision]: '3' })
  })

  it('keeps no more old sets than it should', async () => {
    await open()
    await web.create({ replicas: 1, revisionHistoryLimit: 1 })
    for (const image of ['a:1', 'a:2', 'a:3', 'a:4']) {
      await web.changeImage(image)
      await web.rollOut(1)
    }
    await bench.settle()
    expect(await web.sizes()).toEqual({ 'a:3': 0, 'a:4': 1 })
  })

  it('adopts selected orphans and releases ReplicaSets that it no longer selects', async () => {
    await open()
    const orphan = (labels: Readonly<Record<string, string>>) =>
      bench.client.create(replicaSets, namespace, {
        metadata: { name: 'orphan', labels },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'x', old: 'yes' } },
          template: { ...templateOf('old'), metadata: { labels: { app: 'x', old: 'yes' } } },
        },
      } as ReplicaSet)
    await web.create({ replicas: 2 })
    await web.rollOut(2)
    const { uid } = (await web.read()).metadata
    await orphan({ app: 'y' })
    await bench.settle()
    const ownerOf = async () => (await bench.client.get(replicaSets, { namespace, name: 'orphan' })).metadata.ownerReferences?.[0]?.uid
    expect(await ownerOf()).toBeUndefined()
    await bench.client.patch(replicaSets, { namespace, name: 'orphan' }, 'merge', { metadata: { labels: { app: 'x' } } })
    await bench.until('it is adopted', async () => (await ownerOf()) === uid)
    await bench.until('it is emptied', async () => (await web.sizes())['old'] === 0)
    await bench.client.patch(replicaSets, { namespace, name: 'orphan' }, 'merge', { metadata: { labels: { app: 'z' } } })
    await bench.until('it is released', async () => (await ownerOf()) === undefined)
  })

  it('does not scale when it adopts a ReplicaSet that was scaled for another size', async () => {
    await open()
    await web.create({ replicas: 5, strategy: rolling(1, 1) })
    await bench.settle()
    const [set] = await web.readSets()
    const sizes: number[] = []
    const stop = bench.store.watch('replicasets.apps/', bench.store.revision, (events) => {
      for (const { record } of events)
        if (record.key.endsWith(`/${set!.metadata.name}`)) sizes.push((JSON.parse(record.value) as ReplicaSet).spec!.replicas!)
    })
    const prefix = 'deployment.kubernetes.io/'
    const orphan = await bench.client.create(replicaSets, namespace, {
      metadata: {
        name: 'orphan',
        labels: { app: 'x' },
        annotations: { [`${prefix}desired-replicas`]: '2', [`${prefix}max-replicas`]: '3' },
      },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'x', old: 'yes' } },
        template: { ...templateOf('old'), metadata: { labels: { app: 'x', old: 'yes' } } },
      },
    } as ReplicaSet)
    const read = () => bench.client.get(replicaSets, { namespace, name: orphan.metadata.name })
    await bench.until('it is adopted', async () => (await read()).metadata.ownerReferences !== undefined)
    await bench.settle()
    stop()
    expect(sizes.filter((size) => size !== 5)).toEqual([])
    expect((await read()).spec?.replicas).toBe(2)
  })

  it('finds another name when another object has the one of its new set', async () => {
    await open()
    const first = await web.create({ replicas: 1 })
    await web.rollOut(1)
    const [set] = await web.readSets()
    await bench.client.delete(deployments, ref, { propagationPolicy: 'Orphan' })
    await bench.until('the Deployment is terminating', async () => (await web.read()).metadata.deletionTimestamp !== undefined)
    await bench.client.patch(deployments, ref, 'merge', { metadata: { finalizers: null } })
    // No garbage collector runs here: the ReplicaSet keeps the reference to its deleted owner.
    expect(set?.metadata.ownerReferences?.[0]?.uid).toBe(first.metadata.uid)
    await web.create({ replicas: 1 })
    await bench.until('there is a second set', async () => (await web.readSets()).length === 2)
    expect((await web.read()).status?.collisionCount).toBe(1)
    expect(new Set((await web.readSets()).map(({ metadata }) => metadata.name)).size).toBe(2)
  })

  it('reports a rejected ReplicaSet and retries', async () => {
    let isRefused = true
    const refuse = (client: Client): Client => ({
      ...client,
      create: (resource, where, object, options) =>
        isRefused && resource.plural === 'replicasets'
          ? Promise.reject(failure(403, 'Forbidden', 'no more sets'))
          : client.create(resource, where, object, options),
    })
    await open({ wrapClient: refuse })
    await web.create({ replicas: 1 })
    const condition = await bench.until('it says so', async () => {
      const found = await web.condition('Progressing')
      return found?.reason === 'ReplicaSetCreateError' && found
    })
    expect(condition.message).toMatch(/^Failed to create new replica set "web-[a-z0-9]+": no more sets$/)
    isRefused = false
    await web.rollOut(1)
    await bench.settle()
    expect((await bench.events()).some((event) => event.startsWith('ReplicaSetCreateError: Failed to create new replica set'))).toBe(true)
  })

  it('notices the lack of progress when the deadline passes', async () => {
    await open()
    await web.create({ replicas: 1, progressDeadlineSeconds: 60 })
    await bench.settle()
    expect(await web.condition('Progressing')).toMatchObject({ status: 'True' })
    bench.pass(59_000)
    await bench.settle()
    expect(await web.condition('Progressing')).toMatchObject({ status: 'True' })
    bench.pass(3_000)
    await bench.settle()
    expect(await web.condition('Progressing')).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
    await web.rollOut(1)
    expect(await web.condition('Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' })
  })

  it.each(['deleted', 'failed'])('counts the replacement of a pod that was %s as progress, as Kubernetes does', async (how) => {
    await open()
    await web.create({ replicas: 2, progressDeadlineSeconds: 60 })
    await bench.settle()
    bench.pass(62_000)
    await bench.settle()
    expect(await web.condition('Progressing')).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
    const [pod] = await bench.podsOf()
    if (how === 'deleted') await bench.client.delete(pods, { namespace, name: pod!.metadata.name }, { gracePeriodSeconds: 0 })
    else await bench.report(pod!, 'failed', 'node-1')
    await bench.settle()
    expect((await web.read()).status).toMatchObject({ replicas: 2, updatedReplicas: 2 })
    expect(await web.condition('Progressing')).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
    bench.pass(62_000)
    await bench.settle()
    expect(await web.condition('Progressing')).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
  })

  it('counts a replacement as progress also where the first write of the status fails', async () => {
    let refusals = 0
    const refusing = (client: Client): Client => ({
      ...client,
      async updateStatus(resource, object, options) {
        if (resource.plural === 'deployments' && refusals-- > 0) throw failure(409, 'Conflict', 'the object has been modified', {})
        return client.updateStatus(resource, object, options)
      },
    })
    await open({ wrapClient: refusing })
    await web.create({ replicas: 2, progressDeadlineSeconds: 60 })
    await bench.settle()
    bench.pass(62_000)
    await bench.settle()
    expect(await web.condition('Progressing')).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
    refusals = 1
    const [pod] = await bench.podsOf()
    await bench.client.delete(pods, { namespace, name: pod!.metadata.name }, { gracePeriodSeconds: 0 })
    await bench.settle()
    expect(refusals).toBeLessThan(1)
    bench.pass(1000)
    await bench.settle()
    expect(await web.condition('Progressing')).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
  })

  it('does not act twice on an old cache', async () => {
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
    await web.create({ replicas: 3 })
    await bench.settle()
    for (const label of ['one', 'two', 'three']) {
      await bench.client.patch(deployments, ref, 'merge', { metadata: { labels: { label } } })
      await bench.settle()
    }
    expect(writes).toEqual(['create'])
    await deliverAll()
    await web.change({ replicas: 6 })
    await bench.settle()
    await web.change({ replicas: 5 })
    await bench.settle()
    expect(writes).toEqual(['create', 'update'])
    await deliverAll()
    expect(writes).toEqual(['create', 'update', 'update'])
    expect(await web.sizes()).toEqual({ 'a:1': 5 })
    expect(bench.failures).toEqual([])
  })

  describe('after its own writes', () => {
    /** `meanwhile` runs when the next status is written, before the controller gets the response. */
    const openInterrupted = async (meanwhile: () => Promise<unknown>) => {
      let next: (() => Promise<unknown>) | undefined
      await open({
        start: (parts) => startDeploymentController(parts),
        wrapClient: (client) => ({
          ...client,
          async updateStatus(resource, object, options) {
            const run = next
            next = undefined
            const written = await client.updateStatus(resource, object, options)
            await run?.()
            return written
          },
        }),
      })
      await web.create({ replicas: 2 })
      await bench.settle()
      next = meanwhile
    }
    /** Plays the set. */
    const reportSet = async (counts: Partial<NonNullable<ReplicaSet['status']>>) => {
      const set = (await web.readSets())[0]!
      const status = { replicas: 2, observedGeneration: set.metadata.generation!, ...counts }
      await bench.client.updateStatus(replicaSets, { ...set, status } as never)
    }
    const readyReplicas = async () => (await bench.client.get(deployments, ref)).status?.readyReplicas

    it('reconciles changes that were made during its write', async () => {
      await openInterrupted(() => reportSet({ readyReplicas: 2 }))
      await reportSet({ readyReplicas: 1 })
      await bench.settle()
      expect(await readyReplicas()).toBe(2)
    })

    it('adopts an orphan that was created during its write', async () => {
      await openInterrupted(() =>
        bench.client.create(replicaSets, namespace, {
          metadata: { name: 'orphan', labels: { app: 'x' } },
          spec: { replicas: 0, selector: { matchLabels: { app: 'x' } }, template: templateOf('a:0') },
        } as ReplicaSet),
      )
      await reportSet({ readyReplicas: 1 })
      await bench.settle()
      const orphan = await bench.client.get(replicaSets, { namespace, name: 'orphan' })
      expect(orphan.metadata.ownerReferences).toMatchObject([{ kind: 'Deployment', name: 'web' }])
    })
  })
})
