import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../api/types.ts'
import { sizes, sync } from '../testing/planned.ts'
import { gatesWith, type SampleSet, sampleDeployment, sampleSet, sampleSnapshot, scaledFor, startMs } from '../testing/sample-objects.ts'
import { annotationOf, unreportedReplicasAnnotation } from './annotations.ts'
import { accountOf } from './capacity.ts'

const deployment = sampleDeployment({ replicas: 10, maxSurge: 0, policy: 'TerminationComplete' })
const asActive = { terminatingAsActive: true }
/** 5 replicas, of which 2 terminate. */
const evicted = { size: 5, status: { replicas: 3, terminatingReplicas: 2 } }

describe('accountOf()', () => {
  it.each<[string, readonly SampleSet[], number]>([
    ['counts the size of a set that has not reached it', [{ size: 5, status: { replicas: 3 } }], 5],
    ['counts the pods of a set that is not scaled down yet', [{ size: 2, status: { replicas: 6 } }], 4],
    ['adds terminating pods', [evicted], 3],
    ['sums all sets', [evicted, { size: 2, age: 2 }], 1],
    ['does not add terminating pods that the set waits for', [{ ...evicted, spec: asActive }], 5],
    ['counts all pods of such a set', [{ size: 2, status: { replicas: 2, terminatingReplicas: 2 }, spec: asActive }], 6],
    [
      'adds them until such a set has observed its spec',
      [{ ...evicted, spec: asActive, status: { ...evicted.status, observedGeneration: 0 } }],
      3,
    ],
    [
      'counts the size of a set that was never observed',
      [{ size: 5, status: { replicas: 0, observedGeneration: 0, terminatingReplicas: undefined as never } }],
      5,
    ],
    ['is 0 while a count is missing', [{ size: 1, status: { terminatingReplicas: undefined as never } }], 0],
    ['is never negative', [{ size: 9, status: { terminatingReplicas: 4 } }], 0],
  ])('%s', (_name, given, room) => {
    const sets = given.map(sampleSet)
    expect(accountOf(sampleSnapshot(deployment, sets), sets).room).toBe(room)
  })

  const podNamed = (index: number, more: object = {}): Pod => ({ metadata: { name: `p${index}`, labels: { app: 'x' }, ...more } })
  const podsOf = (count: number, more?: object) => Array.from({ length: count }, (_, index) => podNamed(index, more))
  const terminating = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  const noStatus = { replicas: 0, observedGeneration: 0, terminatingReplicas: undefined as never }

  it.each<[string, SampleSet, Parameters<typeof sampleSnapshot>[2], number]>([
    // It adopts and deletes them before it observes a larger size.
    ['counts orphans that a set of size 0 adopts', { size: 0, status: noStatus }, { orphans: podsOf(6) }, 4],
    ['counts them although some are in its status', { size: 0, status: { replicas: 2 } }, { orphans: podsOf(6) }, 2],
    ['counts orphans as replicas that a set lacks', { size: 5, status: { replicas: 1 } }, { orphans: podsOf(3) }, 5],
    ['counts all pods of a set that has more orphans than it lacks', { size: 5, status: { replicas: 4 } }, { orphans: podsOf(3) }, 3],
    ['does not count orphans that no set selects', { size: 5 }, { orphans: podsOf(3, { labels: { app: 'y' } }) }, 5],
    ['does not count orphans of a set that is being deleted', { size: 5, isBeingDeleted: true }, { orphans: podsOf(3) }, 5],
    ['counts orphans once with terminating pods that the set waits for', { ...evicted, spec: asActive }, { orphans: podsOf(2) }, 3],
    ['counts pods that a set has adopted and not reported', { size: 0, status: noStatus }, { pods: { 'web-1': podsOf(6) } }, 4],
    ['counts them when they terminate', { size: 0, status: { replicas: 0 } }, { pods: { 'web-1': podsOf(6, terminating) } }, 4],
    ['counts them beyond the size of the set', { size: 2 }, { pods: { 'web-1': podsOf(6) } }, 4],
    ['counts them beyond its terminating pods', evicted, { pods: { 'web-1': [...podsOf(5), ...podsOf(4, terminating)] } }, 1],
    [
      'counts them with terminating pods that the set waits for',
      { ...evicted, spec: asActive },
      { pods: { 'web-1': [...podsOf(5), ...podsOf(2, terminating)] } },
      3,
    ],
    ['does not count pods that a set owns and does not select', { size: 2 }, { pods: { 'web-1': podsOf(6, { labels: {} }) } }, 8],
  ])('%s', (_name, given, more, room) => {
    const sets = [sampleSet(given)]
    expect(accountOf(sampleSnapshot(deployment, sets, more), sets).room).toBe(room)
  })

  it('requeues while a set has not reported its pods', () => {
    const requeueAtMs = (pods: readonly Pod[]) =>
      sync(
        { replicas: 6, maxSurge: 0, policy: 'TerminationComplete' },
        [{ size: 6, annotations: scaledFor(6, 6), status: { availableReplicas: 0 } }],
        { pods: { 'web-1': pods } },
      ).requeueAtMs
    expect(requeueAtMs(podsOf(7))).toBe(startMs + 5000)
    expect(requeueAtMs(podsOf(6))).toBeGreaterThan(startMs + 5000)
  })

  it('notes the orphans on a set that is resized, because it may delete them by its former size and create others', () => {
    const plan = sync({ replicas: 7, maxSurge: 0, policy: 'TerminationComplete' }, [{ size: 0, status: { replicas: 0 } }], {
      orphans: podsOf(4),
    })
    expect(sizes(plan)).toEqual({ 'web-1': 3 })
    expect(plan.actions.map((one) => 'replicaSet' in one && annotationOf(one.replicaSet, unreportedReplicasAnnotation))).toEqual(['7'])
  })

  it.each([
    ['on', {}, asActive],
    ['off', asActive, {}],
  ])('adds terminating pods of a set that this sync turns terminatingAsActive %s for', (_name, before, after) => {
    const stored = [sampleSet({ ...evicted, spec: before })]
    expect(accountOf(sampleSnapshot(deployment, stored), [sampleSet({ ...evicted, spec: after })]).room).toBe(3)
  })

  it('adds all terminating pods while the gate TerminatingAsActive is off', () => {
    const sets = [sampleSet({ ...evicted, spec: asActive })]
    expect(accountOf(sampleSnapshot(deployment, sets, { gates: gatesWith({ TerminatingAsActive: false }) }), sets).room).toBe(3)
  })

  it('leaves a scale the room without the replacements of a set that is no longer terminatingAsActive', () => {
    const plan = sync({ replicas: 7, maxSurge: 0, policy: 'TerminationComplete', generation: 2, status: { observedGeneration: 1 } }, [
      { ...evicted, spec: asActive, annotations: scaledFor(5, 5) },
    ])
    expect(sizes(plan)).toEqual({ 'web-1': 5 })
  })
})
