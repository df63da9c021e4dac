import { describe, expect, it } from 'vitest'
import { chooseAdvice } from './advice.ts'
import type { Measures, Outcome, Policy } from './result.ts'

const outcome = (policy: Policy, measures: Partial<Measures>, failures: readonly string[] = []) =>
  ({
    policy,
    failures,
    series: { layers: [], cap: [] },
    measures: {
      ...{ peakPods: 13, cap: 13, peakOverCap: 0, availableAfterMs: 90_000, completeAfterMs: 90_000, podSeconds: 1, peakNodes: 4 },
      ...{ nodeMinutes: 1, waitedForRoom: 0, matchedNoNode: 0, deadlinesPassed: 0, ...measures },
    },
  }) as unknown as Outcome

const none = outcome('None', { peakPods: 20, peakOverCap: 7, availableAfterMs: 80_000, completeAfterMs: 80_000, peakNodes: 5 })
const complete = outcome('TerminationComplete', {})
const pacer = outcome('Pacer', { peakWaiting: 5, neededDeadlineMs: 30_500 })
const late = outcome('Pacer', { peakWaiting: 5, neededDeadlineMs: 700_500, deadlinesPassed: 1 })
const spares = 'it spares you 7 pods over the cap of 13, 1 node more (no policy), for 10s more (1m 30s until all are available).'
const lacks = 'The cluster does not have the field podReplacementPolicy.'

describe('chooseAdvice()', () => {
  it.each<[string, readonly Outcome[], boolean | undefined, string | undefined]>([
    ['one outcome', [none], undefined, undefined],
    ['the fields alone', [none, complete], undefined, `Choose TerminationComplete: ${spares}`],
    [
      'several workloads, each with its own cap',
      [{ ...none, workloads: [{}, {}] as never }, complete],
      undefined,
      `Choose TerminationComplete: ${spares.replace('the cap of 13', 'their caps')}`,
    ],
    [
      'some milliseconds more',
      [none, outcome('TerminationComplete', { availableAfterMs: 80_041, completeAfterMs: 80_041 })],
      undefined,
      'Choose TerminationComplete: it spares you 7 pods over the cap of 13, 1 node more (no policy), and takes no longer.',
    ],
    [
      'another time until complete',
      [outcome('None', {}), outcome('TerminationComplete', { completeAfterMs: 200_000 })],
      undefined,
      'Choose no policy: the pods stay within the cap under all of them, and it has all available after 1m 30s with at most 13 pods.',
    ],
    [
      'an expectation that one does not meet',
      [none, outcome('TerminationComplete', {}, ['completesWithin 80s: it is 1m 30s'])],
      undefined,
      'Choose no policy: it has all available after 1m 20s with at most 20 pods. TerminationComplete does not meet the expectations.',
    ],
    [
      'an expectation that only policies within the cap meet',
      [outcome('None', none.measures, ['peakPods <= 13: it is 20']), outcome('TerminationStarted', {}), complete],
      undefined,
      'Choose TerminationStarted: it has all available after 1m 30s with at most 13 pods. No policy does not meet the expectations.',
    ],
    [
      'an expectation that not all that complete meet',
      [
        outcome('None', none.measures),
        outcome('TerminationStarted', {}, ['completesWithin 80s: it is 1m 30s']),
        { ...complete, measures: { ...complete.measures, completeAfterMs: undefined as never } },
      ],
      undefined,
      'Choose no policy: it completes in 1m 20s, and under TerminationComplete it does not complete within 1h 00m.',
    ],
    [
      'an expectation that none meets',
      [outcome('None', none.measures, ['peakNodes <= 3: it is 5']), outcome('TerminationComplete', {}, ['peakNodes <= 3: it is 4'])],
      undefined,
      `Choose TerminationComplete: ${spares}`,
    ],
    [
      'old pods that are still terminating under one of them',
      [outcome('None', none.measures, ['ends: 4 pods are still terminating, after 1h 00m']), complete],
      undefined,
      'Choose TerminationComplete: it completes in 1m 30s, and under no policy it does not end within 1h 00m.',
    ],
    [
      'some runs that do not complete',
      [none, { ...complete, spread: { completeAfterMs: { min: 1, p50: 90_000 } } }],
      undefined,
      'Choose no policy: it completes in 1m 20s, and under TerminationComplete it does not always complete within 1h 00m.',
    ],
    [
      'some runs that do not complete under any of them',
      [none, complete].map((one) => ({ ...one, spread: { completeAfterMs: { min: 1, p50: 90_000 } } })),
      undefined,
      'It does not always complete within 1h 00m under any of the policies. Remove the cause first; a policy cannot.',
    ],
    ['no field, and the pacer', [none, pacer], undefined, `Choose the pacer: ${spares}`],
    [
      'a cluster that is not known',
      [none, complete, pacer],
      undefined,
      `Choose TerminationComplete: ${spares} Where the cluster does not have that field, the pacer has all available after 1m 30s with at most 13 pods.`,
    ],
    ['a cluster with the fields', [none, complete, pacer], true, `Choose TerminationComplete: ${spares}`],
    ['a cluster without the fields', [none, complete, pacer], false, `${lacks} Choose the pacer: ${spares}`],
    [
      'without the fields and the pacer',
      [none, complete],
      false,
      `${lacks} Add Pacer to --policies to see what rollcall pacer does for it.`,
    ],
    ['a deadline that passes', [none, late], false, `${lacks} Choose the pacer: ${spares} Set progressDeadlineSeconds to more than 701.`],
  ])('%s', (_name, outcomes, hasFields, advice) => {
    expect(chooseAdvice(outcomes, 3_600_000, hasFields)).toBe(advice)
  })
})
