import { afterEach, describe, expect, it } from 'vitest'
import { jobs, pods } from '../../api/kinds.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { Job, Pod, Stored } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, type ControllerBenchOptions, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import type { RunningController } from '../../runtime/controller-parts.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import type { ControllerParts } from '../controller-definition.ts'
import { startJobController } from './job-controller.ts'
import type { JobMetrics } from './metrics.ts'
import { trackingFinalizer } from './plan/pods.ts'
import { startTtlController } from './time-to-live-controller.ts'

let bench: ControllerBench
const counts = new Map<string, number>()
const metrics: JobMetrics = {
  count: (name, labels, by = 1) => {
    const key = `${name.replace('job_controller_', '')} ${Object.values(labels).join(' ')}`
    counts.set(key, (counts.get(key) ?? 0) + by)
  },
  observe: () => {},
}
/** How often a status was written. */
let statusWrites = 0
const counting = (client: Client): Client => ({
  ...client,
  updateStatus(resource, object, options) {
    if (resource.plural === 'jobs') statusWrites++
    return client.updateStatus(resource, object, options)
  },
})
const open = async (options: Partial<ControllerBenchOptions> = {}) => {
  counts.clear()
  statusWrites = 0
  bench = await openControllerBench({
    gates: { ExtendedWorkloadConditions: false },
    start: (parts) => [startJobController({ ...parts, metrics }), startTtlController(parts)],
    wrapClient: counting,
    ...options,
  })
}
afterEach(async () => {
  await bench.stop()
  expect(bench.failures).toEqual([])
})

const place = { namespace: 'default', name: 'a' }
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } }
const createJob = (spec: object = {}, metadata: object = {}) =>
  bench.client.create(jobs, 'default', { metadata: { name: 'a', ...metadata }, spec: { template, ...spec } } as Job)
const readJob = () => bench.client.get(jobs, place)
const patchJob = (patch: object) => bench.client.patch(jobs, place, 'merge', patch)
const live = async () =>
  (await bench.podsOf()).filter(({ metadata, status }) => !metadata.deletionTimestamp && !/ed$/.test(status?.phase ?? ''))
/** Lets time pass until the status is like this. */
const untilStatus = (expected: object) => until(JSON.stringify(expected), ({ status }) => isLike(status, expected))
const until = async (what: string, holds: (job: Stored<Job>) => boolean): Promise<Stored<Job>> => {
  for (let i = 0; i < 60; i++) {
    await bench.settle()
    const job = await readJob()
    if (holds(job)) return job
    bench.pass(500)
  }
  throw new Error(`Timed out waiting for ${what}: ${JSON.stringify((await readJob()).status)}`)
}
const isLike = (value: unknown, expected: unknown): boolean =>
  typeof expected === 'object' && expected !== null
    ? Object.entries(expected).every(([key, one]) =>
        isLike((value as Record<string, unknown> | undefined)?.[key] ?? (one === 0 ? 0 : undefined), one),
      )
    : value === expected
const conditionTypes = ({ status }: Job) => status?.conditions?.map(({ type, status: value }) => `${type}=${value}`)
const end = async ({ metadata }: Stored<Pod>, phase: 'Succeeded' | 'Failed', exitCode = phase === 'Failed' ? 1 : 0) =>
  bench.client.patch(
    pods,
    { namespace: 'default', name: metadata.name },
    'merge',
    {
      status: {
        phase,
        containerStatuses: [
          {
            name: 'c',
            image: 'x',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { terminated: { exitCode, finishedAt: formatTime(bench.clock.now()) } },
          },
        ],
      },
    },
    { subresource: 'status' },
  )
const eventReasons = async () => (await bench.events()).map((event) => event.replace(/: (Created|Deleted) pod: .*/, '')).sort()

describe('the Job controller', () => {
  it('runs pods, counts them, and completes', async () => {
    await open()
    await createJob({ completions: 3, parallelism: 2 })
    const begun = await untilStatus({ active: 2 })
    expect(begun.status).toEqual({
      active: 2,
      terminating: 0,
      ready: 0,
      uncountedTerminatedPods: {},
      startTime: formatTime(bench.clock.now()),
    })
    for (const pod of await live()) expect(pod.metadata).toMatchObject({ generateName: 'a-', finalizers: [trackingFinalizer] })
    for (const pod of await live()) await end(pod, 'Succeeded')
    await untilStatus({ succeeded: 2, active: 1, uncountedTerminatedPods: {} })
    for (const pod of await live()) await end(pod, 'Succeeded')
    const done = await untilStatus({ succeeded: 3 })
    const over = await until('its end', (job) => job.status?.completionTime !== undefined)
    expect(conditionTypes(over)).toEqual(['SuccessCriteriaMet=True', 'Complete=True'])
    expect(done.status?.active).toBeUndefined()
    expect(await eventReasons()).toEqual(['Completed: Job completed', 'SuccessfulCreate', 'SuccessfulCreate', 'SuccessfulCreate'])
    for (const { metadata } of await bench.podsOf()) expect(metadata.finalizers).toBeUndefined()
    expect(counts.get('jobs_finished_total NonIndexed succeeded CompletionsReached')).toBe(1)
    expect(counts.get('job_pods_finished_total NonIndexed succeeded')).toBe(3)
    expect(counts.get('job_pods_creation_total new succeeded')).toBe(3)
  })

  it('writes a status once a sync, and not at all when nothing has changed', async () => {
    await open()
    await createJob({ completions: 5, parallelism: 5 })
    await untilStatus({ active: 5 })
    expect(statusWrites).toBe(1)
    const { revision } = bench.store
    for (let i = 0; i < 5; i++) {
      bench.pass(2000)
      await bench.settle()
    }
    expect([statusWrites, bench.store.revision]).toEqual([1, revision])
    for (const pod of await live()) await end(pod, 'Succeeded')
    await until('its end', (job) => job.status?.completionTime !== undefined)
    // Listed with the criteria met, then counted and complete.
    expect(statusWrites).toBe(3)
  })

  it('waits before it replaces a failed pod, and fails past the limit', async () => {
    await open()
    await createJob({ backoffLimit: 1 })
    await untilStatus({ active: 1 })
    await end((await live())[0]!, 'Failed')
    const failedAtMs = bench.clock.now()
    await untilStatus({ failed: 1, active: 0 })
    await untilStatus({ active: 1 })
    expect(bench.clock.now() - failedAtMs).toBeGreaterThanOrEqual(10_000)
    await end((await live())[0]!, 'Failed')
    const over = await until('its end', (job) => conditionTypes(job)?.includes('Failed=True') === true)
    expect(over.status).toMatchObject({ failed: 2, terminating: 0, uncountedTerminatedPods: {} })
    expect(over.status?.conditions).toMatchObject([
      { type: 'FailureTarget', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
      { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
    ])
    expect(await bench.events()).toContain('BackoffLimitExceeded: Job has reached the specified backoff limit')
  })

  it('sets FailureTarget while pods are terminating, and Failed when they have terminated', async () => {
    await open()
    await createJob({ parallelism: 2, completions: 2, backoffLimit: 0 })
    await untilStatus({ active: 2 })
    const [first, second] = await live()
    await bench.report(second!, 'ready')
    await end(first!, 'Failed')
    const failing = await until('the failure target', (job) => conditionTypes(job)?.includes('FailureTarget=True') === true)
    expect(failing.status).toMatchObject({ terminating: 1, ready: 0 })
    bench.pass(5000)
    expect(conditionTypes(await untilStatus({ failed: 2, terminating: 1 }))).toEqual(['FailureTarget=True'])
    await bench.finishTerminating()
    await until('its end', (job) => conditionTypes(job)?.includes('Failed=True') === true)
  })

  it('fails at its deadline', async () => {
    await open()
    await createJob({ activeDeadlineSeconds: 20 })
    await untilStatus({ active: 1 })
    bench.pass(20_000)
    const over = await until('its end', (job) => conditionTypes(job)?.includes('Failed=True') === true)
    expect(over.status?.conditions?.[0]).toMatchObject({
      reason: 'DeadlineExceeded',
      message: 'Job was active longer than specified deadline',
    })
  })

  it('under Failed waits for a terminating pod, and writes when there are fewer', async () => {
    await open()
    await createJob({ podReplacementPolicy: 'Failed' })
    await untilStatus({ active: 1 })
    const [pod] = await live()
    await bench.report(pod!, 'running')
    await bench.client.delete(pods, { namespace: 'default', name: pod!.metadata.name })
    await untilStatus({ active: 0, terminating: 1, failed: 0 })
    bench.pass(60_000)
    await bench.settle()
    expect(await bench.podsOf()).toHaveLength(1)
    await end((await bench.podsOf())[0]!, 'Failed')
    await untilStatus({ terminating: 0, failed: 1 })
    await untilStatus({ active: 1 })
  })

  it('deletes the pods of a suspended Job, and starts again when it is resumed', async () => {
    await open()
    await createJob({ parallelism: 2, completions: 2 })
    await untilStatus({ active: 2 })
    await patchJob({ spec: { suspend: true } })
    const suspended = await until('its suspension', (job) => conditionTypes(job)?.[0] === 'Suspended=True')
    expect(suspended.status).toMatchObject({ terminating: 2, uncountedTerminatedPods: {} })
    expect(suspended.status?.startTime).toBeUndefined()
    await untilStatus({ terminating: 0 })
    expect(await bench.podsOf()).toEqual([])
    await patchJob({ spec: { suspend: false } })
    const resumed = await untilStatus({ active: 2 })
    expect(conditionTypes(resumed)).toEqual(['Suspended=False'])
    expect(await eventReasons()).toEqual([
      'Resumed: Job resumed',
      ...Array.from({ length: 4 }, () => 'SuccessfulCreate'),
      'SuccessfulDelete',
      'SuccessfulDelete',
      'Suspended: Job suspended',
    ])
  })

  it('runs every index once, and gives up on one alone', async () => {
    await open()
    await createJob({ completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 0 })
    await untilStatus({ active: 3 })
    for (const pod of await live()) await end(pod, pod.spec?.hostname === 'a-1' ? 'Failed' : 'Succeeded')
    const over = await until('its end', (job) => conditionTypes(job)?.includes('Failed=True') === true)
    expect(over.status).toMatchObject({ completedIndexes: '0,2', failedIndexes: '1', succeeded: 2, failed: 1 })
    expect(over.status?.conditions?.[0]).toMatchObject({ reason: 'FailedIndexes', message: 'Job has failed indexes' })
  })

  it('sets Waiting and Running', async () => {
    await open({ gates: {} })
    await createJob()
    expect(conditionTypes(await untilStatus({ active: 1 }))).toEqual(['Waiting=True'])
    await bench.report((await live())[0]!, 'running')
    await until('a running pod', (job) => isLike(conditionTypes(job), ['Waiting=False', 'Running=True']))
    await end((await live())[0]!, 'Succeeded')
    const over = await until('its end', (job) => job.status?.completionTime !== undefined)
    expect(conditionTypes(over)).toEqual(['Waiting=False', 'Running=False', 'SuccessCriteriaMet=True', 'Complete=True'])
  })

  it('leaves Jobs of other controllers alone', async () => {
    await open()
    await createJob({ managedBy: 'example.com/other' })
    bench.pass(5000)
    await bench.settle()
    expect([await bench.podsOf(), (await readJob()).status]).toEqual([[], {}])
    expect(counts.get('jobs_by_external_controller_total example.com/other')).toBe(1)
  })

  it('adopts selected pods, with the finalizer, and releases pods that it no longer selects', async () => {
    await open()
    const labelled = { ...template, metadata: { labels: { app: 'x' } } }
    await bench.client.create(pods, 'default', { metadata: { name: 'found', labels: { app: 'x' } }, spec: template.spec } as Pod)
    await createJob({ manualSelector: true, selector: { matchLabels: { app: 'x' } }, template: labelled })
    await untilStatus({ active: 1 })
    const found = () => bench.client.get(pods, { namespace: 'default', name: 'found' })
    expect(await bench.podsOf()).toHaveLength(1)
    expect((await found()).metadata).toMatchObject({
      finalizers: [trackingFinalizer],
      ownerReferences: [{ kind: 'Job', controller: true }],
    })
    await bench.client.patch(pods, { namespace: 'default', name: 'found' }, 'merge', { metadata: { labels: { app: 'y' } } })
    bench.pass(2000)
    await bench.settle()
    expect((await found()).metadata.finalizers).toBeUndefined()
    expect((await found()).metadata.ownerReferences).toBeUndefined()
    expect(await bench.podsOf()).toHaveLength(2)
  })

  it('removes the finalizer from pods that have no Job', async () => {
    await open()
    await createJob()
    await untilStatus({ active: 1 })
    await bench.client.delete(jobs, place, { propagationPolicy: 'Orphan' })
    const [pod] = await bench.podsOf()
    await bench.client.patch(pods, { namespace: 'default', name: pod!.metadata.name }, 'merge', { metadata: { ownerReferences: null } })
    await bench.until('the finalizer was removed', async () => (await bench.podsOf())[0]?.metadata.finalizers === undefined)
  })

  it('records failed creations and retries', async () => {
    let refuses = true
    await open({
      wrapClient: (client) => ({
        ...client,
        create(resource, namespace, object, options) {
          if (resource.plural === 'pods' && refuses) return Promise.reject(failure(403, 'Forbidden', 'no more pods'))
          return client.create(resource, namespace, object, options)
        },
      }),
    })
    await createJob({ parallelism: 3, completions: 3 })
    await bench.settle()
    expect(await bench.events()).toEqual(['FailedCreate: Error creating: no more pods'])
    expect((await readJob()).status?.active).toBeUndefined()
    expect(bench.failures).toEqual(['Job default/a: no more pods'])
    // It tries again after 1, 2, 4, … seconds, but after a minute at most.
    const triesAfter = async (seconds: number) => {
      bench.failures.length = 0
      for (let i = 0; i < seconds; i++) {
        bench.pass(1000)
        await bench.settle()
      }
      return bench.failures.length
    }
    expect(await triesAfter(15)).toBe(4)
    await triesAfter(200)
    expect(await triesAfter(120)).toBe(2)
    bench.failures.length = 0
    refuses = false
    bench.pass(60_000)
    await untilStatus({ active: 3 })
  })

  it('counts nothing twice when it stops between the list and the finalizers, and another takes over', async () => {
    let first: RunningController | undefined
    let parts: ControllerParts | undefined
    await open({
      start: (given) => {
        parts = given
        first = startJobController(given)
        return first
      },
      wrapClient: (client) => ({
        ...client,
        patch(resource, ref, type, patch, options) {
          if (resource.plural === 'pods') return Promise.reject(failure(500, 'InternalError', 'not now'))
          return client.patch(resource, ref, type, patch, options)
        },
      }),
    })
    await createJob({ completions: 2, parallelism: 2 })
    await untilStatus({ active: 2 })
    for (const pod of await live()) await end(pod, 'Succeeded')
    const listed = await until('the list', (job) => job.status?.uncountedTerminatedPods?.succeeded?.length === 2)
    expect(listed.status?.succeeded).toBeUndefined()
    await first?.stop()
    expect(new Set(bench.failures)).toEqual(new Set(['Job default/a: not now']))
    bench.failures.length = 0

    const { client, clock } = bench
    const informers = new SharedInformers({ client, clock })
    const second = startJobController({ ...parts!, client, informers })
    informers.start()
    await second.synced
    const over = await until('its end', (job) => job.status?.completionTime !== undefined)
    expect(over.status).toMatchObject({ succeeded: 2, uncountedTerminatedPods: {} })
    informers.stop()
    await second.stop()
  })
})

describe('the time to live', () => {
  it('deletes a finished Job when its time to live has expired', async () => {
    await open()
    await createJob({ ttlSecondsAfterFinished: 30, completions: 0 })
    await until('its end', (job) => job.status?.completionTime !== undefined)
    bench.pass(29_000)
    await bench.settle()
    await patchJob({ spec: { ttlSecondsAfterFinished: 60 } })
    bench.pass(20_000)
    await bench.settle()
    expect((await readJob()).metadata.deletionTimestamp).toBeUndefined()
    bench.pass(20_000)
    await bench.settle()
    // In the foreground: the garbage collector, which does not run here, would finish it.
    expect((await readJob()).metadata).toMatchObject({ finalizers: ['foregroundDeletion'] })
  })
})
