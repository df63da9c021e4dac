import { describe, expect, it } from 'vitest'
import { measureTrace } from '../rollout/measure.ts'
import { sampleTrace } from '../rollout/testing/sample-trace.ts'
import type { Change, Trace, TracedPod } from '../rollout/trace.ts'
import { startAtFirstStep } from './aligned-trace.ts'

const trace = sampleTrace(5)
const firstStep = trace.changes.findIndex((change) => 'step' in change)
const passing: TracedPod = {
  uid: 'passing',
  name: 'passing',
  namespace: 'default',
  owner: 'set-1',
  isReady: false,
  isTerminating: false,
  hasEnded: false,
  isUnschedulable: true,
}

/** The same run, recorded from a minute before on, in which a pod came and went. */
const early: Trace = {
  ...trace,
  endMs: trace.endMs + 60_000,
  changes: [
    ...trace.changes.slice(0, firstStep),
    ...Array.from({ length: 9 }, (_, index): Change => ({ atMs: 1000, pod: { ...passing, uid: `passing-${index}` } })),
    { atMs: 2000, event: { object: 'Deployment/web', reason: 'Before', message: '' } },
    ...Array.from({ length: 9 }, (_, index): Change => ({ atMs: 3000, gone: { type: 'pod', id: `passing-${index}` } })),
    ...trace.changes.slice(firstStep).map((change) => ({ ...change, atMs: change.atMs + 60_000 })),
  ],
}

describe('startAtFirstStep()', () => {
  it('comes to what a recording from the step on comes to', () => {
    expect(measureTrace(early).measures.peakPods).toBe(14)
    expect(measureTrace(startAtFirstStep(early))).toEqual(measureTrace(trace))
  })
  it('leaves a run alone that begins with its step, or has none', () => {
    expect(startAtFirstStep(trace)).toBe(trace)
    const still = { ...trace, changes: trace.changes.slice(0, firstStep) }
    expect(startAtFirstStep(still)).toBe(still)
  })
})
