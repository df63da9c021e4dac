import { describe, expect, it } from 'vitest'
import type { Job, PodStatus } from '../../../api/types.ts'
import { makePod } from '../testing/sample-objects.ts'
import { noIndexes, parseIndexes } from './indexes.ts'
import { type FailureDecision, judgeFailure, judgeSuccess } from './policies.ts'

type Policy = NonNullable<NonNullable<Job['spec']>['podFailurePolicy']>
type Rule = Policy['rules'][number]
const ended = (name: string, exitCode: number) => ({
  name,
  image: '',
  imageID: '',
  ready: false,
  restartCount: 0,
  state: { terminated: { exitCode } },
})
const exit = (action: string, operator: string, values: number[], containerName?: string): Rule => ({
  action,
  onExitCodes: { operator, values, ...(containerName && { containerName }) },
})
const condition = (action: string, type: string, status = 'True'): Rule => ({ action, onPodConditions: [{ type, status }] })

describe('judgeFailure()', () => {
  const counted: FailureDecision = { counts: true }
  it.each<[string, Rule[], PodStatus, FailureDecision]>([
    ['no rules', [], {}, counted],
    [
      'an exit code in the list',
      [exit('Ignore', 'In', [1, 2])],
      { containerStatuses: [ended('c', 2)] },
      { counts: false, action: 'Ignore' },
    ],
    ['an exit code not in the list', [exit('Ignore', 'In', [1])], { containerStatuses: [ended('c', 2)] }, counted],
    [
      'an exit code outside the list',
      [exit('Count', 'NotIn', [1])],
      { containerStatuses: [ended('c', 2)] },
      { counts: true, action: 'Count' },
    ],
    ['success never matches', [exit('Ignore', 'NotIn', [1])], { containerStatuses: [ended('c', 0)] }, counted],
    ['another container', [exit('Ignore', 'In', [2], 'd')], { containerStatuses: [ended('c', 2)] }, counted],
    [
      'an init container',
      [exit('FailIndex', 'In', [2])],
      { initContainerStatuses: [ended('i', 2)] },
      { counts: true, action: 'FailIndex' },
    ],
    [
      'the Job fails by an exit code',
      [exit('Ignore', 'In', [9]), exit('FailJob', 'In', [42])],
      { containerStatuses: [ended('c', 42)] },
      {
        counts: true,
        action: 'FailJob',
        failJob: 'Container c for pod default/p failed with exit code 42 matching FailJob rule at index 1',
      },
    ],
    [
      'a condition',
      [condition('Ignore', 'DisruptionTarget')],
      { conditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      { counts: false, action: 'Ignore' },
    ],
    [
      'a condition that does not hold',
      [condition('Ignore', 'DisruptionTarget')],
      { conditions: [{ type: 'DisruptionTarget', status: 'False' }] },
      counted,
    ],
    [
      'the Job fails by a condition',
      [condition('FailJob', 'ConfigIssue')],
      { conditions: [{ type: 'ConfigIssue', status: 'True' }] },
      { counts: true, action: 'FailJob', failJob: 'Pod default/p has condition ConfigIssue matching FailJob rule at index 0' },
    ],
    [
      'the first rule that matches',
      [exit('Ignore', 'In', [1]), exit('FailJob', 'In', [1])],
      { containerStatuses: [ended('c', 1)] },
      { counts: false, action: 'Ignore' },
    ],
  ])('%s', (_, rules, status, expected) => {
    expect(judgeFailure({ rules }, makePod('p', { phase: 'Failed', status: { containerStatuses: [], ...status } }))).toEqual(expected)
  })
})

describe('judgeSuccess()', () => {
  it.each([
    ['nothing has succeeded', [{ succeededCount: 1 }], '', undefined],
    ['enough have', [{ succeededCount: 2 }], '1,4', 'Matched rules at index 0'],
    ['too few have', [{ succeededCount: 3 }], '1,4', undefined],
    ['those that were named', [{ succeededIndexes: '1-3' }], '1-4', 'Matched rules at index 0'],
    ['only some of them', [{ succeededIndexes: '1-3' }], '1,3,4', undefined],
    ['enough of them', [{ succeededIndexes: '0-9', succeededCount: 2 }], '1,3', 'Matched rules at index 0'],
    ['a later rule', [{ succeededIndexes: '9' }, { succeededCount: 1 }], '1', 'Matched rules at index 1'],
    ['a rule that cannot be read', [{ succeededIndexes: 'x' }], '1', undefined],
  ])('%s', (_, rules, succeeded, expected) => {
    expect(judgeSuccess({ rules }, 10, parseIndexes(succeeded, 10))).toBe(expected)
  })

  it('is not met without a policy', () => {
    expect(judgeSuccess(undefined, 10, parseIndexes('0-9', 10))).toBeUndefined()
    expect(judgeSuccess({ rules: [{ succeededCount: 0 }] }, 10, noIndexes)).toBeUndefined()
  })
})
