import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { minute, progressed, progressing, sync } from '../testing/planned.ts'
import { gatesWith, type SampleSet, scaledFor, startMs } from '../testing/sample-objects.ts'
import { revisionAnnotation, unreportedReplicasAnnotation } from './annotations.ts'
import { conditionOf } from './conditions.ts'

describe('planDeployment(): progress', () => {
  const counts = (all: number) => ({
    observedGeneration: 1,
    replicas: all,
    updatedReplicas: all,
    readyReplicas: all,
    availableReplicas: all,
  })
  const done: SampleSet = { size: 2, annotations: scaledFor(2, 3) }

  it('is complete when all pods are new and available', () => {
    const plan = sync({ replicas: 2, status: { conditions: [progressed('ReplicaSetUpdated', minute)] } }, [done])
    expect(progressing(plan)).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: 'ReplicaSet "web-1" has successfully progressed.',
    })
    expect(progressing(plan)?.lastTransitionTime).toBe(formatTime(startMs - minute))
  })

  it('under TerminationComplete only when no pod is terminating, and each termination is progress', () => {
    const status = { ...counts(2), terminatingReplicas: 3, conditions: [progressed('ReplicaSetUpdated', minute)] }
    const withTerminating = (terminatingReplicas: number) =>
      sync({ replicas: 2, policy: 'TerminationComplete', status }, [{ ...done, status: { terminatingReplicas } }])
    expect(progressing(withTerminating(2))).toMatchObject({ reason: 'ReplicaSetUpdated', lastUpdateTime: formatTime(startMs) })
    expect(progressing(withTerminating(4))).toMatchObject({ reason: 'ReplicaSetUpdated', lastUpdateTime: formatTime(startMs - minute) })
    expect(progressing(withTerminating(0))).toMatchObject({ reason: 'NewReplicaSetAvailable' })
    const without = sync({ replicas: 2, status }, [{ ...done, status: { terminatingReplicas: 2 } }])
    expect(progressing(without)).toMatchObject({ reason: 'NewReplicaSetAvailable' })
  })

  it.each<[string, SampleSet]>([
    ['has a size', { size: 1, status: { replicas: 0, observedGeneration: 0 } }],
    [
      'was scaled down and may have had more',
      { size: 0, annotations: { [unreportedReplicasAnnotation]: '1' }, status: { observedGeneration: 0 } },
    ],
  ])('is not complete under TerminationComplete while an old ReplicaSet that has not reported %s', (_name, old) => {
    const status = { conditions: [progressed('ReplicaSetUpdated', minute)] }
    const sets: SampleSet[] = [done, { image: 'old', age: 2, ...old }]
    expect(progressing(sync({ replicas: 2, policy: 'TerminationComplete', status }, sets))).toMatchObject({ reason: 'ReplicaSetUpdated' })
    const reported = { ...old, size: 0, status: { replicas: 0 } }
    expect(
      progressing(sync({ replicas: 2, policy: 'TerminationComplete', status }, [done, { image: 'old', age: 2, ...reported }])),
    ).toMatchObject({
      reason: 'NewReplicaSetAvailable',
    })
  })

  it('does not stay complete from an earlier rollout while the pods of a deleted ReplicaSet exist', () => {
    const status = { ...counts(1), terminatingReplicas: 0, conditions: [progressed('NewReplicaSetAvailable', minute)] }
    const unreported = { replicas: 0, readyReplicas: 0, availableReplicas: 0, observedGeneration: 0 }
    const strays = [{ metadata: { name: 'old', labels: {} }, status: { phase: 'Running' } } as Pod]
    const planWith = (more: { strays?: readonly Pod[] }) =>
      sync({ replicas: 2, policy: 'TerminationComplete', status }, [{ ...done, status: unreported }], more)
    expect(progressing(planWith({ strays }))).toMatchObject({ reason: 'ReplicaSetUpdated' })
    expect(progressing(planWith({}))).toMatchObject({ reason: 'NewReplicaSetAvailable' })
  })

  it('is called complete only with all pods of deleted ReplicaSets', () => {
    const planFor = (reason: string, policy?: 'TerminationComplete') =>
      sync({ replicas: 2, ...(policy && { policy }), status: { ...counts(2), conditions: [progressed(reason, minute)] } }, [done])
    expect(planFor('ReplicaSetUpdated', 'TerminationComplete').needsAllPods).toBe(true)
    expect(planFor('NewReplicaSetAvailable', 'TerminationComplete').needsAllPods).toBeUndefined()
    expect(planFor('ReplicaSetUpdated').needsAllPods).toBeUndefined()
  })

  it('stays complete, whatever terminates later', () => {
    const status = { ...counts(2), terminatingReplicas: 0, conditions: [progressed('NewReplicaSetAvailable', minute)] }
    const plan = sync({ replicas: 2, policy: 'TerminationComplete', status }, [{ ...done, status: { terminatingReplicas: 1 } }])
    expect(progressing(plan)).toMatchObject({ reason: 'NewReplicaSetAvailable', lastUpdateTime: formatTime(startMs - minute) })
  })

  it.each([undefined, 'TerminationComplete'] as const)(
    'a rollback to an existing ReplicaSet is a rollout, and reaches the deadline (policy %s)',
    (policy) => {
      const unready = { availableReplicas: 0, readyReplicas: 0 }
      const back: SampleSet = { size: 2, image: 'a:1', annotations: { ...scaledFor(2, 3), [revisionAnnotation]: '3' }, status: unready }
      const left: SampleSet = { size: 0, image: 'a:2', age: 1, annotations: { [revisionAnnotation]: '2' } }
      const spec = { replicas: 2, image: 'a:1', ...(policy && { policy }) }
      const before = { ...counts(2), terminatingReplicas: 0, conditions: [progressed('NewReplicaSetAvailable', minute)] }
      const first = sync({ ...spec, annotations: { [revisionAnnotation]: '2' }, status: before }, [back, left])
      expect(progressing(first)).toMatchObject({ reason: 'FoundNewReplicaSet', lastUpdateTime: formatTime(startMs) })
      expect(first.requeueAtMs).toBe(startMs + 600_001)
      const later = { ...before, ...unready, conditions: [progressed('FoundNewReplicaSet', 11 * minute)] }
      const last = sync({ ...spec, annotations: { [revisionAnnotation]: '3' }, status: later }, [back, left])
      expect(progressing(last)).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' })
    },
  )

  it('under TerminationComplete pods that wait for room are unavailable', () => {
    const spec = { replicas: 5, policy: 'TerminationComplete' } as const
    const plan = sync(spec, [{ size: 2, annotations: scaledFor(5, 6), status: { terminatingReplicas: 4 } }])
    expect(plan.status?.status).toMatchObject({ availableReplicas: 2, unavailableReplicas: 3 })
  })

  const slow: SampleSet = { ...done, status: { availableReplicas: 0, readyReplicas: 0 } }
  const waiting = (agoMs: number) => ({
    observedGeneration: 1,
    replicas: 2,
    updatedReplicas: 2,
    unavailableReplicas: 2,
    terminatingReplicas: 0,
    conditions: [
      progressed('ReplicaSetUpdated', agoMs),
      { ...progressed('MinimumReplicasUnavailable', agoMs, 'False'), type: 'Available' },
    ],
  })
  const alone = { gates: gatesWith({ ExtendedWorkloadConditions: false }) }

  it('is requeued for the moment after the deadline', () => {
    const plan = sync({ replicas: 2, status: waiting(4 * minute), annotations: { [revisionAnnotation]: '1' } }, [slow], alone)
    expect(plan).toEqual({ actions: [], events: [], reasons: plan.reasons, requeueAtMs: startMs + 6 * minute + 1 })
  })

  it('is missed when the deadline has passed', () => {
    const plan = sync({ replicas: 2, status: waiting(10 * minute + 1000) }, [slow])
    expect(progressing(plan)).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: 'ReplicaSet "web-1" has timed out progressing.',
      lastTransitionTime: formatTime(startMs),
    })
    expect(plan.requeueAtMs).toBeUndefined()
    expect(progressing(sync({ replicas: 2, status: waiting(10 * minute) }, [slow]))).toMatchObject({ reason: 'ReplicaSetUpdated' })
  })

  describe('while the new ReplicaSet is being deleted, and a pod holds it', () => {
    const deleted: SampleSet = {
      ...done,
      isBeingDeleted: true,
      status: { replicas: 0, readyReplicas: 0, availableReplicas: 0, terminatingReplicas: 1 },
    }
    const deletionTimestamp = formatTime(startMs - minute + 30_000)
    const pod = { metadata: { name: 'p', deletionTimestamp, deletionGracePeriodSeconds: 30 }, status: { phase: 'Running' } } as Pod
    const wait = `Waiting for the deletion of ReplicaSet "web-1", which has 1 terminating pod since ${formatTime(startMs - minute)}: p.`
    const goesOn = `ReplicaSet "web-1" is progressing. ${wait}`
    const timedOut = `ReplicaSet "web-1" has timed out progressing. ${wait}`
    const complete = progressed('NewReplicaSetAvailable', 20 * minute)
    const rows = [
      // What the condition was before, and becomes.
      ['TerminationComplete', 'RollingUpdate', complete, 'ReplicaSetUpdated', goesOn],
      ['TerminationComplete', 'Recreate', complete, 'ReplicaSetUpdated', goesOn],
      ['TerminationStarted', 'RollingUpdate', complete, 'ReplicaSetUpdated', goesOn],
      ['TerminationStarted', 'Recreate', complete, 'ReplicaSetUpdated', goesOn],
      ['TerminationComplete', 'Recreate', progressed('ReplicaSetUpdated', 11 * minute), 'ProgressDeadlineExceeded', timedOut],
      ['TerminationStarted', 'RollingUpdate', progressed('ReplicaSetUpdated', 11 * minute), 'ProgressDeadlineExceeded', timedOut],
      [undefined, 'RollingUpdate', complete, 'NewReplicaSetAvailable', ''],
    ] as const

    it.each(rows)('%s, %s', (policy, strategy, before, reason, message) => {
      const status = { ...counts(0), terminatingReplicas: 1, conditions: [before] }
      const set = { ...deleted, annotations: scaledFor(2, strategy === 'Recreate' ? 2 : 3) }
      const plan = sync({ replicas: 2, strategy, ...(policy && { policy }), status }, [set], { pods: { 'web-1': [pod] } })
      expect(plan.actions).toEqual([])
      expect(progressing(plan)).toMatchObject({ reason, message })
    })

    it('names the ReplicaSet alone if only a finalizer holds it', () => {
      const status = { ...counts(0), terminatingReplicas: 0, conditions: [progressed('ReplicaSetUpdated', minute)] }
      const held: SampleSet = { ...deleted, status: { ...deleted.status, terminatingReplicas: 0 } }
      expect(progressing(sync({ replicas: 2, policy: 'TerminationComplete', status }, [held]))?.message).toMatch(
        /Waiting for the deletion of ReplicaSet "web-1"\.$/,
      )
    })
  })

  it('is not spoken of without a deadline', () => {
    const plan = sync({ replicas: 2, spec: { progressDeadlineSeconds: 2 ** 31 - 1 }, status: waiting(minute) }, [slow])
    expect(progressing(plan)).toBeUndefined()
  })

  it('starts with a set that was there before', () => {
    const plan = sync({ replicas: 2 }, [{ ...slow, status: { ...slow.status, replicas: 0 } }])
    expect(progressing(plan)).toMatchObject({ reason: 'FoundNewReplicaSet', message: 'Found new replica set "web-1"' })
  })

  it('reports the failure of a ReplicaSet', () => {
    const failure = {
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedCreate',
      message: 'quota',
      lastTransitionTime: formatTime(startMs),
    }
    const plan = sync({ replicas: 2 }, [{ ...slow, status: { conditions: [failure] } }])
    expect(conditionOf(plan.status?.status?.conditions, 'ReplicaFailure')).toEqual({ ...failure, lastUpdateTime: formatTime(startMs) })
  })

  it('pauses and resumes', () => {
    const status = { conditions: [progressed('ReplicaSetUpdated', minute)] }
    expect(progressing(sync({ replicas: 2, spec: { paused: true }, status }, [done]))).toMatchObject({
      status: 'Unknown',
      reason: 'DeploymentPaused',
      message: 'Deployment is paused',
    })
    const paused = { conditions: [progressed('DeploymentPaused', minute, 'Unknown')] }
    expect(progressing(sync({ replicas: 2, status: paused }, [slow]))).toMatchObject({
      status: 'True',
      reason: 'ReplicaSetUpdated',
    })
    const resumed = sync({ replicas: 2, status: { ...paused, replicas: 2, updatedReplicas: 2 } }, [slow])
    expect(progressing(resumed)).toMatchObject({ status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed' })
  })
})
