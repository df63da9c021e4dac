// Decisions against kube-controller-manager's, case by case.
import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../api/types.ts'
import { formatTime, parseTime } from '../../../base/clock.ts'
import { type PodMetric, replicasForAverage, replicasForUtilization } from './replica-count.ts'
import { limitScaling, type ScalingHistory } from './scaling-limits.ts'
import { metricCases } from './testing/metric-cases.ts'
import { type RateCase, rateCases } from './testing/rate-cases.ts'
import { type ReplicaCase, scalingCases } from './testing/scaling-cases.ts'
import { windowCases } from './testing/window-cases.ts'

const nowMs = Date.UTC(2026, 0, 1, 12)
const longAgo = '0001-01-01T00:00:00Z'
/** The periods of its tests: shorter than its defaults. */
const rules = { cpuInitializationMs: 120_000, initialReadinessDelayMs: 10_000 }

function podsOf({ pods, requests = [] }: ReplicaCase): Pod[] {
  const states = pods.split(', ').flatMap((part) => {
    const [count, ...state] = part.split(' ')
    return Array.from({ length: Number(count) }, () => state.join(' '))
  })
  return states.map((state, index) => {
    const request = typeof requests === 'number' ? requests : requests[index]
    const startTime = state.startsWith('hot') ? formatTime(nowMs) : state.startsWith('cool') ? formatTime(nowMs - 180_000) : longAgo
    const isReady = !/unready|failed|pending|deleted/.test(state)
    return {
      metadata: { name: `p${index}`, ...(state === 'deleted' && { deletionTimestamp: formatTime(nowMs) }) },
      spec: { containers: [{ name: 'c', ...(request !== undefined && { resources: { requests: { cpu: `${request}m` } } }) }] },
      status: {
        phase: state === 'pending' ? 'Pending' : state === 'failed' ? 'Failed' : 'Running',
        startTime,
        conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: longAgo }],
      },
    }
  })
}

const metricsOf = ({ usage, isForeign = false }: ReplicaCase) =>
  new Map(
    usage.flatMap((value, index): [string, PodMetric][] =>
      value === undefined ? [] : [[isForeign ? 'another' : `p${index}`, { value, timestampMs: parseTime(longAgo), windowMs: 60_000 }]],
    ),
  )

function calculate(one: ReplicaCase) {
  const { current, tolerances = { up: 0.1, down: 0.1 }, target = 0, targetAverage } = one
  const measured = { pods: podsOf(one), metrics: metricsOf(one), currentReplicas: current, tolerances, nowMs, rules }
  return targetAverage === undefined
    ? replicasForUtilization(measured, 'cpu', undefined, target)
    : replicasForAverage(measured, undefined, targetAverage)
}

/** The message of the caller, where there are no metrics at all. */
const isEmpty = ({ usage }: ReplicaCase) => usage.length === 0

describe('a replica calculation', () => {
  it.each([...scalingCases, ...metricCases].filter(({ error }) => error === undefined))('is that of $name', (one) => {
    const { replicas, utilization, average } = one
    expect(calculate(one)).toMatchObject({ replicas, average, ...(utilization !== undefined && { utilization }) })
  })

  it.each([...scalingCases, ...metricCases].filter((one) => one.error !== undefined && !isEmpty(one)))('fails as that of $name', (one) => {
    expect(() => calculate(one)).toThrow(one.error)
  })
})

const policiesOf = (rules: RateCase['up']) => {
  if (rules === undefined) return undefined
  const [pods, podsSeconds, percent, percentSeconds] = rules
  const policies = [
    ...(pods === 0 ? [] : [{ type: 'Pods', value: pods, periodSeconds: podsSeconds }]),
    ...(percent === 0 ? [] : [{ type: 'Percent', value: percent, periodSeconds: percentSeconds }]),
  ]
  return { selectPolicy: 'Max', policies }
}

/** In the middle of equal parts of the time. */
const eventsOf = (changes: RateCase['ups']) => {
  const [all, seconds] = changes ?? [[], 0]
  const part = seconds / all.length
  return all.map((change, index) => ({ change, atMs: nowMs - Math.trunc(seconds - part * (index + 1) + part / 2) * 1000 }))
}

describe('a step of the size', () => {
  it.each(rateCases)('from $current to $wanted is $replicas: $reason', ({ min, max, current, wanted, replicas, reason, ...one }) => {
    const [scaleUp, scaleDown] = [policiesOf(one.up), policiesOf(one.down)]
    // Their windows are tested apart.
    const behavior = {
      scaleUp: { stabilizationWindowSeconds: 0, ...scaleUp },
      scaleDown: { stabilizationWindowSeconds: 0, ...scaleDown },
    }
    const history: ScalingHistory = { recommendations: [], ups: eventsOf(one.ups), downs: eventsOf(one.downs) }
    expect(
      limitScaling({ minReplicas: min, maxReplicas: max, behavior: behavior as never }, current, wanted, history, nowMs),
    ).toMatchObject({
      replicas,
      scalingLimited: { reason },
    })
  })

  it.each(windowCases)('from $current to $wanted is $replicas after $recommendations', (one) => {
    const policies = [{ type: 'Pods', value: 1000, periodSeconds: 1 }]
    const behavior = {
      scaleUp: { stabilizationWindowSeconds: one.upSeconds, policies },
      scaleDown: { stabilizationWindowSeconds: one.downSeconds, policies },
    }
    const recommendations = one.recommendations.map(([seconds, replicas]) => ({ replicas, atMs: nowMs - seconds * 1000 }))
    const history = { recommendations, ups: [], downs: [] }
    expect(
      limitScaling({ minReplicas: 1, maxReplicas: 1000, behavior: behavior as never }, one.current, one.wanted, history, nowMs).replicas,
    ).toBe(one.replicas)
  })
})
