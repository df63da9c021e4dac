import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { created, messages, minute, progressing, sizes, sync } from '../testing/planned.ts'
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
import { annotationOf, revisionAnnotation } from './annotations.ts'
import { conditionOf } from './conditions.ts'
import { planDeployment } from './deployment.ts'
import { sizeOf } from './replica-sets.ts'

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

  describe('after a change from RollingUpdate, with a new ReplicaSet that already has pods', () => {
    const scaled = { ...deployment, generation: 2, status: { observedGeneration: 1 } }
    const newSet = { size: 2, age: 2, image: 'a:2', annotations: scaledFor(5, 5) }

    it.each<[SampleDeployment['policy'], number]>([
      ['TerminationComplete', 2],
      ['TerminationStarted', 9],
      [undefined, 9],
    ])('%s: a scale-up to 9 while old pods terminate makes it %i', (policy, size) => {
      const plan = sync({ ...scaled, replicas: 9, ...(policy && { policy }) }, [{ size: 0, status: { terminatingReplicas: 3 } }, newSet])
      expect(sizes(plan)).toEqual({ 'web-2': size })
      expect(plan.wait?.count).toBe(policy === 'TerminationComplete' ? 3 : undefined)
    })

    it('TerminationComplete: the scale-up continues when the old pods have terminated, and a scale-down does not wait', () => {
      const policy = 'TerminationComplete'
      const pending = { ...newSet, annotations: { ...scaledFor(5, 5), 'deployment.kubernetes.io/replicaset-replicas-before-scale': '2' } }
      expect(sizes(sync({ ...scaled, replicas: 9, policy }, [{ size: 0 }, pending]))).toEqual({ 'web-2': 9 })
      const down = sync({ ...scaled, replicas: 1, policy }, [{ size: 0, status: { terminatingReplicas: 3 } }, newSet])
      expect(sizes(down)).toEqual({ 'web-2': 1 })
    })
  })

  it.each<[SampleDeployment['policy'], number]>([
    ['TerminationComplete', 0],
    ['TerminationStarted', 0],
    [undefined, 3],
  ])('%s: a requested rollback creates the ReplicaSet of a new template with size %i beside old pods', (policy, size) => {
    const annotations = { 'deprecated.deployment.rollback.to': '1' }
    expect(sizeOf(created(sync({ ...deployment, annotations, ...(policy && { policy }) }, [{ size: 1 }])))).toBe(size)
  })
})

describe('planDeployment(): status', () => {
  it('writes nothing when nothing changes', () => {
    const sets: SampleSet[] = [{ size: 2, annotations: scaledFor(2, 3) }]
    const first = sync({ replicas: 2 }, sets)
    const again = planDeployment(sampleSnapshot(first.status!, sets.map(sampleSet)), startMs + minute)
    expect(again).toEqual({ actions: [], events: [], reasons: again.reasons })
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

  it('scales nothing up for pods that the status of a ReplicaSet no longer counts and whose deletion the cache has not observed', () => {
    const pod = (n: number): Pod => ({ metadata: { name: `p${n}` }, status: { phase: 'Running' } })
    const deployment = sampleDeployment({
      replicas: 4,
      image: 'a:2',
      spec: { podReplacementPolicy: 'TerminationComplete', strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } },
    })
    const old = sampleSet({ size: 2, annotations: scaledFor(4, 4), status: { replicas: 2 } })
    const created = (active: number) => {
      const pods = { 'web-1': Array.from({ length: active }, (_, n) => pod(n)) }
      const { actions } = planDeployment({ ...sampleSnapshot(deployment, [old], { pods }), countTerminatingPods: true }, startMs)
      return actions.flatMap((one) => (one.action === 'create-set' ? [one.replicaSet.spec?.replicas] : []))
    }
    expect(created(2)).toEqual([2])
    expect(created(4)).toEqual([0])
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
