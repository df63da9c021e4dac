import { describe, expect, it } from 'vitest'
import { dominantCause } from './dominant-cause.ts'
import type { Change, Trace, TracedPod, TracedWorkload } from './trace.ts'

const pod = (uid: string, more: Partial<TracedPod> = {}): TracedPod => ({
  uid,
  name: uid,
  namespace: 'default',
  isReady: false,
  isTerminating: false,
  hasEnded: false,
  isUnschedulable: false,
  ...more,
})
const workload = (conditions: TracedWorkload['conditions']): TracedWorkload => ({
  uid: 'web',
  kind: 'Deployment',
  name: 'web',
  namespace: 'default',
  replicas: 2,
  cap: 3,
  generation: 1,
  observedGeneration: 1,
  availableReplicas: 2,
  updatedReplicas: 0,
  conditions,
})
const traceOf = (...changes: Change[]) => ({ changes }) as unknown as Trace
const step: Change = { atMs: 10_000, step: 'image web:2' }

describe('dominantCause()', () => {
  it('names a refusal', () => {
    const refused = workload([{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota: pods' }])
    const trace = traceOf(
      step,
      { atMs: 20_000, workload: refused },
      { atMs: 200_000, workload: workload([]) },
      { atMs: 210_000, pod: pod('a') },
    )
    expect(dominantCause(trace, 200_000)).toBe(
      'pods are refused for 3m 00s of 3m 20s, and the ReplicaSet tries again after waits that double: exceeded quota: pods',
    )
  })

  it.each([
    ['room', { isUnschedulable: true }, 'pods wait for room on a node for 1m 40s of 1m 50s'],
    ['a node', { isUnschedulable: true, waitsFor: 'match' as const }, 'pods wait for a node that they match for 1m 40s of 1m 50s'],
    ['old pods', { isTerminating: true }, 'new pods wait for old ones to terminate for 1m 40s of 1m 50s'],
    ['the start', {}, 'pods take long to start: 1m 40s of 1m 50s'],
  ])('names the wait for %s', (_, state, cause) => {
    const trace = traceOf(step, { atMs: 20_000, pod: pod('a', state) }, { atMs: 120_000, gone: { type: 'pod', id: 'a' } }, step)
    expect(dominantCause(trace, 110_000)).toBe(cause)
  })

  it('is silent where nothing dominates, and for a short rollout', () => {
    const trace = traceOf(
      step,
      { atMs: 20_000, pod: pod('a') },
      { atMs: 40_000, gone: { type: 'pod', id: 'a' } },
      { atMs: 130_000, pod: pod('b') },
    )
    expect(dominantCause(trace, 120_000)).toBeUndefined()
    expect(dominantCause(trace, 30_000)).toBeUndefined()
    expect(dominantCause(trace, undefined)).toBeUndefined()
  })
})
