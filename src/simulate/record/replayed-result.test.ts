import { describe, expect, it } from 'vitest'
import { sampleResult } from '../report/testing/sample-result.ts'
import { measureTrace } from '../rollout/measure.ts'
import { sampleTrace } from '../rollout/testing/sample-trace.ts'
import { playedMoments } from './played-moments.ts'
import { readRecorded, replayedResult } from './replayed-result.ts'
import { formatTrace } from './trace-file.ts'

const trace = sampleTrace(4)
const file = (name: string, value: unknown) => ({ name, text: typeof value === 'string' ? value : JSON.stringify(value) })

describe('replayedResult()', () => {
  it('has the measures of the trace', () => {
    const result = replayedResult([readRecorded(file('a/web.json', formatTrace(trace)))], 'rollcall replay a/web.json')
    expect(result.title).toBe(trace.title)
    expect(result.outcomes).toEqual([{ ...measureTrace(trace), policy: 'None', label: 'web.json', failures: [] }])
  })

  it('puts a real run beside all outcomes of a simulation', () => {
    const recorded = [readRecorded(file('real.json', trace)), readRecorded(file('sim.json', sampleResult()))]
    const { outcomes } = replayedResult(recorded, '')
    expect(outcomes.map(({ label }) => label)).toEqual([
      'real.json',
      'sim.json (None)',
      'sim.json (TerminationStarted)',
      'sim.json (TerminationComplete)',
      'sim.json (TerminationComplete+terminatingAsActive)',
    ])
  })

  it('counts the pods and nodes of all runs until the last has ended', () => {
    const longer = { ...trace, endMs: trace.endMs + 60_000 }
    const [short, long] = replayedResult([readRecorded(file('a.json', trace)), readRecorded(file('b.json', longer))], '').outcomes
    expect(short!.measures).toEqual(long!.measures)
    expect(short!.measures.podSeconds).toBeGreaterThan(measureTrace(trace).measures.podSeconds)
    expect([short!, long!].map(({ series }) => series.times.at(-1))).toEqual([longer.endMs, longer.endMs])
  })

  it('distinguishes files of the same name by their folders', () => {
    const recorded = ['a/t.json', 'b/t.json'].map((name) => readRecorded(file(name, trace)))
    expect(replayedResult(recorded, '').outcomes.map(({ label }) => label)).toEqual(['a/t.json', 'b/t.json'])
  })

  it('shows one result of a simulation as it was', () => {
    const result = sampleResult({ runs: 5 })
    expect(replayedResult([readRecorded(file('sim.json', result))], 'again')).toEqual({ ...result, command: 'again' })
  })
})

describe('readRecorded()', () => {
  const result = sampleResult()
  const [outcome] = result.outcomes
  const rows: readonly [string, unknown, string][] = [
    ['an empty file', ' \n', 'Cannot show x.json: it is empty'],
    ['a binary file', 'PK\0\u0001', 'Cannot show x.json: it is not a text file'],
    ['half a file', formatTrace(trace).slice(0, 500), 'Cannot show x.json: it is not JSON'],
    ['a manifest', 'apiVersion: v1\nkind: Pod\n', 'Cannot show x.json: it is not JSON'],
    ['a result without outcomes', { ...result, outcomes: [] }, 'it has no outcomes'],
    ['a result with a broken line', { ...result, outcomes: [{ ...outcome, series: { ...outcome!.series, cap: [1] } }] }, 'outcome 1 of 1'],
    ['a result with an unknown policy', { ...result, outcomes: [{ ...outcome, policy: 'x' }] }, 'outcome 1 of 1'],
    ['a result without a title', { ...result, title: 3 }, 'it is damaged'],
  ]
  for (const [name, value, words] of rows) it(`refuses ${name}`, () => expect(() => readRecorded(file('x.json', value))).toThrow(words))
})

describe('playedMoments()', () => {
  const [outcome] = replayedResult([readRecorded(file('web.json', trace))], '').outcomes
  const moments = [...playedMoments(outcome!)]

  it('reports everything that happened once', () => expect(moments.flatMap(({ happened }) => happened)).toHaveLength(outcome!.marks.length))
  it('counts the pods', () => expect(moments[0]!.numbers).toBe('      0s  8 pods of 7  2 ready  4 pending  2 terminating  3 nodes'))
})
