import { describe, expect, it } from 'vitest'
import type { Pod, ReplicaSet, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import {
  gatesWith,
  type SampleDeployment,
  type SampleSet,
  sampleDeployment,
  sampleSet,
  sampleSnapshot,
  scaledFor,
  startMs,
} from '../testing/sample-objects.ts'
import { annotationOf, replicasBeforeScaleAnnotation, revisionAnnotation, revisionHistoryAnnotation } from './annotations.ts'
import { conditionOf } from './conditions.ts'
import { planDeployment } from './deployment.ts'
import { sizeOf } from './replica-sets.ts'
import type { DeploymentPlan } from './snapshot.ts'

const sync = (deployment: SampleDeployment, sets: readonly SampleSet[], more: Parameters<typeof sampleSnapshot>[2] = {}) =>
  planDeployment(sampleSnapshot(sampleDeployment(deployment), sets.map(sampleSet), more), startMs)

const created = ({ actions }: DeploymentPlan): ReplicaSet =>
  actions.flatMap((one) => (one.action === 'create-set' ? [one.replicaSet] : []))[0]!
const sizes = ({ actions }: DeploymentPlan) =>
  Object.fromEntries(
    actions.flatMap((one) =>
      one.action === 'update-set' || one.action === 'create-set' ? [[one.replicaSet.metadata!.name, sizeOf(one.replicaSet)]] : [],
    ),
  )
const messages = ({ actions }: DeploymentPlan) => actions.flatMap((one) => ('event' in one && one.event ? [one.event.message] : []))
const progressing = ({ status }: DeploymentPlan) => conditionOf(status?.status?.conditions, 'Progressing')

const minute = 60_000
const progressed = (reason: string, agoMs: number, status = 'True') => ({
  type: 'Progressing',
  status,
  reason,
  message: '',
  lastUpdateTime: formatTime(startMs - agoMs),
  lastTransitionTime: formatTime(startMs - agoMs),
})

describe('planDeployment(): the first set', () => {
  const plan = sync({ replicas: 3, annotations: { note: 'x', 'kubectl.kubernetes.io/last-applied-configuration': '{}' } }, [])

  it('is created with its size, revision, and the settings of the Deployment', () => {
    const set = created(plan)
    const hash = set.metadata!.labels!['pod-template-hash']!
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/)
    expect(set.metadata).toEqual({
      name: `web-${hash}`,
      namespace: 'n',
      labels: { app: 'x', 'pod-template-hash': hash },
      annotations: { note: 'x', [revisionAnnotation]: '1', ...scaledFor(3, 4) },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd', controller: true, blockOwnerDeletion: true }],
    })
    expect(set.spec?.replicas).toBe(3)
    expect(set.spec?.selector).toEqual({ matchLabels: { app: 'x', 'pod-template-hash': hash } })
    expect(set.spec?.template?.metadata?.labels).toEqual({ app: 'x', 'pod-template-hash': hash })
    expect(messages(plan)).toEqual([`Scaled up replica set web-${hash} from 0 to 3`])
  })

  it('is reported in the status, in one write with the revision', () => {
    expect(annotationOf(plan.status!, revisionAnnotation)).toBe('1')
    expect(progressing(plan)).toMatchObject({ status: 'True', reason: 'NewReplicaSetCreated' })
    expect(progressing(plan)?.message).toBe(`Created new replica set "${created(plan).metadata?.name}"`)
    expect(plan.status?.status).toMatchObject({ observedGeneration: 1, unavailableReplicas: 3, terminatingReplicas: 0 })
  })

  it('has another name after a collision', () => {
    const other = sync({ replicas: 3, status: { collisionCount: 1 } }, [])
    expect(created(other).metadata?.name).not.toBe(created(plan).metadata?.name)
    expect(other.status?.status?.collisionCount).toBe(1)
  })

  it('has a name of 253 characters at most', () => {
    const deployment = sampleDeployment({})
    const long = { ...deployment, metadata: { ...deployment.metadata, name: 'x'.repeat(253) } }
    expect(created(planDeployment(sampleSnapshot(long, []), startMs)).metadata?.name).toHaveLength(253)
  })
})

describe('planDeployment(): a rolling update', () => {
  const deployment: SampleDeployment = { replicas: 10, maxSurge: 3, maxUnavailable: 2, image: 'a:2', generation: 2 }
  const old: SampleSet = { size: 10, annotations: scaledFor(10, 13) }

  it('creates the new ReplicaSet with the size of the surge, and scales the old one down in the same sync', () => {
    const plan = sync(deployment, [old])
    expect(Object.values(sizes(plan))).toEqual([3, 8])
    expect(annotationOf(created(plan), revisionAnnotation)).toBe('2')
  })

  it('scales the new ReplicaSet up into the room, and does nothing else in that sync', () => {
    const plan = sync(deployment, [
      { ...old, size: 8 },
      { size: 3, age: 2, image: 'a:2', status: { availableReplicas: 0 } },
    ])
    expect(sizes(plan)).toEqual({ 'web-2': 5 })
    expect(messages(plan)).toEqual(['Scaled up replica set web-2 from 3 to 5'])
  })

  it('removes unavailable pods first', () => {
    const plan = sync({ ...deployment, maxSurge: 0 }, [
      { ...old, size: 5, status: { availableReplicas: 5 } },
      { size: 3, age: 2, image: 'b', status: { availableReplicas: 1 } },
      { size: 2, age: 3, image: 'a:2' },
    ])
    expect(sizes(plan)).toEqual({ 'web-2': 1 })
  })

  it('under TerminationComplete counts terminating pods, in all sets, before it grows the new one', () => {
    const sets = (terminating: number): SampleSet[] => [
      { ...old, size: 8, status: { terminatingReplicas: terminating } },
      { size: 3, age: 2, image: 'a:2', status: { availableReplicas: 0 } },
    ]
    expect(sizes(sync({ ...deployment, policy: 'TerminationComplete' }, sets(2)))).toEqual({})
    expect(sizes(sync({ ...deployment, policy: 'TerminationComplete' }, sets(1)))).toEqual({ 'web-2': 4 })
    for (const policy of [undefined, 'TerminationStarted'] as const)
      expect(sizes(sync({ ...deployment, ...(policy && { policy }) }, sets(2)))).toEqual({ 'web-2': 5 })
  })

  it('under TerminationComplete creates an empty ReplicaSet if there is no room', () => {
    const plan = sync({ ...deployment, policy: 'TerminationComplete' }, [{ ...old, status: { terminatingReplicas: 3 } }])
    expect(sizeOf(created(plan))).toBe(0)
    expect(messages(plan)).toEqual(['Scaled down replica set web-1 from 10 to 8'])
  })

  it('means the same by its annotation, and the field wins', () => {
    const sets: SampleSet[] = [
      { ...old, size: 8, status: { terminatingReplicas: 2 } },
      { size: 3, age: 2, image: 'a:2', status: { availableReplicas: 0 } },
    ]
    const annotations = { 'rollcall.dev/pod-replacement-policy': 'TerminationComplete' }
    expect(sync({ ...deployment, annotations }, sets).actions).not.toContainEqual(expect.objectContaining({ event: expect.anything() }))
    expect(messages(sync({ ...deployment, annotations, policy: 'TerminationStarted' }, sets))).toEqual([
      'Scaled up replica set web-2 from 3 to 5',
    ])
  })

  it('reports an invalid annotation once', () => {
    const annotations = { 'rollcall.dev/pod-replacement-policy': 'Later' }
    const { events } = sync({ ...deployment, annotations }, [])
    expect(events).toEqual([
      {
        type: 'Warning',
        reason: 'InvalidAnnotation',
        message:
          'Cannot read annotation "rollcall.dev/pod-replacement-policy": must be TerminationStarted or TerminationComplete, got "Later"',
      },
    ])
    expect(sync({ ...deployment, annotations, status: { observedGeneration: 2 } }, []).events).toEqual([])
  })

  it('does as Kubernetes while the gate is off, and as before when it is on again', () => {
    const sets: SampleSet[] = [
      { ...old, size: 8, status: { terminatingReplicas: 2 } },
      { size: 3, age: 2, image: 'a:2', status: { availableReplicas: 0 } },
    ]
    const gates = gatesWith({ DeploymentPodReplacementPolicy: false })
    expect(sizes(sync({ ...deployment, policy: 'TerminationComplete' }, sets, { gates }))).toEqual({ 'web-2': 5 })
    expect(sizes(sync({ ...deployment, policy: 'TerminationComplete' }, sets))).toEqual({})
  })
})

describe('planDeployment(): Recreate', () => {
  const deployment: SampleDeployment = { replicas: 3, strategy: 'Recreate', image: 'a:2' }
  const pod = (more: { phase?: string; isTerminating?: boolean }): Pod => ({
    metadata: { name: 'p', ...(more.isTerminating && { deletionTimestamp: formatTime(startMs) }) },
    status: { phase: more.phase ?? 'Running' },
  })
  const drained: SampleSet = { size: 0 }

  it('empties the old sets first', () => {
    const plan = sync(deployment, [{ size: 3 }])
    expect(sizes(plan)).toEqual({ 'web-1': 0 })
    expect(messages(plan)).toEqual(['Scaled down replica set web-1 from 3 to 0'])
  })

  for (const [name, policy, set, pods, makes] of [
    ['waits for old pods that the set reports', undefined, { ...drained, status: { replicas: 1 } }, [], false],
    ['waits for old pods that are terminating', undefined, drained, [pod({ isTerminating: true })], false],
    ['waits for terminating pods that only the set knows of', undefined, { ...drained, status: { terminatingReplicas: 1 } }, [], false],
    ['does not wait for terminated pods', undefined, drained, [pod({ phase: 'Failed' })], true],
    ['continues when the old pods have terminated', undefined, drained, [], true],
    ['TerminationStarted waits for pods that are not terminating', 'TerminationStarted', drained, [pod({})], false],
    [
      'TerminationStarted does not wait for terminating pods',
      'TerminationStarted',
      { ...drained, status: { terminatingReplicas: 1 } },
      [pod({ isTerminating: true })],
      true,
    ],
    [
      'TerminationComplete waits for terminating pods',
      'TerminationComplete',
      { ...drained, status: { terminatingReplicas: 1 } },
      [],
      false,
    ],
    ['TerminationComplete continues when the old pods have terminated', 'TerminationComplete', drained, [], true],
    [
      'TerminationComplete waits for pods that may have been made unseen',
      'TerminationComplete',
      { ...drained, generation: 2, annotations: { 'rollcall.dev/unreported-replicas': '3' }, status: { observedGeneration: 1 } },
      [],
      false,
    ],
  ] as const)
    it(name, () => {
      const plan = sync({ ...deployment, ...(policy && { policy }) }, [set], { pods: { 'web-1': pods } })
      expect(created(plan) === undefined ? undefined : sizeOf(created(plan))).toBe(makes ? 3 : undefined)
    })

  it('TerminationComplete: scaling up waits too', () => {
    const set: SampleSet = { size: 1, age: 1, image: 'a:2', annotations: scaledFor(3, 3), status: { terminatingReplicas: 1 } }
    expect(sizes(sync({ ...deployment, policy: 'TerminationComplete' }, [set]))).toEqual({ 'web-1': 2 })
    expect(sizes(sync(deployment, [set]))).toEqual({ 'web-1': 3 })
  })
})

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

  it('stays complete, whatever terminates later', () => {
    const status = { ...counts(2), terminatingReplicas: 0, conditions: [progressed('NewReplicaSetAvailable', minute)] }
    const plan = sync({ replicas: 2, policy: 'TerminationComplete', status }, [{ ...done, status: { terminatingReplicas: 1 } }])
    expect(progressing(plan)).toMatchObject({ reason: 'NewReplicaSetAvailable', lastUpdateTime: formatTime(startMs - minute) })
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
    expect(plan).toEqual({ actions: [], events: [], requeueAtMs: startMs + 6 * minute + 1 })
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

describe('planDeployment(): status', () => {
  it('writes nothing when nothing changes', () => {
    const sets: SampleSet[] = [{ size: 2, annotations: scaledFor(2, 3) }]
    const first = sync({ replicas: 2 }, sets)
    const again = planDeployment(sampleSnapshot(first.status!, sets.map(sampleSet)), startMs + minute)
    expect(again).toEqual({ actions: [], events: [] })
  })

  it('sums the statuses of the ReplicaSets and leaves zeros out', () => {
    const plan = sync({ replicas: 4, image: 'a:2' }, [
      { size: 3, annotations: scaledFor(4, 5), status: { terminatingReplicas: 2 } },
      { size: 2, age: 2, image: 'a:2', annotations: scaledFor(4, 5), status: { replicas: 1, readyReplicas: 0, availableReplicas: 0 } },
    ])
    expect(plan.status?.status).toMatchObject({
      replicas: 4,
      updatedReplicas: 1,
      readyReplicas: 3,
      availableReplicas: 3,
      unavailableReplicas: 2,
      terminatingReplicas: 2,
    })
    const empty = sync({ replicas: 0 }, [{ size: 0, annotations: scaledFor(0, 0) }])
    expect(Object.keys(empty.status!.status!).sort()).toEqual(['conditions', 'observedGeneration', 'terminatingReplicas'])
  })

  it('has no terminating count if a ReplicaSet does not report one, nor while the gate is off', () => {
    const silent = sampleSet({ size: 1 })
    const { terminatingReplicas: _, ...status } = silent.status!
    const plan = planDeployment(sampleSnapshot(sampleDeployment({}), [{ ...silent, status }]), startMs)
    expect(plan.status?.status).not.toHaveProperty('terminatingReplicas')
    const gates = gatesWith({ DeploymentReplicaSetTerminatingReplicas: false, DeploymentPodReplacementPolicy: false })
    expect(sync({}, [{ size: 1 }], { gates }).status?.status).not.toHaveProperty('terminatingReplicas')
  })

  it('counts the pods where the server does not', () => {
    const pods = [1, 2].map(
      (n): Pod => ({ metadata: { name: `p${n}`, deletionTimestamp: formatTime(startMs) }, status: { phase: 'Running' } }),
    )
    const snapshot = {
      ...sampleSnapshot(sampleDeployment({}), [sampleSet({ size: 1 })], { pods: { 'web-1': pods } }),
      countTerminatingPods: true,
    }
    expect(planDeployment(snapshot, startMs).status?.status?.terminatingReplicas).toBe(2)
  })

  it('computes Operational from all pods', () => {
    const operational = (spec: SampleDeployment['spec'], gates = gatesWith({})) =>
      conditionOf(
        sync({ replicas: 4, ...(spec && { spec }) }, [{ size: 4, annotations: scaledFor(4, 5), status: { availableReplicas: 3 } }], {
          gates,
        }).status?.status?.conditions,
        'Operational',
      )
    expect(operational({})).toMatchObject({ status: 'False', reason: 'InsufficientReplicasAvailable' })
    expect(operational({ operationalThreshold: '75%' })).toMatchObject({ status: 'True', reason: 'SufficientReplicasAvailable' })
    expect(operational({ operationalThreshold: '76%' })).toMatchObject({ status: 'False' })
    expect(operational({}, gatesWith({ ExtendedWorkloadConditions: false }))).toBeUndefined()
  })

  it('is the only write for a Deployment that is being deleted', () => {
    const deployment = sampleDeployment({ replicas: 3, image: 'a:2' })
    const going = { ...deployment, metadata: { ...deployment.metadata, deletionTimestamp: formatTime(startMs) } }
    const plan = planDeployment(sampleSnapshot(going, [sampleSet({ size: 3 })]), startMs)
    expect(plan.actions).toEqual([])
    expect(plan.status?.status?.replicas).toBe(3)
  })
})

describe('planDeployment(): settings that are copied to ReplicaSets', () => {
  it('carries terminatingAsActive and the threshold to every set that has pods, old ones too', () => {
    const plan = sync({ replicas: 4, image: 'a:2', spec: { terminatingAsActive: true, operationalThreshold: 1 } }, [
      { size: 0, age: 1, image: 'older' },
      { size: 3, age: 2, annotations: scaledFor(4, 5) },
      { size: 2, age: 3, image: 'a:2', annotations: scaledFor(4, 5), status: { availableReplicas: 0 } },
    ])
    const specs = Object.fromEntries(
      plan.actions.flatMap((one) => (one.action === 'update-set' ? [[one.replicaSet.metadata.name, one.replicaSet.spec]] : [])),
    )
    expect(specs['web-1']).toBeUndefined()
    for (const name of ['web-2', 'web-3']) expect(specs[name]).toMatchObject({ terminatingAsActive: true, operationalThreshold: 1 })
  })

  it('leaves them alone while the gates are off', () => {
    const gates = gatesWith({ TerminatingAsActive: false, ExtendedWorkloadConditions: false })
    const set: SampleSet = { size: 1, annotations: scaledFor(1, 2), spec: { terminatingAsActive: true } }
    expect(sync({}, [set], { gates }).actions).toEqual([])
    expect(sync({}, [set]).actions).toHaveLength(1)
  })

  it('copies annotations and removes them again', () => {
    const key = 'rollcall.dev/terminating-as-active'
    const set: SampleSet = { size: 1, annotations: scaledFor(1, 2) }
    const given = sync({ annotations: { [key]: 'true' } }, [set]).actions[0]
    expect(given?.action === 'update-set' && annotationOf(given.replicaSet, key)).toBe('true')
    const taken = sync({}, [{ ...set, annotations: { ...set.annotations, [key]: 'true' } }]).actions[0]
    expect(taken?.action === 'update-set' && annotationOf(taken.replicaSet, key)).toBeUndefined()
  })

  it('keeps the setting annotations equal on every set, also on empty ones and whatever their value', () => {
    const annotations = {
      'rollcall.dev/pod-replacement-policy': 'TerminationComplete',
      'rollcall.dev/terminating-as-active': 'maybe',
      'rollcall.dev/operational-threshold': '90%',
      'rollcall.dev/progress-deadline-seconds': '60',
    }
    const { actions } = sync({ annotations, image: 'a:2' }, [
      { size: 0, age: 1, image: 'older', annotations: { 'rollcall.dev/operational-threshold': '10%', cause: 'x' } },
      { size: 0, age: 2, image: 'old' },
      { size: 1, age: 3, image: 'a:2', annotations: scaledFor(1, 2) },
    ])
    const carried = Object.fromEntries(
      actions.flatMap((one) => (one.action === 'update-set' ? [[one.replicaSet.metadata.name, one.replicaSet.metadata.annotations]] : [])),
    )
    expect(Object.keys(carried).sort()).toEqual(['web-1', 'web-2', 'web-3'])
    for (const name of Object.keys(carried)) expect(carried[name]).toMatchObject(annotations)
    expect(carried['web-1']).toMatchObject({ cause: 'x' })
  })

  it('does not copy the annotation of a pending scale from the Deployment, and removes it there', () => {
    const plan = sync({ annotations: { [replicasBeforeScaleAnnotation]: '7', note: 'x' } }, [{ size: 1, annotations: scaledFor(1, 2) }])
    const [action] = plan.actions
    expect(action?.action === 'update-set' && action.replicaSet.metadata.annotations).toEqual({
      [revisionAnnotation]: '1',
      ...scaledFor(1, 2),
      note: 'x',
    })
    expect(plan.status?.metadata.annotations).toEqual({ note: 'x', [revisionAnnotation]: '1' })
    expect(created(sync({ annotations: { [replicasBeforeScaleAnnotation]: '7' } }, [])).metadata?.annotations).not.toHaveProperty([
      replicasBeforeScaleAnnotation,
    ])
  })

  it('copies minReadySeconds', () => {
    const [action] = sync({ spec: { minReadySeconds: 5 } }, [{ size: 1, annotations: scaledFor(1, 2) }]).actions
    expect(action?.action === 'update-set' && action.replicaSet.spec?.minReadySeconds).toBe(5)
  })
})

describe('planDeployment(): revisions', () => {
  const kept = (plan: DeploymentPlan) => plan.actions.flatMap((one) => (one.action === 'delete-set' ? [one.replicaSet.metadata.name] : []))

  it('counts on from a revision that needs all of 64 bits', () => {
    const adopted: SampleSet = {
      size: 1,
      age: 1,
      image: 'other',
      annotations: { ...scaledFor(1, 2), [revisionAnnotation]: '3546343826724305832' },
    }
    const plan = sync({ replicas: 1 }, [adopted])
    expect(annotationOf(created(plan), revisionAnnotation)).toBe('3546343826724305833')
    expect(annotationOf(plan.status!, revisionAnnotation)).toBe('3546343826724305833')
  })

  it('gives a reused ReplicaSet the highest revision and keeps its former ones', () => {
    const plan = sync({ replicas: 1 }, [
      { size: 0, age: 1, annotations: { ...scaledFor(1, 2), [revisionHistoryAnnotation]: '1' }, image: 'a:1', status: { replicas: 0 } },
      { size: 1, age: 2, image: 'other', annotations: { ...scaledFor(1, 2), [revisionAnnotation]: '4' } },
    ])
    const set = plan.actions.flatMap((one) =>
      one.action === 'update-set' && one.replicaSet.metadata.name === 'web-1' ? [one.replicaSet] : [],
    )[0] as Stored<ReplicaSet>
    expect(annotationOf(set, revisionAnnotation)).toBe('5')
    expect(annotationOf(set, revisionHistoryAnnotation)).toBe('1,1')
    expect(annotationOf(plan.status!, revisionAnnotation)).toBe('5')
  })

  const complete = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1, terminatingReplicas: 0 }
  const history: SampleSet[] = [1, 2, 3].map((age) => ({ size: 0, age, image: `old:${age}` }))
  const current: SampleSet = { size: 1, age: 4, annotations: scaledFor(1, 2) }

  for (const [name, deployment, sets, deleted] of [
    [
      'keeps as many as the limit says, the newest revisions',
      { spec: { revisionHistoryLimit: 1 }, status: complete },
      history,
      ['web-1', 'web-2'],
    ],
    ['keeps none', { spec: { revisionHistoryLimit: 0 }, status: complete }, history, ['web-1', 'web-2', 'web-3']],
    ['keeps all', { spec: { revisionHistoryLimit: 2 ** 31 - 1 }, status: complete }, history, []],
    ['waits until the rollout is complete', { spec: { revisionHistoryLimit: 0 } }, history, []],
    [
      'leaves sets alone that still have pods',
      { spec: { revisionHistoryLimit: 2 }, status: complete },
      [{ ...history[0]!, status: { replicas: 1 } }, ...history.slice(1)],
      [],
    ],
    [
      'leaves sets alone that have not been observed',
      { spec: { revisionHistoryLimit: 2 }, status: complete },
      [{ ...history[0]!, generation: 2, status: { observedGeneration: 1 } }, ...history.slice(1)],
      [],
    ],
  ] as const)
    it(name, () => expect(kept(sync(deployment, [...sets, current]))).toEqual(deleted))

  it('keeps a set whose pods are terminating, also while paused: the status would no longer count them', () => {
    const going = { ...history[0]!, status: { terminatingReplicas: 1 } }
    const paused: SampleDeployment = { spec: { revisionHistoryLimit: 0, paused: true } }
    expect(kept(sync({ ...paused, policy: 'TerminationComplete' }, [going, current]))).toEqual([])
    expect(kept(sync(paused, [going, current]))).toEqual([])
  })

  it('keeps a ReplicaSet without a terminating count only under TerminationComplete', () => {
    const silent = { ...history[0]!, status: { terminatingReplicas: undefined } } as unknown as SampleSet
    const paused: SampleDeployment = { spec: { revisionHistoryLimit: 0, paused: true } }
    expect(kept(sync({ ...paused, policy: 'TerminationComplete' }, [silent, current]))).toEqual([])
    expect(kept(sync(paused, [silent, current]))).toEqual(['web-1'])
  })
})

describe('planDeployment(): a rollback by annotation', () => {
  const asked = (revision: string): SampleDeployment => ({
    annotations: { 'deprecated.deployment.rollback.to': revision, cause: 'new', [revisionAnnotation]: '2' },
  })
  const sets: SampleSet[] = [
    { size: 0, age: 1, image: 'old', annotations: { ...scaledFor(1, 2), cause: 'old', [replicasBeforeScaleAnnotation]: '3' } },
    { size: 1, age: 2, annotations: { ...scaledFor(1, 2), cause: 'new' } },
  ]
  const request = (revision: string, list = sets) => {
    const [action] = sync(asked(revision), list).actions
    return action?.action === 'update-deployment' ? action : undefined
  }

  for (const revision of ['0', '1'])
    it(`restores the template and the annotations of revision 1 when ${revision} is requested`, () => {
      const { deployment, event } = request(revision)!
      expect(deployment.spec?.template?.spec?.containers[0]?.image).toBe('old')
      expect(deployment.metadata.annotations).toEqual({ cause: 'old', [revisionAnnotation]: '2' })
      expect(event).toEqual({ type: 'Normal', reason: 'DeploymentRollback', message: 'Rolled back deployment "web" to revision 1' })
    })

  for (const [name, revision, list, message] of [
    ['an unknown revision', '9', sets, 'Unable to find the revision to rollback to.'],
    ['no earlier revision', '0', sets.slice(1), 'Unable to find last revision.'],
    ['the present revision', '2', sets, 'The rollback revision contains the same template as current deployment "web"'],
  ] as const)
    it(`gives up on ${name}`, () => {
      const { deployment, event } = request(revision, [...list])!
      expect(deployment.metadata.annotations).not.toHaveProperty(['deprecated.deployment.rollback.to'])
      expect(event?.message).toBe(message)
    })
})
