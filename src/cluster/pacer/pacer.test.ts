// The pacer beside controllers that do not count terminating pods, in virtual time: whatever happens, the admitted pods of a
// workload stay within its cap, and what would complete without the pacer completes with it.
import { describe, expect, it } from 'vitest'
import { coreEvents, deployments, jobs, namespaces, pods, replicaSets } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { Deployment, Pod, Stored } from '../../api/types.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import type { Client } from '../../client/client.ts'
import { startPacer } from '../../controllers/pacer/pacer.ts'
import { isGated, pacerGate } from '../../controllers/pacer/plan/pacing.ts'
import { createEventRecorder } from '../../runtime/event-recorder.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { findBypassedWorkloads } from '../remote/gate-probe.ts'
import { startVirtualCluster } from '../virtual-cluster.ts'
import { readWaitingWorkloads } from './pacer-status.ts'

const minute = 60_000

async function openCluster() {
  const clock = new VirtualClock()
  const failures: string[] = []
  const onFailure = (what: string, error: unknown) => failures.push(`${what}: ${(error as Error).message}`)
  const cluster = await startVirtualCluster({ clock, seed: 1, gates: defaultFeatureGates, nodes: [{ count: 5 }], onFailure })
  await clock.runUntilSettled(cluster.startControllers())
  const run = async (client = cluster.client) => {
    const informers = new SharedInformers({ client, clock, onFailure })
    const recorder = createEventRecorder({ client, clock, component: 'rollcall-pacer', onFailure })
    const pacer = startPacer({ client, clock, informers, recorder, onFailure })
    informers.start()
    await clock.runUntilSettled(pacer.synced)
    return {
      pacer,
      async kill() {
        informers.stop()
        await pacer.stop()
      },
    }
  }
  return { cluster, clock, client: cluster.client, failures, run }
}

/** How many pods of an app were admitted at a time, at every write. */
function watchAdmitted(cluster: Awaited<ReturnType<typeof startVirtualCluster>>, app: string) {
  const admitted = new Set<string>()
  let peak = 0
  let existing = 0
  const all = new Set<string>()
  cluster.onChange(({ verb, kind, object }) => {
    const pod = object as Stored<Pod>
    if (kind.kind !== 'Pod' || pod.metadata.labels?.['app'] !== app) return
    const isOver = verb === 'delete' || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
    if (isOver) all.delete(pod.metadata.uid)
    else all.add(pod.metadata.uid)
    if (isOver || isGated(pod)) admitted.delete(pod.metadata.uid)
    else admitted.add(pod.metadata.uid)
    peak = Math.max(peak, admitted.size)
    existing = Math.max(existing, all.size)
  })
  return { peak: () => peak, existing: () => existing }
}

const template = (app: string, stopSeconds: number, gates: readonly string[] = [pacerGate]) => ({
  metadata: { labels: { app } },
  spec: {
    terminationGracePeriodSeconds: stopSeconds,
    schedulingGates: gates.map((name) => ({ name })),
    containers: [{ name: 'web', image: 'example/web:1', command: ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done'] }],
  },
})

const deployment = (name: string, replicas: number, strategy: object = {}, stopSeconds = 30): Deployment =>
  ({
    metadata: { name, namespace: 'default' },
    spec: { replicas, strategy, selector: { matchLabels: { app: name } }, template: template(name, stopSeconds) },
  }) as unknown as Deployment

const setImage = (client: Client, name: string, image: string) =>
  client.patch(deployments, { namespace: 'default', name }, 'strategic', {
    spec: { template: { spec: { containers: [{ name: 'web', image }] } } },
  })

const isComplete = ({ metadata, spec, status }: Stored<Deployment>) =>
  status?.observedGeneration === metadata.generation &&
  status?.updatedReplicas === spec?.replicas &&
  status?.availableReplicas === spec?.replicas &&
  status?.replicas === spec?.replicas

describe('the pacer beside controllers that do not count terminating pods', () => {
  it.each([
    // With how many pods there are at the most: those that wait are more than the cap. Recreate waits by itself.
    ['a rolling update with a surge', { rollingUpdate: { maxSurge: 3, maxUnavailable: 0 } }, 10, 13, 16],
    ['a rolling update without a surge', { rollingUpdate: { maxSurge: 0, maxUnavailable: 3 } }, 10, 10, 13],
    ['the default strategy', {}, 8, 10, 12],
    ['Recreate', { type: 'Recreate' }, 6, 6, 6],
  ])('%s: admitted pods stay within the cap, and it completes', async (_name, strategy, replicas, cap, existing) => {
    const { cluster, clock, client, failures, run } = await openCluster()
    const watch = watchAdmitted(cluster, 'web')
    await run()
    await client.create(deployments, 'default', deployment('web', replicas, strategy))
    const complete = async () => isComplete(await client.get(deployments, { namespace: 'default', name: 'web' }))
    expect(await clock.runUntil(complete, clock.now() + 10 * minute)).toBe(true)
    await setImage(client, 'web', 'example/web:2')
    await clock.advance(1)
    expect(await clock.runUntil(complete, clock.now() + 60 * minute)).toBe(true)
    expect(watch.peak()).toBeLessThanOrEqual(cap)
    expect(watch.existing()).toBeGreaterThanOrEqual(existing)
    expect(failures).toEqual([])
  })

  it('paces pods that others delete, and a scale up while pods terminate', async () => {
    const { cluster, clock, client, run } = await openCluster()
    const watch = watchAdmitted(cluster, 'web')
    await run()
    await client.create(deployments, 'default', deployment('web', 6, { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }))
    const ready = async () => isComplete(await client.get(deployments, { namespace: 'default', name: 'web' }))
    await clock.runUntil(ready, clock.now() + 10 * minute)
    for (const { metadata } of (await client.list(pods, { namespace: 'default' })).items.slice(0, 4))
      await client.delete(pods, { namespace: 'default', name: metadata.name })
    await clock.advance(1000)
    expect(watch.peak()).toBe(6)
    await client.patch(deployments, { namespace: 'default', name: 'web' }, 'merge', { spec: { replicas: 8 } })
    await clock.advance(1000)
    expect(watch.peak()).toBe(8)
    expect(await clock.runUntil(ready, clock.now() + 10 * minute)).toBe(true)
    expect(watch.peak()).toBe(8)
  })

  it('admits pods when those of a deleted ReplicaSet have become terminal, also while a finalizer keeps them', async () => {
    const { cluster, clock, client, run } = await openCluster()
    const watch = watchAdmitted(cluster, 'web')
    await run()
    await client.create(deployments, 'default', deployment('web', 4, { rollingUpdate: { maxSurge: 0, maxUnavailable: 4 } }))
    const ready = async () => isComplete(await client.get(deployments, { namespace: 'default', name: 'web' }))
    await clock.runUntil(ready, clock.now() + 10 * minute)
    for (const { metadata } of (await client.list(pods, { namespace: 'default' })).items)
      await client.patch(pods, { namespace: 'default', name: metadata.name }, 'merge', { metadata: { finalizers: ['example.com/hold'] } })
    const [old] = (await client.list(replicaSets, { namespace: 'default' })).items
    await setImage(client, 'web', 'example/web:2')
    await clock.advance(5_000)
    await client.delete(replicaSets, { namespace: 'default', name: old!.metadata.name })
    await clock.advance(5_000)
    const all = async () => (await client.list(pods, { namespace: 'default' })).items
    expect((await all()).filter(isGated)).toHaveLength(4)
    // Before their grace period is over: no timer wakes the pacer.
    for (const pod of (await all()).filter((one) => !isGated(one)))
      await client.patch(
        pods,
        { namespace: 'default', name: pod.metadata.name },
        'merge',
        { status: { phase: 'Succeeded' } },
        { subresource: 'status' },
      )
    await clock.advance(1000)
    expect((await all()).filter(isGated)).toEqual([])
    expect(await all()).toHaveLength(8)
    expect(watch.peak()).toBe(4)
  })

  it.each<[string, (client: Client, clock: VirtualClock) => Promise<void>]>([
    [
      'a pod without a controller',
      async (client, clock) => {
        const { spec } = template('web', 600, [])
        await client.create(pods, 'default', { metadata: { name: 'debug', labels: { app: 'web' } }, spec } as never)
        await clock.advance(5_000)
        await client.delete(pods, { namespace: 'default', name: 'debug' })
      },
    ],
    [
      'pods of the deleted ReplicaSet of another Deployment that it selects too',
      async (client, clock) => {
        const { spec } = deployment('web', 2, {}, 600)
        const labels = { app: 'web', track: 'canary' }
        const canary = { ...spec, selector: { matchLabels: labels }, template: { ...spec!.template, metadata: { labels } } }
        await client.create(deployments, 'default', { metadata: { name: 'canary' }, spec: canary } as never)
        await clock.advance(5_000)
        await client.delete(deployments, { namespace: 'default', name: 'canary' })
      },
    ],
    [
      'pods of a deleted ReplicaSet without a Deployment',
      async (client, clock) => {
        const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('web', 600) }
        await client.create(replicaSets, 'default', { metadata: { name: 'alone' }, spec } as never)
        await clock.advance(5_000)
        await client.delete(replicaSets, { namespace: 'default', name: 'alone' })
      },
    ],
    [
      'pods of a predecessor of the same name',
      async (client, clock) => {
        await client.create(deployments, 'default', deployment('web', 2, {}, 600))
        await clock.advance(5_000)
        await client.delete(deployments, { namespace: 'default', name: 'web' })
      },
    ],
  ])('does not wait for %s', async (_name, leaveTerminatingPods) => {
    const { clock, client, run } = await openCluster()
    await run()
    await leaveTerminatingPods(client, clock)
    await clock.advance(5_000)
    const left = (await client.list(pods, { namespace: 'default' })).items
    expect(left.length).toBeGreaterThan(0)
    expect(left.every(({ metadata }) => metadata.deletionTimestamp !== undefined)).toBe(true)
    await client.create(deployments, 'default', deployment('web', 2, { type: 'Recreate' }))
    await clock.advance(30_000)
    expect((await client.get(deployments, { namespace: 'default', name: 'web' })).status?.availableReplicas).toBe(2)
    expect((await readWaitingWorkloads(client, undefined, clock.now())).filter(({ name }) => name === 'web')).toEqual([])
  })

  it('names the terminating pods of a deleted ReplicaSet in the status', async () => {
    const { clock, client, run } = await openCluster()
    await run()
    await client.create(deployments, 'default', deployment('web', 4, { rollingUpdate: { maxSurge: 0, maxUnavailable: 4 } }, 600))
    const ready = async () => isComplete(await client.get(deployments, { namespace: 'default', name: 'web' }))
    await clock.runUntil(ready, clock.now() + 10 * minute)
    const [old] = (await client.list(replicaSets, { namespace: 'default' })).items
    const names = (await client.list(pods, { namespace: 'default' })).items.map(({ metadata }) => metadata.name).sort()
    await client.delete(replicaSets, { namespace: 'default', name: old!.metadata.name })
    await clock.advance(minute)
    const [status, ...others] = await readWaitingWorkloads(client, undefined, clock.now())
    expect(status).toMatchObject({ kind: 'Deployment', name: 'web', admitted: 4, cap: 4 })
    expect(status?.waiting).toHaveLength(4)
    expect([...(status?.waitsFor ?? [])].sort()).toEqual(names)
    expect(others).toEqual([])
  })

  it('lists pods that nothing paces by their namespaces in the status', async () => {
    const { client } = await openCluster()
    await client.create(namespaces, undefined, { metadata: { name: 'other' } })
    const { spec, metadata } = template('alone', 1)
    for (const namespace of ['default', 'other'])
      await client.create(pods, namespace, { metadata: { ...metadata, name: 'alone' }, spec } as never)
    const found = await readWaitingWorkloads(client, undefined, 0)
    expect(found.map(({ namespace, waiting }) => [namespace, waiting]).sort()).toEqual([
      ['default', ['alone']],
      ['other', ['alone']],
    ])
  })

  it('reports pods that were created without the gate although their workload opted in, where they exceed the cap', async () => {
    const { clock, client, run } = await openCluster()
    const { pacer } = await run()
    const ungated = (name: string, annotations: object) => {
      const { spec } = deployment(name, 4, { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } })
      return { metadata: { name, annotations }, spec: { ...spec, template: template(name, 30, []) } } as never
    }
    await client.create(deployments, 'default', ungated('plain', {}))
    await client.create(deployments, 'default', ungated('web', { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }))
    await clock.advance(minute)
    const bypassed = async () =>
      (await client.list(coreEvents, { namespace: 'default' })).items.filter(({ reason }) => reason === 'PacerBypassed')
    expect(await bypassed()).toEqual([])
    // Pods that are created together with their workload may lack the gate.
    expect(pacer.bypassed()).toEqual([])
    // Another client deletes a pod, and the ReplicaSet replaces it at once.
    for (const name of ['web', 'plain']) {
      const [pod] = (await client.list(pods, { namespace: 'default', labelSelector: `app=${name}` })).items
      await client.delete(pods, { namespace: 'default', name: pod!.metadata.name })
    }
    await clock.advance(2_000)
    const [event, ...more] = await bypassed()
    expect(more).toEqual([])
    expect(event?.involvedObject).toMatchObject({ kind: 'Deployment', name: 'web' })
    expect(event?.message).toMatch(
      /^A pod was created without the scheduling gate rollcall.dev\/pacer: web-\S+\. 5 pods are admitted, and 4 may be\. Check the admission/,
    )
    expect(pacer.bypassed()).toEqual(['Deployment default/web'])
    const found = await findBypassedWorkloads(client, 'default')
    expect(found).toEqual([{ kind: 'Deployment', namespace: 'default', name: 'web' }])
    await clock.advance(10 * minute)
    expect(pacer.bypassed()).toEqual([])
  })

  it('records an Event on the workload and the pod when a pod has waited for 5 s, and none before', async () => {
    const { clock, client, run } = await openCluster()
    await run()
    await client.create(deployments, 'default', deployment('web', 2, { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }))
    const ready = async () => isComplete(await client.get(deployments, { namespace: 'default', name: 'web' }))
    await clock.runUntil(ready, clock.now() + 10 * minute)
    const [first] = (await client.list(pods, { namespace: 'default' })).items
    const reported = async () =>
      (await client.list(coreEvents, { namespace: 'default' })).items
        .filter(({ reason }) => reason === 'PacerWaiting')
        .map(({ involvedObject, message }) => `${involvedObject?.kind}: ${message}`)
        .sort()
    await client.delete(pods, { namespace: 'default', name: first!.metadata.name })
    await clock.advance(3_900)
    expect((await client.list(pods, { namespace: 'default' })).items.filter(isGated)).toHaveLength(1)
    expect(await reported()).toEqual([])
    await clock.advance(2_000)
    const message = `Waiting for 1 terminating pod: ${first!.metadata.name}`
    expect(await reported()).toEqual([`Deployment: ${message}`, `Pod: ${message}`])
    await clock.advance(minute)
    expect(await reported()).toHaveLength(2)
  })

  it('tries again when a release is refused, and says so in an Event', async () => {
    const { clock, client, run } = await openCluster()
    let refusals = 3
    await run({
      ...client,
      async patch(resource, ...request) {
        if (resource.plural === 'pods' && refusals-- > 0) throw failure(422, 'Invalid', 'Pod "web": spec: Forbidden: a policy refuses it')
        return client.patch(resource, ...request)
      },
    })
    await client.create(deployments, 'default', deployment('web', 1))
    await clock.advance(minute)
    const [pod] = (await client.list(pods, { namespace: 'default' })).items
    expect(pod?.status?.phase).toBe('Running')
    const events = (await client.list(coreEvents, { namespace: 'default' })).items.filter(({ reason }) => reason === 'PacerReleaseFailed')
    expect(events.map(({ type, count, involvedObject, message }) => [type, count, involvedObject?.name, message])).toEqual([
      ['Warning', 3, pod?.metadata.name, `Cannot remove the scheduling gate ${pacerGate}: Pod "web": spec: Forbidden: a policy refuses it`],
    ])
  })

  it('reports invalid annotations', async () => {
    const { clock, client, run } = await openCluster()
    await run()
    const annotations = { 'rollcall.dev/pod-replacement-policy': 'terminationcomplete', 'rollcall.dev/stuck-termination-timeout': 'soon' }
    await client.create(replicaSets, 'default', {
      metadata: { name: 'set', annotations },
      spec: { replicas: 1, selector: { matchLabels: { app: 'set' } }, template: template('set', 1) },
    } as never)
    await clock.advance(minute)
    const events = (await client.list(coreEvents, { namespace: 'default' })).items
    expect(
      events
        .filter(({ reason, source }) => reason === 'InvalidAnnotation' && source?.component === 'rollcall-pacer')
        .map(({ message }) => message)
        .sort(),
    ).toEqual([
      'Cannot read annotation "rollcall.dev/pod-replacement-policy": must be TerminationStarted or TerminationComplete, got "terminationcomplete"',
      'Cannot read annotation "rollcall.dev/stuck-termination-timeout": must be a duration like 90s, 10m or 1h30m, got "soon"',
    ])
  })

  it('forgets what a ReplicaSet waited for when a Deployment adopts it', async () => {
    const { clock, client, run } = await openCluster()
    const { pacer } = await run()
    const spec = { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: template('web', 300) }
    const labelled = { ...spec.template, metadata: { labels: { app: 'web', 'pod-template-hash': 'own' } } }
    await client.create(replicaSets, 'default', {
      metadata: { name: 'set', labels: { app: 'web', 'pod-template-hash': 'own' } },
      spec: { ...spec, template: labelled },
    } as never)
    await clock.advance(minute)
    const [pod] = (await client.list(pods, { namespace: 'default' })).items
    await client.delete(pods, { namespace: 'default', name: pod!.metadata.name })
    await clock.advance(1000)
    expect([...pacer.waits.keys()]).toEqual(['ReplicaSet default/set'])
    await client.create(deployments, 'default', deployment('web', 1, { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }))
    await clock.advance(1000)
    expect([...pacer.waits.keys()]).toEqual(['Deployment default/web'])
  })

  it('undoes a broken rollout', async () => {
    const { cluster, clock, client, run } = await openCluster()
    const watch = watchAdmitted(cluster, 'web')
    await run()
    const broken = deployment('web', 4, { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } })
    await client.create(deployments, 'default', broken)
    const ready = async () => isComplete(await client.get(deployments, { namespace: 'default', name: 'web' }))
    await clock.runUntil(ready, clock.now() + 10 * minute)
    const probe = { readinessProbe: { exec: { command: ['false'] } } }
    await client.patch(deployments, { namespace: 'default', name: 'web' }, 'strategic', {
      spec: { template: { spec: { containers: [{ name: 'web', image: 'example/web:2', ...probe }] } } },
    })
    await clock.advance(5 * minute)
    expect(await ready()).toBe(false)
    await client.patch(deployments, { namespace: 'default', name: 'web' }, 'strategic', {
      spec: { template: { spec: { containers: [{ name: 'web', image: 'example/web:1', readinessProbe: null }] } } },
    })
    await clock.advance(1)
    expect(await clock.runUntil(ready, clock.now() + 10 * minute)).toBe(true)
    expect(watch.peak()).toBeLessThanOrEqual(5)
  })

  it('paces a ReplicaSet and a Job, and releases pods of controllers that it does not know', async () => {
    const { cluster, clock, client, run } = await openCluster()
    const [sets, works] = [watchAdmitted(cluster, 'set'), watchAdmitted(cluster, 'work')]
    await run()
    await client.create(replicaSets, 'default', {
      metadata: { name: 'set' },
      spec: { replicas: 3, selector: { matchLabels: { app: 'set' } }, template: template('set', 30) },
    } as never)
    await client.create(jobs, 'default', {
      metadata: { name: 'work' },
      spec: {
        parallelism: 2,
        completions: 4,
        template: { ...template('work', 30), spec: { ...template('work', 30).spec, restartPolicy: 'Never' } },
      },
    } as never)
    await client.create(pods, 'default', {
      metadata: { name: 'alone', labels: { app: 'alone' } },
      spec: template('alone', 1).spec,
    } as never)
    await clock.advance(minute)
    expect((await client.get(pods, { namespace: 'default', name: 'alone' })).status?.phase).toBe('Running')
    for (const { metadata } of (await client.list(pods, { namespace: 'default', labelSelector: 'app in (set,work)' })).items)
      await client.delete(pods, { namespace: 'default', name: metadata.name })
    await clock.advance(10 * minute)
    expect([sets.peak(), works.peak()]).toEqual([3, 2])
  })

  it.each([
    ['observed', false],
    ['not yet observed', true],
  ])('holds back a pod without a controller that a ReplicaSet has adopted meanwhile, which is %s', async (_name, isLate) => {
    const { clock, client, failures, run } = await openCluster()
    let release = () => {}
    let held: Promise<void> | undefined
    await run({
      ...client,
      watch: (resource, request, handlers) =>
        client.watch(resource, request, {
          ...handlers,
          onEvents: (events) => (held === undefined ? handlers.onEvents(events) : void held.then(() => handlers.onEvents(events))),
        }),
    })
    const set = await client.create(replicaSets, 'default', {
      metadata: { name: 'set' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'set' } }, template: template('set', 600) },
    } as never)
    await clock.advance(10_000)
    await client.create(pods, 'default', { metadata: { name: 'late', labels: { app: 'other' } }, spec: template('set', 1).spec } as never)
    await clock.advance(2_000)
    // It holds the only place for as long as it terminates. The ReplicaSet keeps the older of the pods that wait: the one that it adopts.
    const [first] = (await client.list(pods, { namespace: 'default', labelSelector: 'app=set' })).items
    await client.delete(pods, { namespace: 'default', name: first!.metadata.name })
    await clock.advance(1)
    if (isLate)
      held = new Promise((resolve) => {
        release = resolve
      })
    const { uid } = set.metadata
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid, controller: true }]
    await client.patch(pods, { namespace: 'default', name: 'late' }, 'merge', { metadata: { ownerReferences, labels: { app: 'set' } } })
    await clock.advance(20_000)
    const isHeldBack = async () => isGated(await client.get(pods, { namespace: 'default', name: 'late' }))
    expect(await isHeldBack()).toBe(true)
    release()
    await clock.advance(20_000)
    expect(await isHeldBack()).toBe(true)
    expect(failures).toEqual([])
  })

  it('releases the pods of kinds of other API groups that have the names of known ones', async () => {
    const { clock, client, failures, run } = await openCluster()
    await run()
    const ownedBy = (apiVersion: string, kind: string) => [{ apiVersion, kind, name: 'foreign', uid: 'foreign-uid', controller: true }]
    const orphaning = { finalizers: ['example.com/keep'] }
    await client.create(pods, 'default', {
      metadata: { name: 'worker', ownerReferences: ownedBy('batch.volcano.sh/v1alpha1', 'Job'), ...orphaning },
      spec: template('worker', 1).spec,
    } as never)
    await client.create(replicaSets, 'default', {
      metadata: { name: 'set', ownerReferences: ownedBy('example.com/v1', 'Deployment'), ...orphaning },
      spec: { replicas: 1, selector: { matchLabels: { app: 'set' } }, template: template('set', 1) },
    } as never)
    await clock.advance(minute)
    expect((await client.list(pods, { namespace: 'default' })).items.filter(isGated)).toEqual([])
    expect(failures).toEqual([])
  })

  it('leaves the gates of others', async () => {
    const { clock, client, run } = await openCluster()
    await run()
    const gates = ['example.com/quota', pacerGate]
    await client.create(replicaSets, 'default', {
      metadata: { name: 'set' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'set' } }, template: template('set', 1, gates) },
    } as never)
    await clock.advance(minute)
    const [pod] = (await client.list(pods, { namespace: 'default' })).items
    expect(pod?.spec?.schedulingGates).toEqual([{ name: 'example.com/quota' }])
    expect(pod?.spec?.nodeName).toBeUndefined()
  })

  it('holds nothing up for ever with rollcall.dev/stuck-termination-timeout', async () => {
    const { cluster, clock, client, run } = await openCluster()
    await run()
    const paced = deployment('web', 2, { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } }, 5)
    const annotated = { ...paced, metadata: { ...paced.metadata, annotations: { 'rollcall.dev/stuck-termination-timeout': '2m' } } }
    await client.create(deployments, 'default', annotated)
    const ready = async () => isComplete(await client.get(deployments, { namespace: 'default', name: 'web' }))
    await clock.runUntil(ready, clock.now() + 10 * minute)
    // Nodes that are lost never report that their pods have terminated.
    for (const { spec } of (await client.list(pods, { namespace: 'default' })).items) cluster.stopNode(spec?.nodeName ?? '')
    await setImage(client, 'web', 'example/web:2')
    await clock.advance(minute)
    expect((await client.list(pods, { namespace: 'default' })).items.filter(isGated)).toHaveLength(2)
    await clock.advance(2 * minute)
    const released = (await client.list(pods, { namespace: 'default' })).items.filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    )
    expect(released.map(({ status }) => status?.phase)).toEqual(['Running', 'Running'])
  })
})
