import { describe, expect, it } from 'vitest'
import { makeObject, podTemplate, said } from '../../../testing/make-object.ts'
import type { Job } from '../../../types.ts'
import { countIndexes, firstCommonIndex } from './indexes.ts'
import { validateJobStatusUpdate } from './status-validation.ts'
import { jobStrategy } from './strategy.ts'

const base = { metadata: { name: 'sum', uid: 'u-1' }, spec: { template: podTemplate } }
const job = (status: object, spec: object = {}): Job => ({ ...makeObject<Job>('batch.Job', jobStrategy, base, { spec }), status })
const are = (...types: string[]) => types.map((type) => ({ type, status: 'True' }))
const start = '2026-01-01T00:00:00Z'
const end = '2026-01-01T00:01:00Z'
const complete = { startTime: start, completionTime: end, conditions: are('SuccessCriteriaMet', 'Complete') }
const failed = { startTime: start, conditions: are('FailureTarget', 'Failed') }
const indexed = { completionMode: 'Indexed', completions: 5, parallelism: 2 }

describe('validateJobStatusUpdate()', () => {
  const rows: readonly [string, object, object, object, readonly string[]][] = [
    ['nothing', {}, {}, {}, []],
    ['a good end', complete, {}, {}, []],
    ['a bad end', failed, {}, {}, []],
    ['a negative counter', { terminating: -1 }, {}, {}, ['status.terminating: Invalid value: -1: must be greater than or equal to 0']],
    [
      'uncounted pods that are counted twice',
      { uncountedTerminatedPods: { succeeded: ['a', ''], failed: ['a'] } },
      {},
      {},
      [
        'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      ],
    ],
    [
      'both ends',
      { ...complete, conditions: are('SuccessCriteriaMet', 'Complete', 'Failed', 'FailureTarget') },
      {},
      {},
      [
        'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
        'status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions',
        'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
        'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
      ],
    ],
    [
      'Complete without its criteria',
      { ...complete, conditions: are('Complete') },
      {},
      {},
      ['status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition'],
    ],
    [
      'Failed without its target',
      { ...failed, conditions: are('Failed') },
      {},
      {},
      ['status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition'],
    ],
    [
      'an end at no time',
      { ...complete, completionTime: undefined },
      {},
      {},
      ['status.completionTime: Required value: completionTime is required for Complete jobs'],
    ],
    [
      'a time without an end',
      { startTime: start, completionTime: end },
      {},
      {},
      ['status.completionTime: Invalid value: "2026-01-01T00:01:00Z": cannot set completionTime when there is no Complete=True condition'],
    ],
    [
      'an end before the start',
      { ...complete, startTime: end, completionTime: start },
      {},
      {},
      ['status.completionTime: Invalid value: "2026-01-01T00:00:00Z": must be equal to or after `startTime`'],
    ],
    [
      'an end without a start',
      { ...failed, startTime: undefined },
      {},
      {},
      ['status.startTime: Required value: startTime is required for finished job'],
    ],
    [
      'an end with pods still there',
      { ...failed, active: 1, terminating: 1, uncountedTerminatedPods: { failed: ['a'] } },
      {},
      {},
      [
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.uncountedTerminatedPods: Invalid value: {"Succeeded":null,"Failed":["a"]}: must be empty for finished job',
        'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
      ],
    ],
    ['more ready than active', { ready: 2, active: 1 }, {}, {}, ['status.ready: Invalid value: 2: cannot set more ready pods than active']],
    [
      'indexes without indexes',
      { completedIndexes: '1', failedIndexes: '' },
      {},
      { completions: 5 },
      [
        'status.completedIndexes: Invalid value: "1": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ],
    ],
    [
      'indexes that are none',
      { completedIndexes: '1-x', failedIndexes: '7' },
      {},
      { ...indexed, backoffLimitPerIndex: 1 },
      [
        'status.completedIndexes: Invalid value: "1-x": error parsing completedIndexes: cannot convert string to integer for index: "x"',
        'status.failedIndexes: Invalid value: "7": error parsing failedIndexes: too large index: "7"',
      ],
    ],
    [
      'indexes that failed and succeeded',
      { completedIndexes: '0-2', failedIndexes: '2,4' },
      {},
      { ...indexed, backoffLimitPerIndex: 1 },
      ['status.failedIndexes: Invalid value: "2,4": failedIndexes and completedIndexes overlap at index: 2'],
    ],
    [
      'an end that is taken back',
      { startTime: start },
      failed,
      {},
      [
        'status.conditions: Invalid value: cannot disable the terminal Failed=True condition',
        'status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
      ],
    ],
    [
      'criteria that are taken back',
      {},
      { conditions: are('SuccessCriteriaMet') },
      {},
      ['status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition'],
    ],
    [
      'fewer failures and successes',
      { failed: 1, succeeded: 1 },
      { failed: 2, succeeded: 2 },
      {},
      [
        'status.failed: Invalid value: 1: cannot decrease the failed counter',
        'status.succeeded: Invalid value: 1: cannot decrease the succeeded counter',
      ],
    ],
    ['fewer successes of a smaller Job', { succeeded: 1 }, { succeeded: 2 }, { ...indexed, parallelism: 5 }, []],
    [
      'another end',
      { ...complete, completionTime: '2026-01-01T00:02:00Z' },
      complete,
      {},
      ['status.completionTime: Invalid value: "2026-01-01T00:02:00Z": field is immutable'],
    ],
    [
      'another start',
      { startTime: end },
      { startTime: start },
      {},
      ['status.startTime: Invalid value: "2026-01-01T00:01:00Z": field is immutable for unsuspended job once set'],
    ],
    ['another start while suspended', {}, { startTime: start }, { suspend: true }, []],
    [
      'another start when it goes on',
      { startTime: end, conditions: [{ type: 'Suspended', status: 'False' }] },
      { startTime: start, conditions: are('Suspended') },
      {},
      [],
    ],
    [
      'an old status that breaks the rules but does not change',
      { ...failed, conditions: are('Failed') },
      { ...failed, conditions: are('Failed') },
      {},
      [],
    ],
  ]
  it.each(rows)('judges %s', (_, next, current, spec, messages) => {
    expect(said(validateJobStatusUpdate(job(next, spec), job(current, spec)))).toEqual(messages)
  })
})

describe('countIndexes()', () => {
  it.each([
    ['nothing', '', 0],
    ['one', '3', 1],
    ['intervals', '0-1,3-5', 5],
    [
      'too many parts',
      '1-2-3',
      'the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by \'-\'',
    ],
    ['the wrong order', '3,1', 'non-increasing order, previous: 3, current: 1'],
    ['an interval in the wrong order', '3-3', 'non-increasing order, previous: 3, current: 3'],
    ['no number', 'a', 'cannot convert string to integer for index: "a"'],
    ['a number too large', '10', 'too large index: "10"'],
  ])('reads %s', (_, text, expected) => expect(countIndexes(text, 10)).toBe(expected))
})

describe('firstCommonIndex()', () => {
  it.each([
    ['apart', '0-2,5', '3-4,6', undefined],
    ['at an edge', '0-2', '2-4', 2],
    ['inside', '0,4-8', '1-2,6', 6],
    ['with parts that cannot be read', 'x,4', 'y,4', 4],
  ])('finds where they meet: %s', (_, completed, failedIndexes, expected) => {
    expect(firstCommonIndex(completed, failedIndexes, 10)).toBe(expected)
  })
})
