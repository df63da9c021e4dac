import { describe, expect, it } from 'vitest'
import type { StatefulSet } from '../../../api/types.ts'
import { nowMs, setOf, shown, snapshotOf, updateTo } from '../testing/sample-objects.ts'
import { planStatefulSet } from './plan.ts'
import type { StatefulSetSnapshot } from './snapshot.ts'

interface Row {
  readonly name: string
  readonly spec?: Partial<NonNullable<StatefulSet['spec']>>
  readonly pods: readonly string[]
  readonly more?: Parameters<typeof snapshotOf>[2]
  readonly status?: object
  readonly does: readonly string[]
}

const parallel = { podManagementPolicy: 'Parallel' }
const rolling = (rollingUpdate: object | undefined) =>
  ({ updateStrategy: { type: 'RollingUpdate', ...(rollingUpdate && { rollingUpdate }) } }) as Partial<NonNullable<StatefulSet['spec']>>
const check = (rows: readonly Row[]) => {
  for (const { name, spec = {}, pods, more = {}, status = {}, does } of rows)
    it(name, () => expect(shown(planStatefulSet(snapshotOf(setOf(spec, { status }), pods, more)))).toEqual(does))
}

describe('planStatefulSet(): the maximum number of replicas', () => {
  const replicas = 2_147_483_647
  const planOf = (spec: object, pods: readonly string[] = [], more: Partial<StatefulSetSnapshot> = {}) =>
    planStatefulSet(snapshotOf(setOf({ replicas, ...spec }), pods, { conditions: true, ...more }))

  it('creates one at a time in order', () => {
    const plan = planOf({}, ['a-0 A ready'])
    expect(shown(plan)).toEqual(['create a-1 A'])
    expect(plan.status.conditions).toMatchObject([{ type: 'Progressing', reason: 'NewRevisionCreated' }, { status: 'False' }])
  })

  it('creates 500 in a step side by side, the lowest ordinals that are missing', () => {
    const plan = planOf(parallel, ['a-1 A ready', 'a-2147483646 A ready', 'a-2147483647 A ready'])
    const created = shown(plan).filter((one) => one.startsWith('create'))
    expect(created).toHaveLength(500)
    expect(created.slice(0, 3)).toEqual(['create a-0 A', 'create a-2 A', 'create a-3 A'])
    expect(shown(plan).at(-1)).toBe('delete a-2147483647')
    expect(plan.status.replicas).toBe(3)
  })

  it('creates missing pods before it updates', () => {
    const pods = ['a-0 A ready', 'a-2147483646 A ready']
    expect(shown(planOf(parallel, pods, updateTo('B'))).some((one) => one.startsWith('delete'))).toBe(false)
    expect(shown(planOf({ ...parallel, replicas: 2 }, ['a-0 A ready', 'a-1 A ready'], updateTo('B')))).toEqual(['delete a-1'])
  })

  it('counts unlisted replicas as missing', () => {
    const pods = Array.from({ length: 600 }, (_, index) => `a-${index + 600} A ready`)
    const plan = planOf({ ...parallel, replicas: 1200 }, pods)
    expect(shown(plan)).toHaveLength(500)
    expect(plan.status.conditions).toMatchObject([{ reason: 'NewRevisionCreated' }, { reason: 'InsufficientReplicasAvailable' }])
  })
})

describe('planStatefulSet(): scaling in order', () => {
  check([
    { name: 'starts with the first', pods: [], does: ['create a-0 A'] },
    { name: 'waits for it to be ready', pods: ['a-0 A pending'], does: [] },
    { name: 'waits for it to be ready while it runs', pods: ['a-0 A running'], does: [] },
    { name: 'goes on when it is', pods: ['a-0 A ready'], does: ['create a-1 A'] },
    { name: 'waits for minReadySeconds', spec: { minReadySeconds: 61 }, pods: ['a-0 A ready'], does: [] },
    { name: 'goes on after minReadySeconds', spec: { minReadySeconds: 60 }, pods: ['a-0 A ready'], does: ['create a-1 A'] },
    { name: 'fills the first gap first', pods: ['a-0 A ready', 'a-2 A ready'], does: ['create a-1 A'] },
    { name: 'touches nothing after an unhealthy pod', pods: ['a-0 A ready', 'a-1 A running'], does: [] },
    { name: 'waits for a terminating pod', pods: ['a-0 A ready terminating', 'a-1 A ready'], does: [] },
    { name: 'deletes a failed pod', pods: ['a-0 A ready', 'a-1 A failed'], does: ['delete a-1'] },
    { name: 'deletes a succeeded pod', pods: ['a-0 A succeeded'], does: ['delete a-0'] },
    { name: 'deletes a failed pod once', pods: ['a-0 A failed terminating'], does: [] },
    { name: 'has nothing to do when all are there', pods: ['a-0 A ready', 'a-1 A ready', 'a-2 A ready'], does: [] },
    { name: 'begins at the start ordinal', spec: { ordinals: { start: 5 } }, pods: ['a-5 A ready'], does: ['create a-6 A'] },
    {
      name: 'removes what is below the start ordinal',
      spec: { replicas: 1, ordinals: { start: 1 } },
      pods: ['a-0 A ready', 'a-1 A ready'],
      does: ['delete a-0'],
    },
    { name: 'removes the last first', spec: { replicas: 1 }, pods: ['a-0 A ready', 'a-1 A ready', 'a-2 A ready'], does: ['delete a-2'] },
    {
      name: 'waits until it was deleted',
      spec: { replicas: 1 },
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 A ready terminating'],
      does: [],
    },
    {
      name: 'removes nothing while a pod that stays is unhealthy',
      spec: { replicas: 1 },
      pods: ['a-0 A running', 'a-1 A ready'],
      does: [],
    },
    {
      name: 'removes nothing while a pod that goes later is unhealthy',
      spec: { replicas: 1 },
      pods: ['a-0 A ready', 'a-1 A running', 'a-2 A running'],
      does: [],
    },
    {
      name: 'removes an unhealthy pod when it is the only one',
      spec: { replicas: 1 },
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 A running'],
      does: ['delete a-2'],
    },
    {
      name: 'removes a healthy last one although one before it is not',
      spec: { replicas: 1 },
      pods: ['a-0 A ready', 'a-1 A running', 'a-2 A ready'],
      does: ['delete a-2'],
    },
    {
      name: 'compares ordinals as numbers',
      spec: { replicas: 1 },
      pods: ['a-0 A ready', 'a-9 A ready', 'a-10 A ready'],
      does: ['delete a-10'],
    },
    { name: 'scales to nothing', spec: { replicas: 0 }, pods: ['a-0 A running'], does: ['delete a-0'] },
    { name: 'leaves pods without an ordinal alone', spec: { replicas: 0 }, pods: ['a-99999999999 A ready'], does: [] },
  ])

  it('does nothing for a set that is being deleted', () => {
    const set = setOf({}, { metadata: { deletionTimestamp: '2026-11-01T12:00:00Z' } })
    expect(planStatefulSet(snapshotOf(set, ['a-0 A failed'])).steps).toEqual([])
  })
})

describe('planStatefulSet(): scaling in parallel', () => {
  check([
    { name: 'creates all at once', spec: parallel, pods: [], does: ['create a-0 A', 'create a-1 A', 'create a-2 A'] },
    { name: 'does not wait for the others', spec: parallel, pods: ['a-0 A running', 'a-1 A ready terminating'], does: ['create a-2 A'] },
    { name: 'replaces what failed beside it', spec: parallel, pods: ['a-0 A failed', 'a-2 A ready'], does: ['delete a-0', 'create a-1 A'] },
    {
      name: 'removes all at once, each once',
      spec: { ...parallel, replicas: 0 },
      pods: ['a-0 A running', 'a-1 A ready', 'a-2 A ready terminating'],
      does: ['delete a-1', 'delete a-0'],
    },
  ])
})

describe('planStatefulSet(): updating', () => {
  const old = ['a-0 A ready', 'a-1 A ready', 'a-2 A ready']
  const toB = updateTo('B')
  check([
    { name: 'starts with the last', pods: old, more: toB, does: ['delete a-2'] },
    { name: 'waits until it was deleted', pods: ['a-0 A ready', 'a-1 A ready', 'a-2 A ready terminating'], more: toB, does: [] },
    { name: 'makes the new one', pods: ['a-0 A ready', 'a-1 A ready'], more: toB, does: ['create a-2 B'] },
    { name: 'waits for the new one', pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B running'], more: toB, does: [] },
    { name: 'goes on with the one before', pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B ready'], more: toB, does: ['delete a-1'] },
    { name: 'is done', pods: ['a-0 B ready', 'a-1 B ready', 'a-2 B ready'], more: toB, does: [] },
    {
      name: 'waits for minReadySeconds',
      spec: { minReadySeconds: 5 },
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B fresh'],
      more: toB,
      does: [],
    },
    {
      name: 'stops at the partition',
      spec: rolling({ partition: 2 }),
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B ready'],
      more: toB,
      does: [],
    },
    {
      name: 'brings pods below the partition back as they were',
      spec: rolling({ partition: 2 }),
      pods: ['a-0 A ready', 'a-2 B ready'],
      more: toB,
      does: ['create a-1 A'],
    },
    { name: 'updates nothing with a partition above all', spec: rolling({ partition: 9 }), pods: old, more: toB, does: [] },
    {
      name: 'counts the partition from the start ordinal',
      spec: { ...rolling({ partition: 1 }), ordinals: { start: 4 }, replicas: 2 },
      pods: ['a-4 A ready', 'a-5 A ready'],
      more: toB,
      does: ['delete a-5'],
    },
    { name: 'scales down before it updates', spec: { replicas: 2 }, pods: old, more: toB, does: ['delete a-2'] },
    { name: 'waits for unhealthy old pods', pods: ['a-0 A running', 'a-1 A ready', 'a-2 A ready'], more: toB, does: [] },
    { name: 'OnDelete: updates nothing', spec: { updateStrategy: { type: 'OnDelete' } }, pods: old, more: toB, does: [] },
    {
      name: 'OnDelete: a deleted pod comes back new',
      spec: { updateStrategy: { type: 'OnDelete' } },
      pods: old.slice(0, 2),
      more: toB,
      does: ['create a-2 B'],
    },
    { name: 'parallel: still one at a time', spec: parallel, pods: old, more: toB, does: ['delete a-2'] },
    {
      name: 'parallel: replaces unavailable old pods, whatever the last one is',
      spec: parallel,
      pods: ['a-0 A running', 'a-1 A ready', 'a-2 B running'],
      more: toB,
      does: ['delete a-0'],
    },
    {
      name: 'parallel: replaces unavailable old pods first, which leaves no room for others',
      spec: parallel,
      pods: ['a-0 A running', 'a-1 A ready', 'a-2 A ready'],
      more: toB,
      does: ['delete a-0'],
    },
    {
      name: 'parallel: replaces unavailable old pods, and others as far as there is room',
      spec: { ...parallel, ...rolling({ partition: 0, maxUnavailable: 2 }) },
      pods: ['a-0 A running', 'a-1 A ready', 'a-2 A ready'],
      more: toB,
      does: ['delete a-0', 'delete a-2'],
    },
    {
      name: 'ordered: unavailable pods leave no room',
      spec: rolling({ partition: 1, maxUnavailable: 1 }),
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B ready terminating'],
      more: toB,
      does: [],
    },
    {
      name: 'with MaxUnavailableStatefulSet off, parallel: waits for the last, whatever the others are',
      spec: parallel,
      pods: ['a-0 A running', 'a-1 A ready', 'a-2 B running'],
      more: { ...toB, maxUnavailable: false },
      does: [],
    },
    {
      name: 'with MaxUnavailableStatefulSet off, parallel: goes on although one before is unhealthy',
      spec: { ...parallel, ...rolling({ partition: 0, maxUnavailable: 2 }) },
      pods: ['a-0 A running', 'a-1 A ready', 'a-2 A ready'],
      more: { ...toB, maxUnavailable: false },
      does: ['delete a-2'],
    },
    {
      name: 'Recreate: all old pods at once, also those out of range, whatever their state',
      spec: { replicas: 2, updateStrategy: { type: 'Recreate' } },
      pods: ['a-0 A ready', 'a-1 A running', 'a-2 A ready', 'a-3 B ready'],
      more: toB,
      does: ['delete a-0', 'delete a-1', 'delete a-2'],
    },
    {
      name: 'Recreate: nothing is created while an old pod terminates',
      spec: { updateStrategy: { type: 'Recreate' } },
      pods: ['a-1 A ready terminating'],
      more: toB,
      does: [],
    },
    {
      name: 'Recreate: new pods in order, when all old ones have terminated',
      spec: { updateStrategy: { type: 'Recreate' } },
      pods: ['a-0 B ready'],
      more: toB,
      does: ['create a-1 B'],
    },
    {
      name: 'Recreate with its gate off: pods are left as they are',
      spec: { updateStrategy: { type: 'Recreate' } },
      pods: ['a-0 A ready'],
      more: { ...toB, recreate: false },
      does: [],
    },
    {
      name: 'parallel: replaces broken old pods in turn',
      spec: parallel,
      pods: ['a-0 A ready', 'a-1 A running', 'a-2 B ready'],
      more: toB,
      does: ['delete a-1'],
    },
    {
      name: 'without parameters: a missing pod is made from the current revision',
      spec: rolling(undefined),
      pods: ['a-0 A ready', 'a-2 A ready'],
      more: toB,
      status: { currentReplicas: 3 },
      does: ['create a-1 A'],
    },
    {
      name: 'without parameters: unless the update has come to it',
      spec: rolling(undefined),
      pods: ['a-0 A ready', 'a-1 A ready'],
      more: toB,
      status: { currentReplicas: 2 },
      does: ['create a-2 B'],
    },
    {
      name: 'maxUnavailable: so many at once',
      spec: rolling({ partition: 0, maxUnavailable: 2 }),
      pods: old,
      more: toB,
      does: ['delete a-2', 'delete a-1'],
    },
    {
      name: 'maxUnavailable: a share is rounded down, to one at least',
      spec: rolling({ partition: 0, maxUnavailable: '50%' }),
      pods: old,
      more: toB,
      does: ['delete a-2'],
    },
    {
      name: 'maxUnavailable: unavailable ones count',
      spec: { ...parallel, ...rolling({ partition: 0, maxUnavailable: 2 }) },
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B running'],
      more: toB,
      does: ['delete a-1'],
    },
    {
      name: 'maxUnavailable: and the partition',
      spec: rolling({ partition: 2, maxUnavailable: 3 }),
      pods: old,
      more: toB,
      does: ['delete a-2'],
    },
  ])
})

describe('planStatefulSet(): identity', () => {
  it('gives a new pod its name, host, labels and owner', () => {
    const [step] = planStatefulSet(snapshotOf(setOf(), [])).steps
    expect(step?.actions[0]).toMatchObject({
      type: 'create-pod',
      pod: {
        metadata: {
          name: 'a-0',
          generateName: 'a-',
          namespace: 'default',
          labels: {
            app: 'x',
            'apps.kubernetes.io/pod-index': '0',
            'controller-revision-hash': 'A',
            'statefulset.kubernetes.io/pod-name': 'a-0',
          },
          ownerReferences: [
            { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'a', uid: 'set', controller: true, blockOwnerDeletion: true },
          ],
        },
        spec: { hostname: 'a-0', subdomain: 'x' },
      },
    })
  })

  it('has the service of the set as its subdomain, or none, whatever the template says', () => {
    const update = { name: 'A', template: { spec: { containers: [{ name: 'c' }], subdomain: 'other' } } }
    const subdomainOf = (set: ReturnType<typeof setOf>) => {
      const [action] = planStatefulSet(snapshotOf(set, [], { current: update, update })).steps[0]!.actions
      return (action as { pod: { spec?: { subdomain?: string } } }).pod.spec?.subdomain
    }
    expect(subdomainOf(setOf())).toBe('x')
    expect(subdomainOf(setOf({ serviceName: undefined as never }))).toBeUndefined()
  })

  it('corrects a pod that has lost its label, and continues', () => {
    const snapshot = snapshotOf(setOf({ replicas: 2 }), ['a-0 A ready'])
    const { 'statefulset.kubernetes.io/pod-name': _, ...labels } = snapshot.pods[0]!.metadata.labels!
    const pod = { ...snapshot.pods[0]!, metadata: { ...snapshot.pods[0]!.metadata, labels } }
    const plan = planStatefulSet({ ...snapshot, pods: [pod] })
    expect(shown(plan)).toEqual(['update a-0', 'create a-1 A'])
    expect(plan.steps[0]?.actions[0]).toMatchObject({
      next: { metadata: { labels: { 'statefulset.kubernetes.io/pod-name': 'a-0', app: 'x' } } },
    })
  })

  it('creates the pod of the current revision from its template', () => {
    const current = { name: 'A', template: { spec: { containers: [{ name: 'old' }] } } }
    const update = { name: 'B', template: { spec: { containers: [{ name: 'new' }] } } }
    const set = setOf({ ...rolling({ partition: 1 }), replicas: 2, ...parallel })
    const plan = planStatefulSet(snapshotOf(set, [], { current, update }))
    expect(plan.steps[0]?.actions).toMatchObject([
      { pod: { spec: { containers: [{ name: 'old' }] } } },
      { pod: { spec: { containers: [{ name: 'new' }] } } },
    ])
  })
})

describe('planStatefulSet(): waking', () => {
  it('requeues for the moment the next pod becomes available', () => {
    const set = setOf({ minReadySeconds: 90 })
    expect(planStatefulSet(snapshotOf(set, ['a-0 A ready', 'a-1 A fresh'])).requeueAtMs).toBe(nowMs + 30_000)
    expect(planStatefulSet(snapshotOf(setOf(), ['a-0 A fresh'])).requeueAtMs).toBeUndefined()
  })
})

describe('planUnstick()', () => {
  const more = { ...updateTo('C'), unstick: true }
  check([
    { name: 'replaces the pod that broke the rollout', pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B running'], more, does: ['delete a-2'] },
    {
      name: 'also when it is rolled back',
      pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B running'],
      more: { unstick: true } as object,
      does: ['delete a-2'],
    },
    { name: 'replaces the first pod that never became ready', pods: ['a-0 A pending'], more, does: ['delete a-0'] },
    { name: 'waits while it goes', pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B running terminating'], more, does: [] },
    { name: 'waits for the new one to become ready', pods: ['a-0 A ready', 'a-1 A ready', 'a-2 C running'], more, does: [] },
    { name: 'replaces none while the new one is not available', pods: ['a-0 A ready', 'a-1 B running', 'a-2 C running'], more, does: [] },
    {
      name: 'does not take a pod before its turn because it is unready',
      pods: ['a-0 A running', 'a-1 A ready', 'a-2 A ready'],
      more,
      does: [],
    },
    {
      name: 'takes a pod before its turn when its containers fail',
      pods: ['a-0 A failing', 'a-1 A ready', 'a-2 A ready'],
      more,
      does: ['delete a-0'],
    },
    {
      name: 'takes a pod before its turn when it has been unready for long',
      pods: ['a-0 A long', 'a-1 A ready', 'a-2 A ready'],
      more,
      does: ['delete a-0'],
    },
    { name: 'takes the one whose turn it is first', pods: ['a-0 A failing', 'a-1 A ready', 'a-2 B failing'], more, does: ['delete a-2'] },
    { name: 'leaves pods of the new revision alone', pods: ['a-0 C failing', 'a-1 C ready', 'a-2 C ready'], more, does: [] },
    {
      name: 'leaves pods below the partition alone',
      spec: rolling({ partition: 3 }),
      pods: ['a-0 A failing', 'a-1 A ready', 'a-2 A ready'],
      more,
      does: [],
    },
    { name: 'leaves OnDelete alone', spec: { updateStrategy: { type: 'OnDelete' } }, pods: ['a-0 A failing'], more, does: [] },
    { name: 'does nothing while the gate is off', pods: ['a-0 A ready', 'a-1 A ready', 'a-2 B failing'], more: updateTo('C'), does: [] },
  ])

  it('requeues for the moment a pod before its turn counts as broken', () => {
    const plan = planStatefulSet(snapshotOf(setOf(), ['a-0 A running', 'a-1 A ready', 'a-2 A ready'], more))
    expect(plan.requeueAtMs).toBe(nowMs + 540_000)
  })
})

describe('planStatefulSet(): broken pods that are not wanted any more', () => {
  const rows = [
    { name: 'hold each other when both have ended', pods: ['a-0 A failed', 'a-1 A failed'], without: [], unstuck: ['delete a-1'] },
    { name: 'hold each other when both fail', pods: ['a-0 A failing', 'a-1 A failing'], without: [], unstuck: ['delete a-1'] },
    { name: 'are waited for while they may get ready', pods: ['a-0 A running', 'a-1 A pending'], without: [], unstuck: [] },
    { name: 'are waited for while they terminate', pods: ['a-0 A failed', 'a-1 A failed terminating'], without: [], unstuck: [] },
    { name: 'go when only one is unhealthy', pods: ['a-0 A ready', 'a-1 A failing'], without: ['delete a-1'], unstuck: ['delete a-1'] },
  ]
  for (const { name, pods, without, unstuck } of rows)
    for (const unstick of [false, true])
      it(`${name}${unstick ? ', with the gate' : ''}`, () =>
        expect(shown(planStatefulSet(snapshotOf(setOf({ replicas: 0 }), pods, { unstick })))).toEqual(unstick ? unstuck : without))
})
