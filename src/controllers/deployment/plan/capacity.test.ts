import { describe, expect, it } from 'vitest'
import { sizes, sync } from '../testing/planned.ts'
import { gatesWith, type SampleSet, sampleDeployment, sampleSet, sampleSnapshot, scaledFor } from '../testing/sample-objects.ts'
import { roomAtThisMoment } from './capacity.ts'

const deployment = sampleDeployment({ replicas: 10, maxSurge: 0, policy: 'TerminationComplete' })
const asActive = { terminatingAsActive: true }
/** 5 replicas, of which 2 terminate. */
const evicted = { size: 5, status: { replicas: 3, terminatingReplicas: 2 } }

describe('roomAtThisMoment()', () => {
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
    expect(roomAtThisMoment(sampleSnapshot(deployment, sets), sets)).toBe(room)
  })

  it.each([
    ['on', {}, asActive],
    ['off', asActive, {}],
  ])('adds terminating pods of a set that this sync turns terminatingAsActive %s for', (_name, before, after) => {
    const stored = [sampleSet({ ...evicted, spec: before })]
    expect(roomAtThisMoment(sampleSnapshot(deployment, stored), [sampleSet({ ...evicted, spec: after })])).toBe(3)
  })

  it('adds all terminating pods while the gate TerminatingAsActive is off', () => {
    const sets = [sampleSet({ ...evicted, spec: asActive })]
    expect(roomAtThisMoment(sampleSnapshot(deployment, sets, { gates: gatesWith({ TerminatingAsActive: false }) }), sets)).toBe(3)
  })

  it('leaves a scale the room without the replacements of a set that is no longer terminatingAsActive', () => {
    const plan = sync({ replicas: 7, maxSurge: 0, policy: 'TerminationComplete', generation: 2, status: { observedGeneration: 1 } }, [
      { ...evicted, spec: asActive, annotations: scaledFor(5, 5) },
    ])
    expect(sizes(plan)).toEqual({ 'web-1': 5 })
  })
})
