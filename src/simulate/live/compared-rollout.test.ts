import { describe, expect, it } from 'vitest'
import type { Series } from '../rollout/result.ts'
import { comparedRows, compareWithSimulation, policyOf } from './compared-rollout.ts'
import { lastRollout, type ObservedRollout, observedOutcome, observedResult, peakTerminating } from './observed-rollout.ts'

/** 2 replicas, of which the second revision appears at 10 s and is complete at 40 s. The page is open from -60 s. */
const series: Series = {
  times: [0, 60_000, 70_000, 80_000, 90_000, 200_000],
  layers: [
    { revision: 1, state: 'ready', values: [2, 2, 1, 0, 0, 0] },
    { revision: 1, state: 'terminating', values: [0, 0, 1, 2, 0, 0] },
    { revision: 2, state: 'starting', values: [0, 1, 1, 0, 0, 0] },
    { revision: 2, state: 'ready', values: [0, 0, 0, 2, 2, 2] },
  ],
  desired: [2, 2, 2, 2, 2, 2],
  cap: [3, 3, 3, 3, 3, 3],
  available: [2, 2, 1, 2, 2, 2],
  nodes: [1, 1, 1, 1, 1, 1],
}
const observed: ObservedRollout = {
  title: 'Deployment default/web',
  kind: 'Deployment',
  series,
  marks: [{ atMs: 65_000, type: 'event', object: 'a', text: 'b' }],
}

describe('lastRollout()', () => {
  it('starts with the first pod of the newest revision, and ends when all is settled', () => {
    const cut = lastRollout(observed)
    expect(cut.series.times).toEqual([0, 1, 10_000, 20_000, 30_000, 35_000])
    expect(cut.series.layers.find(({ revision, state }) => revision === 2 && state === 'ready')?.values).toEqual([0, 0, 0, 2, 2, 2])
    expect(cut.marks).toMatchObject([{ atMs: 5000 }])
    expect(observedOutcome(cut).measures).toMatchObject({
      peakPods: 4,
      peakOverCap: 1,
      availableAfterMs: 20_000,
      oldGoneAfterMs: 30_000,
      completeAfterMs: 30_000,
      lowestAvailability: 0.5,
    })
    expect(peakTerminating(cut.series)).toBe(2)
  })

  it('starts with a scale where there is one revision', () => {
    const scaled = { ...observed, series: { ...series, layers: series.layers.slice(0, 1), desired: [2, 2, 2, 1, 1, 1] } }
    expect(lastRollout(scaled).series.times[1]).toBe(1)
    expect(lastRollout(scaled).series.desired.slice(0, 2)).toEqual([2, 1])
  })

  it('does not count pods that wait for a gate as pods', () => {
    const waiting = { ...series, layers: [...series.layers, { revision: 2, state: 'waiting' as const, values: [0, 5, 0, 0, 0, 0] }] }
    expect(observedResult({ ...observed, series: waiting }).outcomes[0]?.measures).toMatchObject({ peakPods: 4, peakWaiting: 5 })
  })
})

describe('comparedRows()', () => {
  it('says by how much the simulation differs', () => {
    const seen = observedOutcome(lastRollout(observed))
    const played = { ...seen, measures: { ...seen.measures, peakPods: 3, completeAfterMs: 42_000 } }
    const rows = Object.fromEntries(comparedRows(seen, played).map(({ name, ...row }) => [name, Object.values(row)]))
    expect(rows['Peak pods']).toEqual(['4', '3', '−1'])
    expect(rows['Peak terminating']).toEqual(['2', '2', '0'])
    expect(rows['Until complete']).toEqual(['30s', '42s', '+12s'])
  })
})

describe('policyOf()', () => {
  const changed = (spec: object, annotations: object = {}) => ({ kind: 'Deployment', metadata: { name: 'web', annotations }, spec })
  it.each([
    ['None', changed({})],
    ['TerminationComplete', changed({ podReplacementPolicy: 'TerminationComplete' })],
    ['TerminationStarted', changed({}, { 'rollcall.dev/pod-replacement-policy': 'TerminationStarted' })],
    ['TerminationComplete+terminatingAsActive', changed({ terminatingAsActive: true })],
    ['Pacer', changed({ template: { spec: { schedulingGates: [{ name: 'rollcall.dev/pacer' }] } } })],
    ['None', { ...changed({ podReplacementPolicy: 'TerminationComplete' }), kind: 'StatefulSet' }],
  ])('%s', (expected, object) => {
    expect(policyOf({ after: object, observed })).toBe(expected)
  })
})

describe('compareWithSimulation()', () => {
  it('simulates the change, and reports both', async () => {
    const manifest = (image: string) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default', uid: 'a', resourceVersion: '7' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } },
      },
    })
    const request = { before: manifest('web:1'), after: manifest('web:2'), observed, startup: '10s', stop: '20s' }
    const answer = (await compareWithSimulation(request, {})) as { rows: { name: string; simulated: string }[]; html: string }
    const cell = (wanted: string) => answer.rows.find(({ name }) => name === wanted)?.simulated
    expect([cell('Peak pods'), cell('Until old pods are gone')]).toEqual(['4', '40s'])
    expect(answer.html).toContain('observed')
  })
})
