import { describe, expect, it } from 'vitest'
import { measureTrace } from './measure.ts'
import { sampleTrace } from './testing/sample-trace.ts'
import type { Change, Trace, TracedPod, TracedWorkload } from './trace.ts'

const pod = (uid: string, more: Partial<TracedPod> = {}): TracedPod => ({
  uid,
  name: uid,
  namespace: 'default',
  owner: 'set-1',
  node: 'node-1',
  isReady: true,
  isTerminating: false,
  hasEnded: false,
  isUnschedulable: false,
  ...more,
})
const workload = (more: Partial<TracedWorkload> = {}): TracedWorkload => ({
  uid: 'web',
  kind: 'Deployment',
  name: 'web',
  namespace: 'default',
  replicas: 2,
  cap: 3,
  generation: 1,
  observedGeneration: 1,
  availableReplicas: 2,
  updatedReplicas: 2,
  totalReplicas: 2,
  conditions: [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }],
  ...more,
})
const set = (number: number) => ({ uid: `set-${number}`, name: `web-${number}`, namespace: 'default', owner: 'web', revision: number })
const start: Change[] = [
  { atMs: 0, node: { name: 'node-1', isReady: true } },
  { atMs: 0, workload: workload() },
  { atMs: 0, set: set(1) },
  { atMs: 0, pod: pod('a') },
  { atMs: 0, pod: pod('b') },
]
const traceOf = (endMs: number, ...changes: readonly Change[]): Trace => ({
  format: 'rollcall.trace/1',
  source: 'simulation',
  startedAt: '2026-01-01T00:00:00Z',
  endMs,
  title: 'Deployment default/web',
  changes: [...start, ...changes],
})
const measure = (endMs: number, ...changes: readonly Change[]) => measureTrace(traceOf(endMs, ...changes))

describe('measureTrace()', () => {
  it('finds rest where nothing happens', () => {
    const { measures, series } = measure(60_000)
    expect(measures).toEqual({
      peakPods: 2,
      cap: 3,
      peakOverCap: 0,
      availableAfterMs: 0,
      completeAfterMs: 0,
      lowestAvailability: 1,
      podSeconds: 120,
      peakNodes: 1,
      nodeMinutes: 1,
      waitedForRoom: 0,
      matchedNoNode: 0,
      deadlinesPassed: 0,
    })
    expect(series).toEqual({
      times: [0, 60_000],
      layers: [{ revision: 1, state: 'ready', values: [2, 2] }],
      desired: [2, 2],
      cap: [3, 3],
      available: [2, 2],
      nodes: [1, 1],
    })
  })

  it('counts pods on their way out against the cap', () => {
    const { measures, series } = measure(
      60_000,
      { atMs: 10_000, pod: pod('a', { isTerminating: true }) },
      { atMs: 10_000, pod: pod('b', { isTerminating: true }) },
      { atMs: 10_000, pod: pod('c', { owner: 'set-1', isReady: false }) },
      { atMs: 10_000, pod: pod('d', { isReady: false }) },
      { atMs: 20_000, gone: { type: 'pod', id: 'a' } },
      { atMs: 30_000, gone: { type: 'pod', id: 'b' } },
    )
    expect(measures.peakPods).toBe(4)
    expect(measures.peakOverCap).toBe(1)
    expect(measures.oldGoneAfterMs).toBe(30_000)
    expect(measures.podSeconds).toBe(2 * 10 + 4 * 10 + 3 * 10 + 2 * 30)
    expect(series.times).toEqual([0, 10_000, 20_000, 30_000, 60_000])
    expect(series.layers).toContainEqual({ revision: 1, state: 'terminating', values: [0, 2, 1, 0, 0] })
  })

  it('does not hold against a smaller cap what a larger one has left behind', () => {
    const { measures } = measure(
      60_000,
      { atMs: 1, pod: pod('c') },
      { atMs: 10, workload: workload({ replicas: 1, cap: 1, generation: 2 }) },
      { atMs: 15, pod: pod('a', { isTerminating: true }) },
      { atMs: 20, gone: { type: 'pod', id: 'a' } },
    )
    expect(measures.peakOverCap).toBe(0)
  })

  it('counts a pod that comes on top of what a larger cap has left behind', () => {
    const { measures } = measure(
      60_000,
      { atMs: 1, pod: pod('c') },
      { atMs: 10, workload: workload({ replicas: 1, cap: 1, generation: 2 }) },
      { atMs: 20, gone: { type: 'pod', id: 'a' } },
      { atMs: 30, pod: pod('e') },
    )
    expect(measures.peakOverCap).toBe(1)
  })

  it('holds a cap against a DaemonSet when it has reported how many pods it wants', () => {
    const agent = (replicas: number, cap: number) => workload({ uid: 'agent', kind: 'DaemonSet', name: 'agent', replicas, cap })
    const made = [
      { atMs: 0, workload: agent(0, 0) },
      { atMs: 1, pod: pod('x', { owner: 'agent', revision: 'one' }) },
      { atMs: 2, workload: agent(1, 1) },
    ]
    const within = measure(60_000, ...made).measures
    expect([within.peakPods, within.peakOverCap]).toEqual([3, 0])
    const second = { atMs: 3, pod: pod('y', { owner: 'agent', revision: 'two' }) }
    expect(measure(60_000, ...made, second, { atMs: 4, workload: agent(2, 2) }).measures.peakOverCap).toBe(0)
    expect(measure(60_000, ...made, second, { atMs: 4, workload: agent(1, 1) }).measures.peakOverCap).toBe(1)
    const rewritten = { atMs: 4, workload: { ...agent(1, 1), generation: 2 } }
    expect(measure(60_000, ...made, second, rewritten, { atMs: 5, workload: agent(2, 2) }).measures.peakOverCap).toBe(0)
    expect(measure(60_000, ...made, second).measures.peakOverCap).toBe(1)
  })

  it('takes a scale-up as promised when all are available', () => {
    const scaled = { replicas: 4, cap: 5, generation: 2, observedGeneration: 2 }
    const { measures } = measure(
      60_000,
      { atMs: 10, step: 'scale 4' },
      { atMs: 10, workload: workload({ ...scaled, observedGeneration: 1 }) },
      { atMs: 20, workload: workload({ ...scaled, availableReplicas: 4, updatedReplicas: 4, totalReplicas: 4 }) },
      { atMs: 30, workload: workload({ ...scaled, availableReplicas: 3, updatedReplicas: 4, totalReplicas: 4 }) },
      { atMs: 50, workload: workload({ ...scaled, availableReplicas: 4, updatedReplicas: 4, totalReplicas: 4 }) },
    )
    expect(measures.lowestAvailability).toBe(0.75)
    expect(measures.availableAfterMs).toBe(40)
  })

  it('counts times from the first change, or without one from the first fault', () => {
    const recovering = workload({ availableReplicas: 1 })
    const fault = { atMs: 1000, step: 'evict 1 of Deployment/web', isFault: true }
    const changes: Change[] = [
      { atMs: 1000, workload: recovering },
      { atMs: 9000, workload: workload() },
    ]
    expect(measure(60_000, fault, ...changes).measures.availableAfterMs).toBe(8000)
    const restart = { atMs: 3000, step: 'restart' }
    expect(measure(60_000, fault, changes[0]!, restart, changes[1]!).measures.availableAfterMs).toBe(6000)
  })

  it('counts the time of a Job from its start, not from a fault in its run', () => {
    const job = (conditions: TracedWorkload['conditions']) => workload({ uid: 'etl', kind: 'Job', name: 'etl', conditions })
    const { measures } = measureTrace({
      ...traceOf(60_000),
      changes: [
        { atMs: 0, workload: job([]) },
        { atMs: 0, pod: pod('x', { owner: 'etl' }) },
        { atMs: 10_000, step: 'crash 1 of Job/etl', isFault: true },
        { atMs: 40_000, workload: job([{ type: 'Complete', status: 'True' }]) },
      ],
    })
    expect(measures.completeAfterMs).toBe(40_000)
  })

  it.each(['DaemonSet', 'StatefulSet'])('does not take a terminating pod of a %s for available, although its status counts it', (kind) => {
    const agent = workload({ uid: 'agent', kind, name: 'agent', conditions: [], cap: 2 })
    const { measures, series } = measureTrace({
      ...traceOf(60_000),
      changes: [
        { atMs: 0, workload: agent },
        { atMs: 0, pod: pod('x', { owner: 'agent', revision: 'one' }) },
        { atMs: 0, pod: pod('y', { owner: 'agent', revision: 'one' }) },
        { atMs: 10_000, pod: pod('x', { owner: 'agent', revision: 'one', isTerminating: true }) },
        { atMs: 10_000, workload: { ...agent, updatedReplicas: 0 } },
        { atMs: 20_000, gone: { type: 'pod', id: 'x' } },
        { atMs: 20_000, pod: pod('z', { owner: 'agent', revision: 'two' }) },
        { atMs: 20_000, workload: agent },
      ],
    })
    expect(measures.lowestAvailability).toBe(0.5)
    expect(series.available).toEqual([2, 1, 2, 2])
  })

  it('does not count what a node autoscaler evicts after the rollout as part of it', () => {
    const updating = workload({ generation: 2, updatedReplicas: 1, availableReplicas: 1, conditions: [] })
    const updated = workload({ generation: 2, observedGeneration: 2 })
    const trace = traceOf(
      900_000,
      { atMs: 1000, step: 'restart' },
      { atMs: 1000, workload: updating },
      { atMs: 61_000, workload: updated },
      { atMs: 700_000, pod: pod('a', { isReady: false, isTerminating: true }) },
      { atMs: 700_000, workload: workload({ ...updated, availableReplicas: 1 }) },
      { atMs: 730_000, gone: { type: 'pod', id: 'a' } },
      { atMs: 740_000, pod: pod('c') },
      { atMs: 740_000, workload: updated },
    )
    const times = { availableAfterMs: 60_000, completeAfterMs: 60_000 }
    expect(measureTrace({ ...trace, hasAutoscaledNodes: true }).measures).toMatchObject({ ...times, lowestAvailability: 0.5 })
    expect(measureTrace(trace).measures).toMatchObject({ availableAfterMs: 739_000, completeAfterMs: 739_000, oldGoneAfterMs: 729_000 })
  })

  it('does not take a change of the last old pod for its end', () => {
    const trace = traceOf(
      90_000,
      { atMs: 1000, step: 'restart' },
      { atMs: 1000, workload: workload({ generation: 2, updatedReplicas: 1, availableReplicas: 1, conditions: [] }) },
      { atMs: 2000, gone: { type: 'pod', id: 'b' } },
      { atMs: 20_000, pod: pod('a', { isTerminating: true }) },
      { atMs: 21_000, workload: workload({ generation: 2, observedGeneration: 2 }) },
      { atMs: 22_000, pod: pod('a', { isReady: false, isTerminating: true }) },
      { atMs: 66_000, gone: { type: 'pod', id: 'a' } },
    )
    for (const one of [trace, { ...trace, hasAutoscaledNodes: true as const }])
      expect(measureTrace(one).measures.oldGoneAfterMs).toBe(65_000)
  })

  it('says nothing of a completion that did not happen', () => {
    const late = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }
    const { measures, marks } = measure(
      60_000,
      { atMs: 0, step: 'image web:2' },
      { atMs: 0, workload: workload({ generation: 2 }) },
      { atMs: 50, workload: workload({ generation: 2, observedGeneration: 2, updatedReplicas: 1, totalReplicas: 3, conditions: [late] }) },
      { atMs: 60, pod: pod('c', { isReady: false, node: undefined as never, isUnschedulable: true }) },
    )
    expect(measures).not.toHaveProperty('availableAfterMs')
    expect(measures).not.toHaveProperty('completeAfterMs')
    expect(measures.deadlinesPassed).toBe(1)
    expect(measures.waitedForRoom).toBe(1)
    expect(marks.map(({ text }) => text)).toEqual(['image web:2', 'Progressing=False ProgressDeadlineExceeded'])
  })

  it('distinguishes revisions, also when the set comes after its pods', () => {
    const { series, measures } = measure(
      50,
      { atMs: 10, pod: pod('c', { owner: 'set-2', isReady: false }) },
      { atMs: 10, set: set(2) },
      { atMs: 20, pod: pod('a', { isTerminating: true }) },
      { atMs: 30, gone: { type: 'pod', id: 'a' } },
      { atMs: 40, gone: { type: 'pod', id: 'b' } },
    )
    expect(measures.oldGoneAfterMs).toBe(40)
    expect(series.layers).toEqual([
      { revision: 1, state: 'ready', values: [2, 2, 1, 1, 0, 0] },
      { revision: 2, state: 'starting', values: [0, 1, 1, 1, 1, 1] },
      { revision: 1, state: 'terminating', values: [0, 0, 1, 0, 0, 0] },
    ])
  })

  it('draws the pods of a workload that does not change as current', () => {
    const agent = workload({ uid: 'agent', kind: 'DaemonSet', name: 'agent', conditions: [], cap: 2 })
    const { series } = measure(
      60_000,
      { atMs: 0, pod: pod('d', { owner: 'agent', revision: 'one' }) },
      { atMs: 0, workload: agent },
      { atMs: 0, pod: pod('e', { owner: 'agent', revision: 'one' }) },
      { atMs: 1000, set: set(2) },
      { atMs: 1000, pod: pod('c', { owner: 'set-2' }) },
    )
    expect(series.layers.map(({ revision, state, values }) => [revision, state, values.at(-1)])).toEqual([
      [1, 'ready', 2],
      [2, 'ready', 3],
    ])
  })

  it('thins what is too much to be seen, and keeps the peaks', () => {
    const many: Change[] = []
    for (let i = 1; i <= 20_000; i++) many.push({ atMs: i, pod: pod('x', { isTerminating: i % 2 === 0 }) })
    many.push({ atMs: 20_001, pod: pod('y') }, { atMs: 20_002, gone: { type: 'pod', id: 'y' } })
    const { series, measures } = measure(40_000, ...many)
    expect(series.times.length).toBeLessThan(4000)
    const totals = series.times.map((_, index) => series.layers.reduce((sum, { values }) => sum + values[index]!, 0))
    expect(Math.max(...totals)).toBe(measures.peakPods)
    expect(series.times.at(-1)).toBe(40_000)
  })

  it('reads the sample', () => {
    const { measures, series, marks } = measureTrace(sampleTrace())
    expect(measures).toMatchObject({ peakPods: 20, cap: 13, peakOverCap: 7, lowestAvailability: 0.8 })
    expect(series.layers.length).toBe(5)
    expect(marks.some(({ type }) => type === 'step')).toBe(true)
  })

  it('does not count pods that wait for the pacer, but says how many waited', () => {
    const waiting = { isWaiting: true, isReady: false, node: undefined } as unknown as Partial<TracedPod>
    const trace = traceOf(
      4000,
      { atMs: 1000, pod: pod('c') },
      { atMs: 1000, pod: pod('d', waiting) },
      { atMs: 1000, pod: pod('e', waiting) },
      { atMs: 3000, pod: pod('d', { isReady: false }) },
      { atMs: 3000, gone: { type: 'pod', id: 'c' } },
    )
    const { measures, series } = measureTrace(trace)
    expect(measures).toMatchObject({ peakPods: 4, peakOverCap: 1, peakWaiting: 2 })
    expect(series.layers.find(({ state }) => state === 'waiting')?.values).toEqual([0, 2, 1, 1])
    expect(measure(1000).measures).not.toHaveProperty('peakWaiting')
  })

  it('finds the longest time without progress of a rollout with the pacer', () => {
    const rolling = (more: Partial<TracedWorkload>) => workload({ generation: 2, conditions: [], ...more })
    const trace = traceOf(
      99_000,
      { atMs: 1000, pod: pod('c', { isWaiting: true }) },
      { atMs: 1000, workload: rolling({ updatedReplicas: 0 }) },
      { atMs: 2000, workload: rolling({ updatedReplicas: 1 }) },
      { atMs: 9000, workload: rolling({ updatedReplicas: 1, availableReplicas: 1 }) },
      { atMs: 12_000, workload: rolling({ updatedReplicas: 2 }) },
      { atMs: 30_000, workload: workload({ generation: 2, observedGeneration: 2 }) },
      { atMs: 90_000, workload: workload({ generation: 2, observedGeneration: 2, availableReplicas: 1 }) },
    )
    // From 12 s to 30 s: what follows is after completion.
    expect(measureTrace(trace).measures.neededDeadlineMs).toBe(18_000)
  })
})
