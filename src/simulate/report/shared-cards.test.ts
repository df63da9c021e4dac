import { expect, it } from 'vitest'
import { cardTitle, sharedCards } from './shared-cards.ts'
import { sampleResult } from './testing/sample-result.ts'

const [sample] = sampleResult().outcomes
const outcome = (label: string, more: object = {}) => ({ ...sample!, label, ...more })

it('shows outcomes with the same charts on one card', () => {
  const other = { ...sample!.series, nodes: sample!.series.nodes.map((count) => count + 1) }
  const cards = sharedCards([outcome('a'), outcome('b', { series: other }), outcome('c'), outcome('d', { stuck: ['it waits'] })])
  expect(cards.map(({ index, names }) => [index, names])).toEqual([
    [0, ['a', 'c']],
    [1, ['b']],
    [3, ['d']],
  ])
})

it('does not repeat the beginning of a name', () => {
  expect(cardTitle(['TerminationComplete', 'TerminationComplete + terminatingAsActive'])).toBe('TerminationComplete, + terminatingAsActive')
})
