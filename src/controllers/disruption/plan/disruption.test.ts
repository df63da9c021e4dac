import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSelector } from '../../../api/machinery/go-text.ts'
import type { Pod, PodDisruptionBudget, Stored } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { countHealthy, deletionTimeoutMs, planDisruptedPods } from './disrupted-pods.ts'
import { isMeasuredByScale, planPodCounts } from './expected-pods.ts'
import { controllersOf } from './owners.ts'
import { staleAtMs, withoutDisruptionTarget } from './stale-condition.ts'
import { nextBudgetStatus, nextFailedStatus } from './status.ts'

const nowMs = Date.UTC(2026, 10, 1, 12)
const now = formatTime(nowMs)
const at = (ms: number) => formatTime(nowMs + ms)

const pod = (name: string, more: object = {}, metadata: object = {}): Stored<Pod> =>
  ({
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', generation: 1, ...metadata },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], ...more },
  }) as Stored<Pod>

const budget = (status?: object): Stored<PodDisruptionBudget> =>
  ({
    metadata: { name: 'b', namespace: 'default', uid: 'u', resourceVersion: '1', generation: 2 },
    spec: {},
    ...(status && { status }),
  }) as Stored<PodDisruptionBudget>

describe('planPodCounts()', () => {
  for (const [name, spec, podCount, scale, expectedPods, desiredHealthy] of [
    ['no limit counts nothing', {}, 5, 0, 0, 0],
    ['a plain minimum counts the pods', { minAvailable: 3 }, 5, 0, 5, 3],
    ['a minimum of zero', { minAvailable: 0 }, 5, 0, 5, 0],
    ['a share to keep is rounded up', { minAvailable: '30%' }, 2, 7, 7, 3],
    ['all to keep', { minAvailable: '100%' }, 2, 7, 7, 7],
    ['a number in maxUnavailable', { maxUnavailable: 2 }, 3, 7, 7, 5],
    ['a percentage in maxUnavailable is rounded up', { maxUnavailable: '30%' }, 3, 7, 7, 4],
    ['maxUnavailable above the number of pods', { maxUnavailable: 9 }, 3, 7, 7, 0],
    ['maxUnavailable 0', { maxUnavailable: 0 }, 3, 7, 7, 7],
  ] as const)
    it(name, () => expect(planPodCounts(spec, podCount, scale)).toEqual({ expectedPods, desiredHealthy }))

  it('rejects an invalid percentage', () =>
    expect(() => planPodCounts({ maxUnavailable: 'x' }, 1, 1)).toThrow(
      'invalid value for IntOrString: invalid type: string is not a percentage',
    ))

  it('knows when the scale of controllers is needed', () => {
    expect(isMeasuredByScale({ minAvailable: 1 })).toBe(false)
    expect(isMeasuredByScale({ minAvailable: '1%' })).toBe(true)
    expect(isMeasuredByScale({ maxUnavailable: 1 })).toBe(true)
  })
})

describe('controllersOf()', () => {
  it('names each controller once, and the pods without one', () => {
    const owner = (uid: string) => ({ ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: uid, uid, controller: true }] })
    const pods = [pod('a', {}, owner('x')), pod('b'), pod('c', {}, owner('x')), pod('d', {}, owner('y'))]
    const { controllers, unmanaged } = controllersOf(pods)
    expect(controllers.map(({ reference, podName }) => [reference.uid, podName])).toEqual([
      ['x', 'a'],
      ['y', 'd'],
    ])
    expect(unmanaged).toEqual(['b'])
  })
})

describe('planDisruptedPods()', () => {
  const granted = (disruptedPods: object) => budget({ disruptedPods })

  it('keeps a grant for two minutes, and requeues right after', () => {
    const plan = planDisruptedPods(granted({ a: at(-60_000) }), [pod('a')], nowMs)
    expect([...plan.disruptedPods]).toEqual([['a', at(-60_000)]])
    expect(plan.requeueAtMs).toBe(nowMs + 60_001)
  })

  it('drops the grant of a pod that was not deleted', () => {
    const plan = planDisruptedPods(granted({ a: at(-121_000) }), [pod('a')], nowMs)
    expect(plan.disruptedPods.size).toBe(0)
    expect(plan.notDeleted.map(({ metadata }) => metadata.name)).toEqual(['a'])
    expect(plan.requeueAtMs).toBeUndefined()
  })

  it('forgets pods that are terminating, deleted, or of another budget', () => {
    const plan = planDisruptedPods(granted({ a: now, b: now }), [pod('a', {}, { deletionTimestamp: now }), pod('constructor')], nowMs)
    expect(plan).toEqual({ disruptedPods: new Map(), notDeleted: [] })
  })

  it('never requeues for the same moment', () =>
    fc.assert(
      fc.property(fc.integer({ min: -300, max: 0 }), (seconds) => {
        const { requeueAtMs } = planDisruptedPods(granted({ a: at(seconds * 1000) }), [pod('a')], nowMs)
        return requeueAtMs === undefined || requeueAtMs > nowMs
      }),
    ))
})

describe('countHealthy()', () => {
  it('excludes pods that are not ready, terminating, or granted', () => {
    const pods = [pod('a'), pod('b', { conditions: [] }), pod('c', {}, { deletionTimestamp: now }), pod('d'), pod('e')]
    const grants = new Map([
      ['d', now],
      ['e', at(-deletionTimeoutMs)],
    ])
    expect(countHealthy(pods, grants, nowMs)).toBe(2)
  })
})

describe('nextBudgetStatus()', () => {
  const counts = { currentHealthy: 3, desiredHealthy: 2, expectedPods: 3, disruptedPods: new Map<string, string>(), nowMs }

  it('allows the healthy pods beyond the desired ones', () =>
    expect(nextBudgetStatus(budget(), counts)).toEqual({
      observedGeneration: 2,
      disruptionsAllowed: 1,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 3,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'True',
          observedGeneration: 2,
          lastTransitionTime: now,
          reason: 'SufficientPods',
          message: '',
        },
      ],
    }))

  it('allows nothing of no pods', () =>
    expect(nextBudgetStatus(budget(), { ...counts, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 })).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'InsufficientPods' }],
    }))

  it('never allows less than nothing', () =>
    expect(nextBudgetStatus(budget(), { ...counts, currentHealthy: 1 })).toMatchObject({ disruptionsAllowed: 0 }))

  it('is not written again', () => {
    const status = nextBudgetStatus(budget(), { ...counts, disruptedPods: new Map([['a', now]]) })!
    expect(nextBudgetStatus(budget(status), { ...counts, disruptedPods: new Map([['a', now]]), nowMs: nowMs + 5000 })).toBeUndefined()
    expect(nextBudgetStatus(budget(status), counts)).toBeDefined()
  })

  it('keeps lastTransitionTime while the status stays the same', () => {
    const status = nextBudgetStatus(budget(), counts)!
    const next = nextBudgetStatus(budget(status), { ...counts, currentHealthy: 4, nowMs: nowMs + 5000 })
    expect(next?.conditions?.[0]?.lastTransitionTime).toBe(now)
    const none = nextBudgetStatus(budget(next), { ...counts, currentHealthy: 0, nowMs: nowMs + 5000 })
    expect(none?.conditions?.[0]?.lastTransitionTime).toBe(at(5000))
  })

  it('recovers from a failure', () => {
    const failed = nextFailedStatus(budget(nextBudgetStatus(budget(), counts)), 'found no controllers for pod "a"', nowMs)!
    expect(failed).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 3,
      conditions: [{ status: 'False', reason: 'SyncFailed', message: 'found no controllers for pod "a"', observedGeneration: 2 }],
    })
    expect(nextFailedStatus(budget(failed), 'found no controllers for pod "a"', nowMs)).toBeUndefined()
    expect(nextBudgetStatus(budget(failed), counts)?.conditions).toMatchObject([{ reason: 'SufficientPods', message: '' }])
  })
})

describe('staleAtMs()', () => {
  const announced = (condition: object, more: object = {}, metadata: object = {}) =>
    pod('a', { conditions: [{ type: 'DisruptionTarget', status: 'True', lastTransitionTime: now, ...condition }], ...more }, metadata)
  for (const [name, subject, expected] of [
    ['no announcement', pod('a'), undefined],
    ['two minutes after it', announced({}), nowMs + 120_000],
    ['taken back already', announced({ status: 'False' }), undefined],
    ['a kubelet’s own', announced({ reason: 'TerminationByKubelet' }), undefined],
    ['a terminated pod', announced({}, { phase: 'Failed' }), undefined],
    ['a pod that is being deleted', announced({}, {}, { deletionTimestamp: now }), undefined],
  ] as const)
    it(name, () => expect(staleAtMs(subject)).toBe(expected))

  it('is undone by withoutDisruptionTarget()', () =>
    expect(withoutDisruptionTarget(announced({ reason: 'EvictionByEvictionAPI', message: 'm' }), nowMs + 1000).status?.conditions).toEqual([
      { type: 'DisruptionTarget', status: 'False', observedGeneration: 1, lastTransitionTime: at(1000) },
    ]))
})

describe('formatSelector()', () => {
  for (const [name, selector, expected] of [
    ['none', undefined, 'nil'],
    [
      'labels in order',
      { matchLabels: { b: '2', a: '1' } },
      '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{},}',
    ],
    [
      'expressions',
      { matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }] },
      '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}',
    ],
  ] as const)
    it(name, () => expect(formatSelector(selector)).toBe(expected))
})
