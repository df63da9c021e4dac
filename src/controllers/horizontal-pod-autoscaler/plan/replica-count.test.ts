import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { defaultReadinessRules, type PodMetric, replicasForAverage, replicasForUtilization } from './replica-count.ts'

const nowMs = Date.UTC(2026, 0, 1, 12)
const ago = (seconds: number) => formatTime(nowMs - seconds * 1000)

type State = 'ready' | 'pending' | 'failed' | 'deleted' | 'starting' | 'never ready' | 'unready at no time' | 'unready later'

/** One pod for each state, with a request of 1 CPU. */
const podsOf = (states: readonly State[]): Pod[] =>
  states.map((state, index) => {
    const isOld = state === 'ready' || state.startsWith('unready') || state === 'never ready'
    const startTime = ago(isOld ? 3600 : 60)
    const changedAt = state === 'never ready' ? ago(3590) : ago(isOld ? 1800 : 50)
    const lastTransitionTime = state === 'unready at no time' ? (null as never) : changedAt
    return {
      metadata: { name: `p${index}`, ...(state === 'deleted' && { deletionTimestamp: ago(1) }) },
      spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
      status: {
        phase: state === 'pending' ? 'Pending' : state === 'failed' ? 'Failed' : 'Running',
        startTime,
        conditions: [{ type: 'Ready', status: state === 'ready' ? 'True' : 'False', lastTransitionTime }],
      },
    }
  })

/** Usage of each pod in thousandths of a CPU; undefined is a pod without metrics. */
const metricsOf = (usage: readonly (number | undefined)[]) =>
  new Map(
    usage.flatMap((value, index): [string, PodMetric][] =>
      value === undefined ? [] : [[`p${index}`, { value, timestampMs: nowMs, windowMs: 15_000 }]],
    ),
  )

const measured = (states: readonly State[], usage: readonly (number | undefined)[], currentReplicas: number) => ({
  pods: podsOf(states),
  metrics: metricsOf(usage),
  currentReplicas,
  tolerances: { up: 0.1, down: 0.1 },
  nowMs,
  rules: defaultReadinessRules,
})
const ready = (count: number) => Array.from({ length: count }, (): State => 'ready')

describe('replicasForUtilization()', () => {
  it.each<[string, readonly State[], readonly (number | undefined)[], number, number, number]>([
    ['scales up in proportion', ready(3), [300, 500, 700], 30, 5, 50],
    ['scales down in proportion', ready(5), [100, 300, 500, 250, 250], 50, 3, 28],
    ['stays within the tolerance', ready(3), [1010, 1030, 1020], 100, 3, 102],
    [
      'ignores the CPU of a pod that is starting, and does not grow beyond what is measured',
      ['ready', 'ready', 'starting'],
      [500, 700, 900],
      30,
      4,
      60,
    ],
    ['leaves out pending pods when scaling down', ['ready', 'ready', 'pending'], [100, 100, undefined], 50, 1, 10],
    ['leaves out deleted and failed pods', ['ready', 'ready', 'deleted', 'failed'], [1000, 1000, 9000, 9000], 50, 4, 100],
    ['counts a pod without metrics as idle when scaling up', ready(4), [undefined, 900, 900, 900], 50, 6, 90],
    ['counts a pod without metrics as busy when scaling down', ready(4), [undefined, 100, 100, 100], 50, 3, 10],
    ['stays when pods without metrics would turn the direction', ready(2), [600, undefined], 50, 2, 60],
    ['leaves out a pod that has never been ready', ['ready', 'ready', 'never ready'], [900, 900, 100], 60, 3, 90],
    ['and one whose condition has no time', ['ready', 'ready', 'unready at no time'], [900, 900, 100], 60, 3, 90],
    ['counts a pod that became unready later', ['ready', 'ready', 'unready later'], [900, 900, 900], 60, 5, 90],
  ])('%s', (_, states, usage, target, replicas, utilization) => {
    expect(replicasForUtilization(measured(states, usage, states.length), 'cpu', undefined, target)).toMatchObject({
      replicas,
      utilization,
    })
  })

  it.each<[string, readonly State[], readonly (number | undefined)[], string | undefined, string]>([
    ['there are no pods', [], [], undefined, 'no pods returned by selector while calculating replica count'],
    ['no pod is ready', ['pending'], [undefined], undefined, 'did not receive metrics for targeted pods (pods might be unready)'],
    ['the container does not exist', ready(1), [100], 'x', 'container x not found in Pod p0'],
  ])('fails when %s', (_, states, usage, container, message) => {
    expect(() => replicasForUtilization(measured(states, usage, 1), 'cpu', container, 50)).toThrow(message)
  })

  it('fails when a container has no request', () => {
    expect(() => replicasForUtilization(measured(ready(1), [100], 1), 'memory', undefined, 50)).toThrow(
      'missing request for memory in container c of Pod p0',
    )
  })
})

describe('replicasForAverage()', () => {
  it.each<[string, readonly State[], readonly (number | undefined)[], number, number, number]>([
    ['scales up in proportion', ready(3), [20_000, 10_000, 30_000], 15_000, 4, 20_000],
    ['scales down in proportion', ready(5), [10_000, 10_000, 10_000, 10_000, 10_000], 20_000, 3, 10_000],
    ['counts pods without metrics as on target when scaling down', ready(4), [undefined, 5000, 5000, 5000], 10_000, 3, 5000],
  ])('%s', (_, states, usage, target, replicas, average) => {
    expect(replicasForAverage(measured(states, usage, states.length), undefined, target)).toMatchObject({ replicas, average })
  })
})
