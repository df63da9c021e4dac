import { describe, expect, it } from 'vitest'
import type { Job } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { kubernetesGates, makeJob, makePod, makeSnapshot, startMs } from '../testing/sample-objects.ts'
import { type JobSnapshot, replacesOnlyFailed } from './facts.ts'
import { planJob } from './plan.ts'
import { completionIndexKey, indexFailureCountKey, indexIgnoredFailureCountKey, type JobPod, trackingFinalizer } from './pods.ts'

type Spec = Partial<NonNullable<Job['spec']>>
const plan = (spec: Spec, pods: readonly JobPod[], more: Partial<JobSnapshot> = {}, status: Job['status'] = {}) =>
  planJob(makeSnapshot(makeJob(spec, status), pods, more))
const names = (pods: readonly JobPod[]) => pods.map(({ metadata }) => metadata.name)
const indexed = (spec: Spec = {}): Spec => ({ completionMode: 'Indexed', completions: 4, parallelism: 4, ...spec })
const failed = (name: string, index?: number, annotations?: Readonly<Record<string, string>>) =>
  makePod(name, { phase: 'Failed', ...(index !== undefined && { index }), ...(annotations && { annotations }) })

describe('planJob()', () => {
  it.each<[string, Spec, JobPod[], Job['status'], number]>([
    ['starts as many as may run at once', { completions: 5, parallelism: 2 }, [], {}, 2],
    ['starts no more than are missing', { completions: 5, parallelism: 9 }, [], { succeeded: 3 }, 2],
    ['counts those that run', { completions: 5, parallelism: 3 }, [makePod('a')], {}, 2],
    ['counts a success that is not in the status yet', { completions: 1 }, [makePod('a', { phase: 'Succeeded' })], {}, 0],
    ['starts none without parallelism', { completions: 5, parallelism: 0 }, [], {}, 0],
    ['without completions: as many as may run', { completions: undefined as never, parallelism: 3 }, [], {}, 3],
    ['without completions: none after a success', { completions: undefined as never, parallelism: 3 }, [], { succeeded: 1 }, 0],
    [
      'counts no success of a pod that was counted as failed when it was deleted',
      { completions: 2, parallelism: 2 },
      [makePod('a', { phase: 'Succeeded', isTerminating: true })],
      { uncountedTerminatedPods: { failed: ['uid-a'] } },
      2,
    ],
    ['at most 500 in a step', { completions: 900, parallelism: 900 }, [], {}, 500],
    ['at most 500 in a step of the largest Job', { completions: 2_147_483_647, parallelism: 2_147_483_647 }, [], {}, 500],
    ['at most 500 in a step of the largest indexed Job', indexed({ completions: 2_147_483_647, parallelism: 2_147_483_647 }), [], {}, 500],
    ['none while suspended', { suspend: true }, [], {}, 0],
    // The backoff of ten seconds has passed long ago in these.
    ['replaces a failed pod', {}, [failed('a')], {}, 1],
    [
      'replaces a terminating pod at once by default',
      {},
      [makePod('a', { isTerminating: true })],
      { uncountedTerminatedPods: { failed: ['uid-a'] } },
      1,
    ],
    ['writes first that it counts as failed', {}, [makePod('a', { isTerminating: true })], {}, 0],
    ['waits for a terminating pod under Failed', { podReplacementPolicy: 'Failed' }, [makePod('a', { isTerminating: true })], {}, 0],
    ['waits for it under terminatingAsActive', { terminatingAsActive: true }, [makePod('a', { isTerminating: true })], {}, 0],
    ['waits for it with a pod failure policy', { podFailurePolicy: { rules: [] } }, [makePod('a', { isTerminating: true })], {}, 0],
    ['replaces it when it has failed', { podReplacementPolicy: 'Failed' }, [makePod('a', { isTerminating: true, phase: 'Failed' })], {}, 1],
  ])('%s', (_, spec, pods, status, expected) => {
    expect(plan(spec, pods, {}, status).creations).toHaveLength(expected)
  })

  it('does nothing for a Job that is being deleted', () => {
    const job = makeJob({}, {}, { deletionTimestamp: formatTime(startMs) })
    expect(planJob(makeSnapshot(job, [])).creations).toEqual([])
  })

  it('waits ten seconds after a failure, and twice as long after the next', () => {
    const nowMs = startMs + 4000
    const first = plan({}, [failed('a')], { nowMs })
    expect([first.creations.length, first.requeueAtMs]).toEqual([0, startMs + 10_000])
    const second = plan({}, [failed('b')], { nowMs, backoff: { failures: 1, lastFailureAtMs: startMs - 30_000 } })
    expect(second.requeueAtMs).toBe(startMs + 20_000)
  })

  it('requeues for the active deadline', () => {
    const status = { startTime: formatTime(startMs) as never }
    const early = plan({ activeDeadlineSeconds: 60 }, [makePod('a')], { nowMs: startMs + 1000 }, status)
    expect([early.requeueAtMs, early.facts.ending]).toEqual([startMs + 60_000, undefined])
  })

  it.each<[string, Spec, JobPod[], string[]]>([
    [
      'what has got less far goes first',
      { completions: 5, parallelism: 1 },
      [
        makePod('ready', { isReady: true, spec: { nodeName: 'n' } }),
        makePod('running', { spec: { nodeName: 'n' } }),
        makePod('pending', { phase: 'Pending', spec: { nodeName: 'n' } }),
        makePod('unassigned', { phase: 'Pending' }),
      ],
      ['unassigned', 'pending', 'running'],
    ],
    ['all of a suspended Job', { suspend: true, parallelism: 2 }, [makePod('a'), makePod('b'), failed('c')], ['a', 'b']],
    [
      'pods beyond the missing completions',
      { completions: 1, parallelism: 2 },
      [makePod('a'), makePod('b', { phase: 'Succeeded' })],
      ['a'],
    ],
    [
      'twice the same index, no index, and one too high',
      indexed({ completions: 2, parallelism: 5 }),
      [
        makePod('a', { index: 0, isReady: true }),
        makePod('b', { index: 0 }),
        makePod('none'),
        makePod('high', { index: 2 }),
        makePod('ok', { index: 1 }),
      ],
      ['b', 'none', 'high'],
    ],
  ])('deletes %s', (_, spec, pods, expected) => {
    const { deletions, releaseFirst, creations, action } = plan(spec, pods)
    expect([...names(deletions)].sort()).toEqual([...expected].sort())
    expect([releaseFirst, creations, action]).toEqual([true, [], 'pods_deleted'])
  })

  it('creates pods with the finalizer, an owner and a generated name', () => {
    const [pod] = plan({}, []).creations
    expect(pod).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: 'a-',
        labels: { app: 'x' },
        finalizers: [trackingFinalizer],
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'a', uid: 'job', controller: true, blockOwnerDeletion: true }],
      },
      spec: { containers: [{ name: 'c', image: 'x' }], restartPolicy: 'Never' },
    })
  })

  it('gives every pod of an Indexed Job its index', () => {
    const own = { name: 'JOB_COMPLETION_INDEX', value: 'mine' }
    const containers = [{ name: 'c' }, { name: 'd', env: [own] }]
    const { creations } = plan(indexed({ template: { spec: { containers, initContainers: [{ name: 'i', env: [{ name: 'A' }] }] } } }), [])
    const variable = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath: `metadata.labels['${completionIndexKey}']` } } }
    expect(creations).toHaveLength(4)
    expect(creations[2]).toMatchObject({
      metadata: { generateName: 'a-2-', labels: { [completionIndexKey]: '2' }, annotations: { [completionIndexKey]: '2' } },
      spec: {
        hostname: 'a-2',
        containers: [
          { name: 'c', env: [variable] },
          { name: 'd', env: [own] },
        ],
        initContainers: [{ name: 'i', env: [{ name: 'A' }, variable] }],
      },
    })
  })

  it('truncates a long name so that the index stays in the name of the pod', () => {
    const job = makeJob(indexed(), {}, { name: 'x'.repeat(60) })
    expect(planJob(makeSnapshot(job, [])).creations[3]?.metadata?.generateName).toBe(`${'x'.repeat(55)}-3-`)
  })

  const indexesOf = (spec: Spec, pods: JobPod[], status: Job['status'] = {}, nowMs = startMs + 3_600_000) =>
    plan(spec, pods, { nowMs }, status).creations.map(({ metadata }) => metadata?.annotations?.[completionIndexKey])

  it.each<[string, Spec, JobPod[], Job['status'], string[]]>([
    ['the lowest first', indexed({ parallelism: 2 }), [], {}, ['0', '1']],
    ['not succeeded or active ones', indexed(), [makePod('a', { index: 2 })], { completedIndexes: '0' }, ['1', '3']],
    ['not one that has just succeeded', indexed(), [makePod('a', { index: 1, phase: 'Succeeded' })], {}, ['0', '2', '3']],
    [
      'what succeeded only after it was counted as failed',
      indexed({ completions: 1 }),
      [makePod('a', { index: 0, phase: 'Succeeded', isTerminating: true })],
      { uncountedTerminatedPods: { failed: ['uid-a'] } },
      ['0'],
    ],
    ['one that is being deleted, by default', indexed(), [makePod('a', { index: 1, isTerminating: true })], {}, ['0', '1', '2', '3']],
    [
      'not what is being deleted, under Failed',
      indexed({ podReplacementPolicy: 'Failed' }),
      [makePod('a', { index: 1, isTerminating: true })],
      {},
      ['0', '2', '3'],
    ],
    ['not failed ones', indexed({ backoffLimitPerIndex: 0 }), [failed('a', 1)], { failedIndexes: '0' }, ['2', '3']],
  ])('creates indexes: %s', (_, spec, pods, status, expected) => {
    expect(indexesOf(spec, pods, status)).toEqual(expected)
  })

  it('backs off each index separately', () => {
    const spec = indexed({ completions: 2, parallelism: 2, backoffLimitPerIndex: 3 })
    const pods = [failed('a', 0, { [indexFailureCountKey]: '1' })]
    expect(indexesOf(spec, pods, {}, startMs + 15_000)).toEqual(['1'])
    expect(plan(spec, pods, { nowMs: startMs + 15_000 }).requeueAtMs).toBe(startMs + 20_000)
    expect(indexesOf(spec, pods, {}, startMs + 20_000)).toEqual(['0', '1'])
  })

  it('hands the failure counts of an index on', () => {
    const spec = indexed({ completions: 1, parallelism: 1, backoffLimitPerIndex: 5 })
    const counts = (pod: JobPod, policy?: Spec['podFailurePolicy']) =>
      plan({ ...spec, ...(policy && { podFailurePolicy: policy }) }, [pod]).creations[0]?.metadata?.annotations
    expect(plan(spec, []).creations[0]?.metadata?.annotations).toEqual({ [completionIndexKey]: '0', [indexFailureCountKey]: '0' })
    expect(counts(failed('a', 0, { [indexFailureCountKey]: '2' }))).toMatchObject({ [indexFailureCountKey]: '3' })
    const ignore = { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }] }
    expect(counts(failed('a', 0, { [indexFailureCountKey]: '2' }), ignore)).toEqual({
      [completionIndexKey]: '0',
      [indexFailureCountKey]: '2',
      [indexIgnoredFailureCountKey]: '1',
    })
  })

  const restarts = (count: number) => ({ containerStatuses: [{ name: 'c', image: '', imageID: '', ready: false, restartCount: count }] })
  const onFailure = { template: { spec: { containers: [{ name: 'c' }], restartPolicy: 'OnFailure' } } }
  const policy = { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] }
  it.each<[string, Spec, JobPod[], Job['status'], string | undefined]>([
    ['too many failures', { backoffLimit: 1 }, [failed('a')], { failed: 1 }, 'BackoffLimitExceeded'],
    ['just not too many', { backoffLimit: 2 }, [failed('a')], { failed: 1 }, undefined],
    [
      'failures that wait in the status count',
      { backoffLimit: 0 },
      [],
      { uncountedTerminatedPods: { failed: ['u'] } },
      'BackoffLimitExceeded',
    ],
    [
      'a failure that was counted before counts once',
      { backoffLimit: 1 },
      [makePod('a', { phase: 'Failed', isCounted: true })],
      { failed: 1 },
      undefined,
    ],
    ['too many restarts', { ...onFailure, backoffLimit: 3 }, [makePod('a', { status: restarts(3) })], {}, 'BackoffLimitExceeded'],
    ['one restart of none', { ...onFailure, backoffLimit: 0 }, [makePod('a', { status: restarts(1) })], {}, 'BackoffLimitExceeded'],
    ['not too many restarts', { ...onFailure, backoffLimit: 3 }, [makePod('a', { status: restarts(2) })], {}, undefined],
    ['the deadline', { activeDeadlineSeconds: 60 }, [makePod('a')], { startTime: formatTime(startMs) as never }, 'DeadlineExceeded'],
    [
      'no deadline while suspended',
      { activeDeadlineSeconds: 60, suspend: true },
      [],
      { startTime: formatTime(startMs) as never },
      undefined,
    ],
    ['the pod failure policy', { podFailurePolicy: policy }, [failed('a')], {}, 'PodFailurePolicy'],
    [
      'too many failed indexes',
      indexed({ backoffLimitPerIndex: 0, maxFailedIndexes: 0 }),
      [failed('a', 0)],
      {},
      'MaxFailedIndexesExceeded',
    ],
    [
      'nothing but failed indexes left',
      indexed({ backoffLimitPerIndex: 0 }),
      [failed('a', 3)],
      { completedIndexes: '0-2' },
      'FailedIndexes',
    ],
    ['a failed index among others', indexed({ backoffLimitPerIndex: 0 }), [failed('a', 3)], { completedIndexes: '0' }, undefined],
    [
      'the success policy',
      indexed({ successPolicy: { rules: [{ succeededCount: 2 }] } }),
      [makePod('a', { index: 3, phase: 'Succeeded' })],
      { completedIndexes: '0' },
      'SuccessPolicy',
    ],
    [
      'what was decided before',
      { backoffLimit: 0 },
      [failed('a')],
      { conditions: [{ type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded' }] },
      'DeadlineExceeded',
    ],
  ])('ends because of %s', (_, spec, pods, status, reason) => {
    const { facts, deletions, creations } = plan(spec, pods, {}, status)
    expect(facts.ending?.reason).toBe(reason)
    if (reason !== undefined) {
      expect(deletions).toEqual(facts.active)
      expect(creations).toEqual([])
    }
  })

  it('counts no failure that the policy ignores', () => {
    const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }]
    const disrupted = makePod('a', { phase: 'Failed', status: { conditions: [{ type: 'DisruptionTarget', status: 'True' }] } })
    expect(plan({ backoffLimit: 0, podFailurePolicy: { rules } }, [disrupted]).facts.ending).toBeUndefined()
  })

  it('fails an index at once with FailIndex', () => {
    const rules = [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }]
    const spec = indexed({ backoffLimitPerIndex: 5, podFailurePolicy: { rules } })
    expect(plan(spec, [failed('a', 2)]).facts.failedIndexes).toEqual([{ first: 2, last: 2 }])
  })
})

describe('replacesOnlyFailed()', () => {
  it.each<[string, Spec, object, Partial<typeof kubernetesGates>, boolean]>([
    ['not by default', {}, {}, {}, false],
    ['by the policy', { podReplacementPolicy: 'Failed' }, {}, {}, true],
    ['not with its gate off', { podReplacementPolicy: 'Failed' }, {}, { JobPodReplacementPolicy: false }, false],
    ['with a pod failure policy, whatever the gate', { podFailurePolicy: { rules: [] } }, {}, { JobPodReplacementPolicy: false }, true],
    ["by the draft's field", { terminatingAsActive: true }, {}, {}, true],
    ['not with its gate off', { terminatingAsActive: true }, {}, { TerminatingAsActive: false }, false],
    ['by the annotation', {}, { annotations: { 'rollcall.dev/terminating-as-active': 'true' } }, {}, true],
    ['not by an annotation that cannot be read', {}, { annotations: { 'rollcall.dev/terminating-as-active': 'yes' } }, {}, false],
    ['the field wins', { terminatingAsActive: false }, { annotations: { 'rollcall.dev/terminating-as-active': 'true' } }, {}, false],
  ])('%s', (_, spec, metadata, gates, expected) => {
    expect(replacesOnlyFailed(makeJob(spec, {}, metadata), { ...kubernetesGates, ...gates })).toBe(expected)
  })
})
