import { describe, expect, it } from 'vitest'
import { defaultFeatureGates } from '../../../api/machinery/feature-gates.ts'
import type { Job } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { makeJob, makePod, makeSnapshot, type PodTraits, startMs } from '../testing/sample-objects.ts'
import type { JobSnapshot } from './facts.ts'
import { planJob } from './plan.ts'
import type { JobPod } from './pods.ts'
import { planJobStatus, type StepOutcome } from './status.ts'

type Spec = Partial<NonNullable<Job['spec']>>
type Status = NonNullable<Job['status']>

const nowMs = startMs + 3_600_000
const now = formatTime(nowMs) as never
const startTime = formatTime(startMs) as never
const names = (pods: readonly JobPod[]) => pods.map(({ metadata }) => metadata.name)

/** The status after a sync in which every write succeeded, unless `outcome` says otherwise. */
function step(spec: Spec, pods: readonly JobPod[], status: Status = {}, more: Partial<JobSnapshot> = {}, outcome?: Partial<StepOutcome>) {
  const plan = planJob(makeSnapshot(makeJob(spec, status), pods, more))
  return planJobStatus(plan, { created: plan.creations.length, deleted: plan.deletions, ...outcome })
}
const begun: Status = { startTime, terminating: 0, ready: 0, uncountedTerminatedPods: {} }
const condition = (type: string, status: string, reason: string, message: string, time = now) => ({
  type,
  status,
  lastProbeTime: time,
  lastTransitionTime: time,
  reason,
  message,
})
const ended = (name: string, phase: 'Succeeded' | 'Failed', traits: PodTraits = {}) => makePod(name, { phase, ...traits })

describe('planJobStatus()', () => {
  it('begins', () => {
    expect(step({ parallelism: 2, completions: 2 }, []).status).toEqual({
      startTime: now,
      active: 2,
      terminating: 0,
      ready: 0,
      uncountedTerminatedPods: {},
    })
  })

  it('is not written when nothing has changed', () => {
    const status = { ...begun, active: 2, ready: 1, terminating: 1 }
    const pods = [makePod('a'), makePod('b', { isReady: true }), makePod('c', { isTerminating: true, isCounted: true })]
    expect(step({ parallelism: 2, completions: 4 }, pods, status).status).toBeUndefined()
  })

  it('is written when nothing but the terminating pods have become fewer', () => {
    expect(step({}, [makePod('a')], { ...begun, active: 1, terminating: 1 }).status).toMatchObject({ active: 1, terminating: 0 })
  })

  it('has no terminating pods with the gate off', () => {
    const gates = { ...defaultFeatureGates, JobPodReplacementPolicy: false, ExtendedWorkloadConditions: false }
    expect(step({}, [makePod('a')], {}, { gates }).status).not.toHaveProperty('terminating')
  })

  it('counts successful writes only', () => {
    expect(step({ parallelism: 3, completions: 3 }, [], begun, {}, { created: 1 }).status).toMatchObject({ active: 1 })
    const pods = [makePod('a', { isReady: true }), makePod('b', { isReady: true })]
    const half = step({ suspend: true, parallelism: 2 }, pods, begun, {}, { deleted: pods.slice(0, 1) })
    expect(half.status).toMatchObject({ active: 1, ready: 1, terminating: 1 })
  })

  describe('counting', () => {
    it('lists a pod before it releases it', () => {
      const { status, release, requeue } = step(
        { completions: 3, parallelism: 3 },
        [ended('a', 'Succeeded'), ended('b', 'Failed')],
        begun,
        {
          nowMs: startMs,
        },
      )
      expect(status).toMatchObject({ uncountedTerminatedPods: { succeeded: ['uid-a'], failed: ['uid-b'] } })
      expect(status).not.toHaveProperty('succeeded')
      expect(names(release)).toEqual(['a', 'b'])
      expect(requeue).toBe(true)
    })

    const listed: Status = { ...begun, uncountedTerminatedPods: { succeeded: ['uid-a'], failed: ['uid-b'] } }
    const counted = { succeeded: 1, failed: 1, uncountedTerminatedPods: {} }
    it.each<[string, JobPod[], Partial<JobSnapshot>]>([
      ['it has lost the finalizer', [ended('a', 'Succeeded', { isCounted: true }), ended('b', 'Failed', { isCounted: true })], {}],
      ['it was deleted', [], {}],
    ])('counts it when %s', (_, pods, more) => {
      const { status, release } = step({ completions: 3, parallelism: 3 }, pods, listed, { nowMs: startMs, ...more })
      expect(status).toMatchObject(counted)
      expect(release).toEqual([])
    })

    it('continues after a stop: listed, not released', () => {
      const { status, release } = step({ completions: 3, parallelism: 3 }, [ended('a', 'Succeeded'), ended('b', 'Failed')], listed, {
        nowMs: startMs,
      })
      expect(status?.uncountedTerminatedPods).toEqual(listed.uncountedTerminatedPods)
      expect(names(release)).toEqual(['a', 'b'])
    })

    it('keeps to it that a pod has failed, although it succeeded after it was deleted', () => {
      const status: Status = { ...begun, uncountedTerminatedPods: { failed: ['uid-a'] } }
      const next = step({}, [ended('a', 'Succeeded', { isTerminating: true })], status, { nowMs: startMs })
      expect(next.status?.uncountedTerminatedPods).toEqual({ failed: ['uid-a'] })
    })

    it('stops at 500 in one step', () => {
      const pods = Array.from({ length: 600 }, (_, index) => ended(`p${index}`, 'Succeeded'))
      const { status, release } = step({ completions: 600, parallelism: 600 }, pods, begun)
      expect(status?.uncountedTerminatedPods?.succeeded).toHaveLength(500)
      expect(release).toHaveLength(500)
      expect(status?.conditions?.map(({ type }) => type)).toEqual(['SuccessCriteriaMet'])
    })

    it('remembers the successes of an Indexed Job by their index', () => {
      const spec = { completionMode: 'Indexed', completions: 5, parallelism: 2 }
      const pods = [ended('a', 'Succeeded', { index: 3 }), ended('b', 'Succeeded', { index: 2 }), ended('c', 'Succeeded', { index: 9 })]
      const { status, release } = step(spec, pods, { ...begun, completedIndexes: '0,4', succeeded: 2 }, { nowMs: startMs })
      expect(status).toMatchObject({ succeeded: 4, completedIndexes: '0,2-4', uncountedTerminatedPods: {} })
      expect(names(release)).toEqual(['b', 'a', 'c'])
    })

    it('keeps the last failed pod of an index until its replacement is there', () => {
      const spec = { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 3 }
      const failed = ended('a', 'Failed', { index: 0 })
      expect(step(spec, [failed, makePod('b', { index: 1 })], begun, { nowMs: startMs })).toMatchObject({
        release: [],
        status: { failedIndexes: '' },
      })
      const replaced = step(spec, [failed, makePod('b', { index: 1 }), makePod('c', { index: 0 })], begun, { nowMs: startMs })
      expect(names(replaced.release)).toEqual(['a'])
      expect(replaced.status?.uncountedTerminatedPods).toEqual({ failed: ['uid-a'] })
    })

    it('fails no index because of a pod that was deleted when the Job ended', () => {
      const spec = { completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 0, maxFailedIndexes: 0 }
      const first = step(spec, [ended('a', 'Failed', { index: 0 }), makePod('b', { index: 1 })], begun, { nowMs: startMs })
      expect(first.status).toMatchObject({ failedIndexes: '0', uncountedTerminatedPods: { failed: ['uid-a', 'uid-b'] } })
      const second = step(spec, [makePod('b', { index: 1, isTerminating: true })], first.status, { nowMs: startMs })
      expect(second.status).toMatchObject({ failed: 1, failedIndexes: '0', uncountedTerminatedPods: { failed: ['uid-b'] } })
    })

    it('does not count ignored failures', () => {
      const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }]
      const next = step({ podFailurePolicy: { rules } }, [ended('a', 'Failed')], begun, { nowMs: startMs })
      expect([next.status, names(next.release), [...next.policyActions]]).toEqual([undefined, ['a'], [['Ignore', 1]]])
    })
  })

  describe('ending', () => {
    const reached = ['CompletionsReached', 'Reached expected number of succeeded pods'] as const
    const exceeded = ['BackoffLimitExceeded', 'Job has reached the specified backoff limit'] as const

    it('sets SuccessCriteriaMet first, then Complete', () => {
      const first = step({}, [ended('a', 'Succeeded')], begun)
      expect(first.status?.conditions).toEqual([condition('SuccessCriteriaMet', 'True', ...reached)])
      expect([first.finished, first.requeue, first.events]).toEqual([undefined, true, []])
      const second = step({}, [ended('a', 'Succeeded', { isCounted: true })], first.status)
      expect(second.status).toEqual({
        conditions: [condition('SuccessCriteriaMet', 'True', ...reached), condition('Complete', 'True', ...reached)],
        startTime,
        completionTime: now,
        succeeded: 1,
        terminating: 0,
        ready: 0,
        uncountedTerminatedPods: {},
      })
      expect(second).toMatchObject({
        finished: 'Complete',
        requeue: false,
        events: [{ type: 'Normal', reason: 'Completed', message: 'Job completed' }],
      })
    })

    it('sets FailureTarget first, then Failed; running pods count as failed', () => {
      const pods = [ended('a', 'Failed'), makePod('b')]
      const first = step({ backoffLimit: 0, parallelism: 2, completions: 2 }, pods, begun)
      expect(first.status).toMatchObject({
        terminating: 1,
        conditions: [condition('FailureTarget', 'True', ...exceeded)],
        uncountedTerminatedPods: { failed: ['uid-a', 'uid-b'] },
      })
      expect(names(first.release)).toEqual(['a', 'b'])
      const left = [ended('a', 'Failed', { isCounted: true }), makePod('b', { isTerminating: true, isCounted: true })]
      const second = step({ backoffLimit: 0 }, left, first.status)
      expect(second.status).toMatchObject({ failed: 2, terminating: 1, conditions: [{ type: 'FailureTarget' }] })
      expect(second.finished).toBeUndefined()
      const third = step({ backoffLimit: 0 }, [], second.status)
      expect(third.status).toMatchObject({
        failed: 2,
        terminating: 0,
        conditions: [{ type: 'FailureTarget' }, condition('Failed', 'True', ...exceeded)],
      })
      expect(third.status).not.toHaveProperty('completionTime')
      expect(third.events).toEqual([{ type: 'Warning', reason: exceeded[0], message: exceeded[1] }])
    })

    it('does not end while a pod could not be deleted', () => {
      const { status } = step({ backoffLimit: 0 }, [ended('a', 'Failed'), makePod('b')], begun, {}, { deleted: [] })
      expect(status?.conditions).toBeUndefined()
    })

    it('releases pods that the success policy makes unnecessary, without counting them', () => {
      const spec = { completionMode: 'Indexed', completions: 2, parallelism: 2, successPolicy: { rules: [{ succeededCount: 1 }] } }
      const { status, release } = step(spec, [ended('a', 'Succeeded', { index: 0 }), makePod('b', { index: 1 })], begun)
      expect(status?.conditions).toMatchObject([
        { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: 'Matched rules at index 0' },
      ])
      expect([status?.uncountedTerminatedPods, names(release)]).toEqual([{}, ['a', 'b']])
    })

    it('without completions waits until the other pods have terminated', () => {
      const spec = { completions: undefined as never, parallelism: 2 }
      expect(step(spec, [ended('a', 'Succeeded'), makePod('b')], begun).status?.conditions).toBeUndefined()
      expect(step(spec, [ended('a', 'Succeeded'), ended('b', 'Failed')], begun).status?.conditions).toMatchObject([
        { type: 'SuccessCriteriaMet' },
      ])
    })

    it('reports more successes than completions', () => {
      const status = { ...begun, succeeded: 2, conditions: [condition('SuccessCriteriaMet', 'True', ...reached)] }
      expect(step({}, [], status).events.map(({ reason }) => reason)).toEqual(['TooManySucceededPods', 'Completed'])
    })

    it('is complete at once with nothing to do, even suspended', () => {
      const spec = { completions: 0, suspend: true }
      const first = step(spec, [])
      expect(first.status?.conditions).toMatchObject([{ type: 'SuccessCriteriaMet' }])
      const second = step(spec, [], first.status)
      expect([second.finished, second.status?.startTime]).toEqual(['Complete', undefined])
    })
  })

  describe('suspension', () => {
    it('deletes the pods, removes the start time, and records it', () => {
      const { status, events } = step({ suspend: true, parallelism: 2 }, [makePod('a'), makePod('b')], { ...begun, active: 2 })
      expect(status).toEqual({
        conditions: [condition('Suspended', 'True', 'JobSuspended', 'Job suspended')],
        terminating: 2,
        ready: 0,
        uncountedTerminatedPods: {},
      })
      expect(events).toEqual([{ type: 'Normal', reason: 'Suspended', message: 'Job suspended' }])
    })

    it('starts again when it is resumed', () => {
      const status = { terminating: 0, ready: 0, conditions: [condition('Suspended', 'True', 'JobSuspended', 'Job suspended', startTime)] }
      const next = step({}, [], status)
      expect(next.status).toMatchObject({
        startTime: now,
        active: 1,
        conditions: [condition('Suspended', 'False', 'JobResumed', 'Job resumed')],
      })
      expect(next.events).toEqual([{ type: 'Normal', reason: 'Resumed', message: 'Job resumed' }])
    })

    it('adds no condition to a Job that never was suspended', () => {
      expect(step({}, []).status).not.toHaveProperty('conditions')
    })
  })

  describe('Waiting and Running', () => {
    const gates = defaultFeatureGates
    const seen = (status: Status | undefined) =>
      Object.fromEntries(status?.conditions?.map(({ type, status: value }) => [type, value]) ?? [])
    const sync = (pods: JobPod[], status: Status, spec: Spec = {}) => step(spec, pods, status, { gates })

    it('follow the pods through their life', () => {
      const created = sync([], begun).status!
      expect(seen(created)).toEqual({ Waiting: 'True' })
      expect(created.conditions).toEqual([condition('Waiting', 'True', 'PodsPending', 'No pod is running and at least one is pending')])
      const running = sync([makePod('a', { phase: 'Running' })], created).status!
      expect(seen(running)).toEqual({ Waiting: 'False', Running: 'True' })
      const back = sync([makePod('b', { phase: 'Pending' })], running).status!
      expect(seen(back)).toEqual({ Waiting: 'True', Running: 'False' })
      const over = sync([ended('b', 'Succeeded')], running).status!
      expect(seen(over)).toEqual({ Waiting: 'False', Running: 'False', SuccessCriteriaMet: 'True' })
    })

    it('count a pod as running until it has terminated, even if it is being deleted', () => {
      const pods = [makePod('a', { phase: 'Running', isTerminating: true, isCounted: true })]
      expect(seen(sync(pods, begun, { podReplacementPolicy: 'Failed' }).status)).toEqual({ Running: 'True' })
    })

    it('keep their times while nothing changes', () => {
      const first = sync([makePod('a')], { ...begun, active: 1 }).status!
      expect(step({}, [makePod('a')], first, { gates, nowMs: nowMs + 60_000 }).status).toBeUndefined()
    })

    it('are not added while the gate is off, and existing ones stay', () => {
      expect(step({}, [makePod('a')], begun).status?.conditions).toBeUndefined()
      const stale = [condition('Waiting', 'True', 'PodsPending', 'old', startTime)]
      expect(step({}, [makePod('a')], { ...begun, conditions: stale }).status?.conditions).toEqual(stale)
    })
  })
})
