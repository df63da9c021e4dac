import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pod, Stored } from '../../../api/types.ts'
import { isActive, isAvailable, isReady } from '../../shared/plan/pod-state.ts'
import { ago, controllerOf, gates, nowMs, type PodTraits, podOf, setOf, settings } from '../testing/sample-objects.ts'
import { settingsOf } from './settings.ts'
import { nextStatus, type ReplicaSetStatus } from './status.ts'

const next = (
  active: readonly Stored<Pod>[],
  { terminating = 0, status = { replicas: 0 }, failure, ...more }: NextOptions = {},
): ReplicaSetStatus | undefined =>
  nextStatus(setOf({}, status), {
    settings: settings(more),
    active,
    terminating,
    nowMs,
    ...(failure !== undefined && { failure }),
  }).status

type NextOptions = Partial<ReturnType<typeof settings>> & {
  terminating?: number
  status?: ReplicaSetStatus
  failure?: string
}

describe('nextStatus()', () => {
  it('preserves unknown fields, and removes known ones that no longer apply', () => {
    const status = { replicas: 7, someday: 'yes', terminatingReplicas: 3 } as ReplicaSetStatus
    expect(next([], { status, countsTerminating: false })).toEqual({
      replicas: 0,
      fullyLabeledReplicas: 0,
      readyReplicas: 0,
      availableReplicas: 0,
      observedGeneration: 1,
      someday: 'yes',
    })
  })

  it('counts pods by their state', () => {
    const pods = [
      podOf('a', { labels: { app: 'x', tier: 'web' }, readyFor: 100 }),
      podOf('b', { labels: { app: 'x', tier: 'web' }, readyFor: 1 }),
      podOf('c', { labels: { app: 'x' } }),
    ]
    expect(next(pods, { terminating: 2, minReadySeconds: 10, templateLabels: { app: 'x', tier: 'web' } })).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 2,
      observedGeneration: 1,
    })
  })

  const settled = { replicas: 1, fullyLabeledReplicas: 1, terminatingReplicas: 0, observedGeneration: 1 }

  it.each<[string, ReplicaSetStatus, NextOptions, boolean]>([
    ['nothing when the status is up to date', settled, {}, false],
    ['a new generation', { ...settled, observedGeneration: 0 }, {}, true],
    ['a count of terminating pods alone', settled, { terminating: 1 }, true],
    ['a count that was never written', { replicas: 1, fullyLabeledReplicas: 1, observedGeneration: 1 }, {}, true],
    ['a count that is no longer kept', settled, { countsTerminating: false }, true],
    [
      'nothing where it is neither kept nor written',
      { replicas: 1, fullyLabeledReplicas: 1, observedGeneration: 1 },
      { countsTerminating: false },
      false,
    ],
  ])('writes %s', (_, status, options, written) => {
    const result = next([podOf('a')], { status, ...options })
    expect(result !== undefined).toBe(written)
    if (options.countsTerminating === false) expect(result?.terminatingReplicas).toBeUndefined()
  })

  it('never has terminating pods for a ReplicationController', () => {
    const controller = controllerOf({ app: 'x' })
    const { status } = nextStatus(controller, {
      settings: settingsOf('ReplicationController', controller, gates),
      active: [podOf('a')],
      terminating: 3,
      nowMs,
    })
    expect(status).toEqual({ replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 0, availableReplicas: 0, observedGeneration: 1 })
  })

  it('observes a new generation', () => {
    const status = { ...settled, observedGeneration: 0 }
    expect(next([podOf('a')], { status })).toMatchObject({ replicas: 1, observedGeneration: 1 })
  })

  it('reports a failure once, and removes the condition again', () => {
    const failed = next([], { failure: 'no room' })
    expect(failed?.conditions).toEqual([
      { type: 'ReplicaFailure', status: 'True', lastTransitionTime: ago(0), reason: 'FailedCreate', message: 'no room' },
    ])
    expect(next([], { failure: 'still no room', status: failed! })).toBeUndefined()
    expect(next([podOf('a')], { status: failed! })).not.toHaveProperty('conditions')
    const two = [podOf('a'), podOf('b')]
    expect(next(two, { failure: 'stuck' })?.conditions).toMatchObject([{ reason: 'FailedDelete', message: 'stuck' }])
  })

  it('requeues for the moment the next pod becomes available', () => {
    const input = { settings: settings({ minReadySeconds: 10 }), terminating: 0, nowMs }
    const requeueAt = (pods: readonly Stored<Pod>[]) => nextStatus(setOf(), { ...input, active: pods }).requeueAtMs
    expect(requeueAt([podOf('a', { readyFor: 3 }), podOf('b', { readyFor: 6 }), podOf('c', { readyFor: 10 }), podOf('d')])).toBe(
      nowMs + 4000,
    )
    expect(requeueAt([podOf('a', { readyFor: 10 }), podOf('b')])).toBeUndefined()
    expect(requeueAt([podOf('a', { readyFor: null })])).toBeUndefined()
  })

  describe('Operational (KEP-2804)', () => {
    const ready = (count: number) => Array.from({ length: count }, (_, index) => podOf(String(index), { readyFor: 100 }))
    it.each<[string, number, number, number | string, string]>([
      ['all available', 4, 4, '100%', 'True'],
      ['one unavailable', 4, 3, '100%', 'False'],
      ['three of four available, three required', 4, 3, 3, 'True'],
      ['three of four available, 75% required', 4, 3, '75%', 'True'],
      ['two of three available, 75% required', 3, 2, '75%', 'False'],
      ['none desired', 0, 0, '100%', 'True'],
      ['more required than desired', 2, 2, 5, 'True'],
    ])('%s', (_, wanted, available, operationalThreshold, status) => {
      expect(next(ready(available), { wanted, operationalThreshold })?.conditions).toMatchObject([{ type: 'Operational', status }])
    })

    it('keeps its time until its status changes, and stands beside a failure', () => {
      const before = { type: 'Operational', status: 'False', lastTransitionTime: ago(50), reason: 'Old', message: 'old' }
      const still = next([], { wanted: 1, operationalThreshold: '100%', status: { replicas: 0, conditions: [before] }, failure: 'no room' })
      expect(still?.conditions?.map(({ type }) => type)).toEqual(['ReplicaFailure', 'Operational'])
      expect(still?.conditions?.[1]).toMatchObject({
        status: 'False',
        lastTransitionTime: ago(50),
        reason: 'InsufficientReplicasAvailable',
      })
      const changed = next(ready(1), { wanted: 1, operationalThreshold: '100%', status: still! })
      expect(changed?.conditions).toMatchObject([{ type: 'Operational', status: 'True', lastTransitionTime: ago(0) }])
    })

    it('does not change while the gate is off', () => {
      const before = { type: 'Operational', status: 'False', lastTransitionTime: ago(50), reason: 'Old', message: 'old' }
      expect(next(ready(1), { wanted: 1, status: { replicas: 0, conditions: [before] } })?.conditions).toEqual([before])
    })
  })

  it('counts every pod exactly once', () => {
    const traits = fc.record<PodTraits>(
      {
        readyFor: fc.constantFrom(0, 5, 10, 20, null),
        labels: fc.constantFrom<Record<string, string>>({ app: 'x' }, { app: 'x', tier: 'web' }),
        terminating: fc.boolean(),
        phase: fc.constantFrom('Pending', 'Running', 'Failed', 'Succeeded'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(traits, { maxLength: 20 }), fc.constantFrom(0, 10), (list, minReadySeconds) => {
        const active = list.map((one, index) => podOf(String(index), one)).filter(isActive)
        const status = next(active, { minReadySeconds, status: { replicas: -1 } })!
        expect(status.replicas).toBe(active.length)
        expect(status.readyReplicas).toBe(active.filter(isReady).length)
        expect(status.availableReplicas).toBe(active.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length)
        expect(status.availableReplicas!).toBeLessThanOrEqual(status.readyReplicas!)
        expect(next(active, { minReadySeconds, status })).toBeUndefined()
      }),
      { numRuns: 100 },
    )
  })
})
