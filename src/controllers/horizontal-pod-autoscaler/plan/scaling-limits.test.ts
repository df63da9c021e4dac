import { describe, expect, it } from 'vitest'
import { emptyHistory, limitScaling, nextHistory, type ScalingHistory } from './scaling-limits.ts'

const nowMs = 10_000_000
const at = (secondsAgo: number) => nowMs - secondsAgo * 1000
const recommended = (...all: readonly [secondsAgo: number, replicas: number][]): ScalingHistory => ({
  ...emptyHistory,
  recommendations: all.map(([secondsAgo, replicas]) => ({ atMs: at(secondsAgo), replicas })),
})

describe('limitScaling()', () => {
  it.each<[string, number, number, ScalingHistory, number, string]>([
    ['doubles at most', 10, 50, emptyHistory, 20, 'ScaleUpLimit'],
    ['goes to four from one', 1, 50, emptyHistory, 4, 'ScaleUpLimit'],
    ['stops at the most replicas', 60, 120, emptyHistory, 100, 'TooManyReplicas'],
    ['stops at the least replicas', 5, 0, emptyHistory, 2, 'TooFewReplicas'],
    ['scales down at once when no higher recommendation is recent', 10, 3, recommended([301, 10]), 3, 'DesiredWithinRange'],
    ['keeps the highest recommendation of five minutes', 10, 3, recommended([299, 8], [100, 5]), 8, 'DesiredWithinRange'],
  ])('without behavior: %s', (_, current, wanted, history, replicas, reason) => {
    expect(limitScaling({ minReplicas: 2, maxReplicas: 100 }, current, wanted, history, nowMs)).toMatchObject({
      replicas,
      scalingLimited: { reason },
    })
  })

  const events = (ups: readonly [number, number][], downs: readonly [number, number][] = []): ScalingHistory => {
    const toEvents = (all: readonly [number, number][]) => all.map(([secondsAgo, change]) => ({ atMs: at(secondsAgo), change }))
    return { recommendations: [], ups: toEvents(ups), downs: toEvents(downs) }
  }
  const pods = (value: number, periodSeconds = 60) => ({ type: 'Pods', value, periodSeconds })
  const percent = (value: number, periodSeconds = 60) => ({ type: 'Percent', value, periodSeconds })
  const noWindow = { stabilizationWindowSeconds: 0 }

  it.each<[string, object, number, number, ScalingHistory, number, string]>([
    ['adds what a policy allows', { scaleUp: { policies: [pods(3)] } }, 10, 50, emptyHistory, 13, 'ScaleUpLimit'],
    ['counts what was added in the period', { scaleUp: { policies: [pods(3)] } }, 10, 50, events([[59, 2]]), 11, 'ScaleUpLimit'],
    ['forgets what was added before', { scaleUp: { policies: [pods(3)] } }, 10, 50, events([[60, 2]]), 13, 'ScaleUpLimit'],
    ['rounds percentages up', { scaleUp: { policies: [percent(10)] } }, 1, 50, emptyHistory, 2, 'ScaleUpLimit'],
    ['takes the largest change', { scaleUp: { policies: [pods(3), percent(100)] } }, 10, 50, emptyHistory, 20, 'ScaleUpLimit'],
    [
      'takes the smallest change with the policy Min',
      { scaleUp: { selectPolicy: 'Min', policies: [pods(3), percent(100)] } },
      10,
      50,
      emptyHistory,
      13,
      'ScaleUpLimit',
    ],
    [
      'never scales up when disabled',
      { scaleUp: { selectPolicy: 'Disabled', policies: [pods(3)] } },
      10,
      50,
      emptyHistory,
      10,
      'ScaleUpLimit',
    ],
    ['removes what a policy allows', { scaleDown: { ...noWindow, policies: [pods(2)] } }, 10, 1, emptyHistory, 8, 'ScaleDownLimit'],
    [
      'counts what was removed in the period',
      { scaleDown: { ...noWindow, policies: [pods(2)] } },
      10,
      1,
      events([], [[30, 1]]),
      9,
      'ScaleDownLimit',
    ],
    [
      'takes the smallest decrease with the policy Min',
      { scaleDown: { ...noWindow, selectPolicy: 'Min', policies: [pods(2), percent(50)] } },
      10,
      1,
      emptyHistory,
      8,
      'ScaleDownLimit',
    ],
    [
      'waits for its window when scaling up',
      { scaleUp: { stabilizationWindowSeconds: 60 } },
      10,
      20,
      recommended([30, 12]),
      12,
      'DesiredWithinRange',
    ],
    [
      'waits for its window when scaling down',
      { scaleDown: { stabilizationWindowSeconds: 60 } },
      10,
      2,
      recommended([30, 7]),
      7,
      'DesiredWithinRange',
    ],
    ['has a window of five minutes for scaling down', {}, 10, 2, recommended([299, 9]), 9, 'DesiredWithinRange'],
  ])('with behavior: %s', (_, behavior, current, wanted, history, replicas, reason) => {
    const spec = { minReplicas: 1, maxReplicas: 100, behavior: behavior as never }
    expect(limitScaling(spec, current, wanted, history, nowMs)).toMatchObject({ replicas, scalingLimited: { reason } })
  })
})

describe('nextHistory()', () => {
  it('remembers recommendations and changes for an hour', () => {
    const first = nextHistory(emptyHistory, 5, 3, 4, 0)
    expect(first).toEqual({ recommendations: [{ replicas: 5, atMs: 0 }], ups: [{ change: 1, atMs: 0 }], downs: [] })
    expect(nextHistory(first, 2, 4, 2, 3600_000)).toEqual({
      recommendations: [{ replicas: 2, atMs: 3600_000 }],
      ups: [],
      downs: [{ change: 2, atMs: 3600_000 }],
    })
  })
})
