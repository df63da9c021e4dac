import { describe, expect, it } from 'vitest'
import type { StatefulSet } from '../../../api/types.ts'
import { ago, setOf, snapshotOf, updateTo } from '../testing/sample-objects.ts'
import { planStatefulSet } from './plan.ts'
import type { StatefulSetSnapshot } from './snapshot.ts'

type Spec = Partial<NonNullable<StatefulSet['spec']>>

const statusOf = (pods: readonly string[], more: Parameters<typeof snapshotOf>[2] = {}, spec: Spec = {}, status: object = {}) =>
  planStatefulSet(snapshotOf(setOf(spec, { status }), pods, more)).status

describe('planStatefulSet(): the status', () => {
  const rows: { name: string; pods: readonly string[]; more?: Partial<StatefulSetSnapshot>; spec?: Spec; status: object }[] = [
    { name: 'nothing yet', pods: [], status: { replicas: 0, availableReplicas: 0 } },
    {
      name: 'counts by state',
      pods: ['a-0 A ready', 'a-1 A running', 'a-2 A pending'],
      status: { replicas: 3, readyReplicas: 1, availableReplicas: 1, currentReplicas: 3, updatedReplicas: 3 },
    },
    {
      name: 'a terminating pod is there, but of no revision',
      pods: ['a-0 A ready', 'a-1 A ready terminating'],
      status: { replicas: 2, readyReplicas: 2, availableReplicas: 2, currentReplicas: 1, updatedReplicas: 1 },
    },
    {
      name: 'ready but not available yet',
      pods: ['a-0 A ready', 'a-1 A fresh'],
      spec: { minReadySeconds: 10 },
      status: { replicas: 2, readyReplicas: 2, availableReplicas: 1, currentReplicas: 2, updatedReplicas: 2 },
    },
    {
      name: 'counts what is about to go for the update',
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 A ready'],
      more: updateTo('B'),
      status: { replicas: 3, readyReplicas: 3, availableReplicas: 3, currentReplicas: 2, currentRevision: 'A', updateRevision: 'B' },
    },
    {
      name: 'does not count what is of neither revision',
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 X ready'],
      more: updateTo('B'),
      status: { replicas: 3, readyReplicas: 3, availableReplicas: 3, currentReplicas: 2, currentRevision: 'A', updateRevision: 'B' },
    },
    {
      name: 'an update is done when all are new and ready',
      pods: ['a-0 B ready', 'a-1 B ready', 'a-2 B ready'],
      more: updateTo('B'),
      status: {
        replicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
        currentReplicas: 3,
        updatedReplicas: 3,
        currentRevision: 'B',
        updateRevision: 'B',
      },
    },
    {
      name: 'an update is not done while one is not ready',
      pods: ['a-0 B running', 'a-1 B ready', 'a-2 B ready'],
      more: updateTo('B'),
      status: { replicas: 3, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 3, currentRevision: 'A', updateRevision: 'B' },
    },
    {
      name: 'OnDelete: an update is done when the user has deleted the old pods',
      pods: ['a-0 B ready', 'a-1 B ready', 'a-2 B ready'],
      more: updateTo('B'),
      spec: { updateStrategy: { type: 'OnDelete' } },
      status: {
        replicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
        currentReplicas: 3,
        updatedReplicas: 3,
        currentRevision: 'B',
        updateRevision: 'B',
      },
    },
  ]
  for (const { name, pods, more = {}, spec = {}, status } of rows)
    it(name, () =>
      expect(statusOf(pods, more, spec)).toEqual({
        observedGeneration: 1,
        currentRevision: 'A',
        updateRevision: 'A',
        collisionCount: 0,
        ...status,
      }),
    )

  it('preserves existing conditions while the gate is off', () => {
    const conditions = [{ type: 'Operational', status: 'True' }]
    expect(statusOf([], {}, {}, { conditions }).conditions).toEqual(conditions)
  })
})

describe('planStatefulSet(): Progressing of Recreate, without KEP-2804', () => {
  const progressing = (pods: readonly string[], more: Parameters<typeof snapshotOf>[2] = {}, conditions: readonly object[] = []) => {
    const found = statusOf(pods, more, { updateStrategy: { type: 'Recreate' } }, { conditions }).conditions
    return found?.map(({ status, reason, message }) => `${status} ${reason}: ${message}`)
  }
  const before = { type: 'Progressing', status: 'True', reason: 'RecreateInProgress', message: 'x', lastTransitionTime: ago(60) }

  it.each([
    ['none before the first update', ['a-0 A ready'], {}, []],
    ['old pods', ['a-0 A ready terminating'], updateTo('B'), ['True RecreateInProgress: Deleting old revision pods']],
    ['new pods', ['a-0 B ready'], updateTo('B'), ['True RecreateInProgress: Waiting for new-revision pods to be created']],
    ['done', ['a-0 B ready', 'a-1 B ready', 'a-2 B ready'], updateTo('B'), ['False RecreateCompleted: All pods recreated successfully']],
    ['of a set that is being scaled', ['a-0 A ready'], { recreate: false }, []],
  ] as const)('%s', (_, pods, more, expected) => expect(progressing(pods, more)).toEqual(expected))

  it('keeps the time of the transition while the status stays', () =>
    expect(statusOf(['a-0 A ready'], updateTo('B'), { updateStrategy: { type: 'Recreate' } }, { conditions: [before] }).conditions).toEqual(
      [{ ...before, message: 'Deleting old revision pods' }],
    ))

  it('is left to KEP-2804 where its gate is on', () =>
    expect(progressing(['a-0 B ready', 'a-1 B ready', 'a-2 B ready'], { ...updateTo('B'), conditions: true }, [before])?.[0]).toMatch(
      /^True NewRevisionAvailable/,
    ))
})

describe('planStatefulSet(): conditions (KEP-2804)', () => {
  const short = (status: { conditions?: readonly { type?: string; status?: string; reason?: string }[] }) =>
    Object.fromEntries((status.conditions ?? []).map(({ type, status: is, reason }) => [type, `${is} ${reason}`]))
  const all = ['a-0 A ready', 'a-1 A ready', 'a-2 A ready']
  const rows: {
    name: string
    pods: readonly string[]
    spec?: Spec
    more?: Partial<StatefulSetSnapshot>
    status?: object
    progressing: string
    operational: boolean
  }[] = [
    { name: 'new', pods: [], progressing: 'True NewRevisionCreated', operational: false },
    { name: 'complete', pods: all, progressing: 'True NewRevisionAvailable', operational: true },
    { name: 'of nothing', pods: [], spec: { replicas: 0 }, progressing: 'True NewRevisionAvailable', operational: true },
    { name: 'one is missing', pods: all.slice(1), progressing: 'True NewRevisionCreated', operational: false },
    {
      name: 'two of three available, two required',
      pods: all.slice(1),
      spec: { operationalThreshold: 2 },
      progressing: 'True NewRevisionCreated',
      operational: true,
    },
    {
      name: 'two of three available, 67% required, rounded up',
      pods: all.slice(1),
      spec: { operationalThreshold: '67%' },
      progressing: 'True NewRevisionCreated',
      operational: false,
    },
    { name: 'a surplus pod still goes', pods: [...all, 'a-3 A ready'], progressing: 'True NewRevisionCreated', operational: true },
    { name: 'an old pod is left', pods: all, more: updateTo('B'), progressing: 'True NewRevisionCreated', operational: true },
    {
      name: 'old pods below the partition are meant to be',
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B ready'],
      spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
      more: updateTo('B'),
      progressing: 'True NewRevisionAvailable',
      operational: true,
    },
    {
      name: 'a terminating pod counts as available as long as the status counts it so',
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 A ready terminating'],
      progressing: 'True NewRevisionCreated',
      operational: true,
    },
    {
      name: 'not available yet',
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 A fresh'],
      spec: { minReadySeconds: 9 },
      progressing: 'True NewRevisionCreated',
      operational: false,
    },
  ]
  for (const { name, pods, spec = {}, more = {}, progressing, operational } of rows)
    it(name, () =>
      expect(short(statusOf(pods, { conditions: true, ...more }, spec))).toEqual({
        Progressing: progressing,
        Operational: operational ? 'True SufficientReplicasAvailable' : 'False InsufficientReplicasAvailable',
      }),
    )

  const progressing = (more: object = {}) => ({
    type: 'Progressing',
    status: 'True',
    reason: 'RevisionUpdated',
    message: 'Revision "A" with 3 replicas is progressing.',
    lastUpdateTime: ago(50),
    lastTransitionTime: ago(50),
    ...more,
  })
  const earlier = (counts: object, condition: object = progressing()) => ({
    observedGeneration: 1,
    updateRevision: 'A',
    conditions: [condition],
    ...counts,
  })

  it('fails at the deadline, and not before', () => {
    const spec = { progressDeadlineSeconds: 40 }
    const counts = { replicas: 1, updatedReplicas: 1 }
    expect(short(statusOf(['a-0 A running'], { conditions: true }, spec, earlier(counts)))['Progressing']).toBe(
      'False ProgressDeadlineExceeded',
    )
    const patient = statusOf(['a-0 A running'], { conditions: true }, { progressDeadlineSeconds: 60 }, earlier(counts))
    expect(short(patient)['Progressing']).toBe('True RevisionUpdated')
  })

  it('counts a pod that became ready as progress', () => {
    const status = statusOf(
      ['a-0 A ready'],
      { conditions: true },
      { progressDeadlineSeconds: 40 },
      earlier({ replicas: 1, updatedReplicas: 1 }),
    )
    expect(status.conditions?.[0]).toMatchObject({ status: 'True', lastUpdateTime: ago(0), lastTransitionTime: ago(50) })
  })

  it('counts a deleted pod as progress while scaling down', () => {
    const counts = { replicas: 3, readyReplicas: 3, updatedReplicas: 3, availableReplicas: 3 }
    const status = statusOf(
      ['a-0 A ready', 'a-1 A ready'],
      { conditions: true },
      { replicas: 1, progressDeadlineSeconds: 40 },
      earlier(counts),
    )
    expect(status.conditions?.[0]).toMatchObject({ status: 'True', lastUpdateTime: ago(0) })
  })

  describe('after a rollout that is complete', () => {
    const complete = { reason: 'NewRevisionAvailable', message: 'Revision "A" with 3 replicas has successfully progressed.' }
    const full = { replicas: 3, readyReplicas: 3, updatedReplicas: 3, currentReplicas: 3, availableReplicas: 3 }
    const later = (pods: readonly string[], spec: Spec = {}, more: Partial<StatefulSetSnapshot> = {}) =>
      short(
        statusOf(
          pods,
          { conditions: true, ...more },
          { progressDeadlineSeconds: 40, ...spec },
          // The spec has changed since: everything but `spec` was there before.
          { ...earlier(full, progressing(complete)), observedGeneration: 0 },
        ),
      )['Progressing']

    it.each<[string, readonly string[], Spec]>([
      ['a lost pod', all.slice(0, 2), {}],
      ['a lost pod and another threshold', all.slice(0, 2), { operationalThreshold: 1 }],
      ['a terminating pod', ['a-0 A ready', 'a-1 A ready', 'a-2 A ready terminating'], {}],
      ['a pod that is not ready', ['a-0 A ready', 'a-1 A running', 'a-2 A ready'], { minReadySeconds: 5 }],
    ])('it stays so with %s', (_, pods, spec) => expect(later(pods, spec)).toBe('True NewRevisionAvailable'))

    it.each<[string, readonly string[], Spec]>([
      ['more replicas', all, { replicas: 4 }],
      ['fewer replicas', all, { replicas: 2 }],
      ['more replicas, while one is lost', all.slice(0, 2), { replicas: 4 }],
    ])('another begins with %s', (_, pods, spec) => expect(later(pods, spec)).toBe('True RevisionUpdated'))

    it('another begins with a lower partition', () => {
      const partition = (value: number): Spec => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: value } } })
      const condition = progressing({ ...complete, message: 'Revision "B" with 3 replicas has successfully progressed.' })
      const is = (value: number) =>
        short(
          statusOf(['a-0 A ready', 'a-1 A ready', 'a-2 B ready'], { conditions: true, ...updateTo('B') }, partition(value), {
            ...earlier(full, condition),
            observedGeneration: 0,
          }),
        )['Progressing']
      expect(is(2)).toBe('True NewRevisionAvailable')
      expect(is(1)).toBe('True RevisionUpdated')
    })
  })

  it('OnDelete: does not fail while the old pods wait for the user', () => {
    const spec = { updateStrategy: { type: 'OnDelete' }, progressDeadlineSeconds: 40 }
    const counts = { replicas: 3, readyReplicas: 3, currentReplicas: 3, availableReplicas: 3, updateRevision: 'B' }
    const condition = progressing({ message: 'Revision "B" with 3 replicas is progressing.' })
    expect(short(statusOf(all, { conditions: true, ...updateTo('B') }, spec, earlier(counts, condition)))['Progressing']).toBe(
      'True RevisionUpdated',
    )
  })
})
