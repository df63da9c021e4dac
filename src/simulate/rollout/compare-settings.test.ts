import { describe, expect, it } from 'vitest'
import { compareSettings, defaultExpectations, type RankedCombination, rank } from './compare-settings.ts'
import { parseExpectation } from './expectations.ts'
import { makePlan } from './make-plan.ts'
import type { Measures } from './result.ts'
import { combinationsOf, parseChoice } from './settings.ts'
import { simulate } from './simulate.ts'

const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: 'web:1' }] }
`
const planFor = (expect: readonly string[]) =>
  makePlan({
    given: [{ name: 'web.yaml', text: manifest }],
    files: [],
    to: ['image=web:2'],
    scale: [],
    startup: '10s',
    stop: '20s',
    prices: ['4cpu16Gi=0.30/h'],
    faults: [],
    expect,
    command: '',
  })

describe('compareSettings()', () => {
  it('ranks what meets the expectations first, and then by time', async () => {
    const choices = [parseChoice('maxSurge=1,4') as never, parseChoice('maxUnavailable=0,2') as never]
    const { ranked, leftOut } = await compareSettings(
      await planFor(['peakPods <= 6']),
      combinationsOf(choices, ['None', 'TerminationComplete']),
    )
    const rows = ranked.map(({ combination: { policy, values }, measures, failures }) => ({
      settings: [policy, ...values.map(({ value }) => value)].join(' '),
      peak: measures.peakPods,
      complete: measures.completeAfterMs,
      isFit: failures.length === 0,
    }))
    expect(rows[0]).toEqual({ settings: 'TerminationComplete 1 2', peak: 5, complete: expect.any(Number), isFit: true })
    const fit = rows.filter(({ isFit }) => isFit)
    expect(fit.every(({ peak }) => peak <= 6)).toBe(true)
    expect(fit.map(({ complete }) => complete)).toEqual(fit.map(({ complete }) => complete).toSorted((a, b) => a! - b!))
    expect(rows.slice(fit.length).every(({ isFit }) => !isFit)).toBe(true)
    expect(leftOut).toEqual([])
    // All are counted until the slowest has completed.
    expect(new Set(ranked.map(({ measures }) => Math.round(measures.nodeMinutes)))).toHaveProperty('size', 1)
    expect(ranked[0]!.measures.cost).toBeCloseTo((ranked[0]!.measures.nodeMinutes / 60) * 0.3)
  })

  it('has the medians of several runs', async () => {
    const plan = { ...(await planFor([])), timing: { startup: '10s±8s', stop: '20s' }, seed: 2, runs: 3 }
    const [one] = (await compareSettings(plan, combinationsOf([], ['None']))).ranked
    const { outcomes } = await simulate({ ...plan, policies: ['None'] })
    expect(one!.measures.completeAfterMs).toBe(outcomes[0]!.spread!.completeAfterMs!.p50)
    expect(one!.measures.completeAfterMs).not.toBe(outcomes[0]!.measures.completeAfterMs)
  })

  it('ranks by the share of runs that fail, and says how many', async () => {
    const plan = { ...(await planFor(['completesWithin 26s'])), timing: { startup: '10s±8s', stop: '20s' }, runs: 10 }
    const { ranked } = await compareSettings(plan, combinationsOf([parseChoice('maxSurge=1,2,4') as never], ['None']))
    const rows = ranked.map(({ combination, failedRuns }) => [combination.values[0]!.value, failedRuns])
    expect(rows).toEqual([
      ['4', 0],
      ['2', 0],
      ['1', 3],
    ])
    expect(ranked[2]!.failures).toEqual([expect.stringMatching(/^completesWithin 26s: it is \S+ \(3 of 10 runs, such as seed \d+\)$/)])
  })

  it('does not count expectations of other policies as missed', async () => {
    const plan = await planFor(['TerminationComplete: peakPods <= 1', 'peakPods <= 4'])
    const { ranked } = await compareSettings(plan, combinationsOf([parseChoice('maxSurge=1') as never], ['None']))
    expect(ranked[0]).toMatchObject({ measures: { peakPods: 8 }, missed: 1 })
  })

  it('leaves out what a server refuses, with the reason, and fails where nothing is left', async () => {
    const valuesOf = ({ combination }: Pick<RankedCombination, 'combination'>) => combination.values.map(({ value }) => value).join(' ')
    const choices = [parseChoice('maxSurge=0,1') as never, parseChoice('maxUnavailable=0%,1') as never]
    const { ranked, leftOut } = await compareSettings(await planFor([]), combinationsOf(choices, ['None']))
    expect(ranked.map(valuesOf).toSorted()).toEqual(['0 1', '1 0%', '1 1'])
    expect(leftOut.map((one) => [valuesOf(one), one.reason])).toEqual([
      [
        '0 0%',
        expect.stringMatching(/^spec\.strategy\.rollingUpdate\.maxUnavailable: Invalid value: .* may not be 0 when `maxSurge` is 0/),
      ],
    ])
    const refused = combinationsOf([parseChoice('maxSurge=0') as never, parseChoice('maxUnavailable=0') as never], ['None'])
    await expect(compareSettings(await planFor([]), refused)).rejects.toThrow('may not be 0 when `maxSurge` is 0')
  })
})

describe('rank()', () => {
  const one = (name: string, measures: Partial<Measures>, failures: readonly string[] = [], missed = 0): RankedCombination => ({
    combination: { policy: 'None', values: [{ setting: 'maxSurge', value: name }] },
    measures: { peakPods: 1, deadlinesPassed: 0, peakNodes: 1, completeAfterMs: 1, lowestAvailability: 1, ...measures } as Measures,
    failures,
    missed,
  })
  it('names the one first that misses the expectations least, where none meets them', () => {
    const all = [one('far', { peakNodes: 1 }, ['no'], 2), one('near', { peakNodes: 2 }, ['no'], 0.5)]
    expect(rank(all)[0]!.combination.values[0]!.value).toBe('near')
  })

  it('prefers what fails in fewer runs, however good its medians are', () => {
    const failing = (name: string, failedRuns: number, measures: Partial<Measures>) => ({
      ...one(name, measures, failedRuns === 0 ? [] : ['no']),
      failedRuns,
    })
    const all = [
      failing('half', 5, { completeAfterMs: 1 }),
      failing('rarely', 1, { completeAfterMs: 2 }),
      failing('never', 0, { peakNodes: 9 }),
    ]
    expect(rank(all).map(({ combination }) => combination.values[0]!.value)).toEqual(['never', 'rarely', 'half'])
  })

  it('prefers, in this order, what is fit, few nodes, little time, availability, few pods', () => {
    const all = [
      one('unfit', {}, ['no']),
      one('nodes', { peakNodes: 2 }),
      one('never', { completeAfterMs: undefined } as never),
      one('slow', { completeAfterMs: 2 }),
      one('low', { lowestAvailability: 0.5 }),
      one('many', { peakPods: 2 }),
      one('best', {}),
    ]
    expect(rank(all).map(({ combination }) => combination.values[0]!.value)).toEqual([
      'best',
      'many',
      'low',
      'slow',
      'never',
      'nodes',
      'unfit',
    ])
  })
})

describe('defaultExpectations()', () => {
  it('are those of the current settings, and can be written by hand', () => {
    const expectations = defaultExpectations({ measures: { cap: 13, lowestAvailability: 0.8 } as Measures })
    expect(expectations).toEqual(expectations.map(({ text }) => parseExpectation(text)))
  })
  it('hold in each of several runs', () => {
    const spread = { lowestAvailability: { min: 0.7, p50: 0.8, p90: 0.8, p99: 0.8, max: 0.8 } }
    const [, availability] = defaultExpectations({ measures: { cap: 13, lowestAvailability: 0.8 } as Measures, spread })
    expect(availability).toMatchObject({ text: 'availability >= 70%', than: 0.7 })
  })
})
