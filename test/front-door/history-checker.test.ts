// Each row makes one change to a valid history that the checker must find.
import { describe, expect, it } from 'vitest'
import { type Change, findProblems, type History, type Operation } from './history-checker.ts'

const changes: Change[] = [
  { revision: 2, key: 'a', value: 'a1' },
  { revision: 3, key: 'b', value: 'b1' },
  { revision: 4, key: 'a', value: 'a2' },
  { revision: 5, key: 'b' },
]
const operations: Operation[] = [
  { start: 1, end: 2, verb: 'create', key: 'a', value: 'a1', outcome: 'done', revision: 2 },
  { start: 3, end: 6, verb: 'create', key: 'b', value: 'b1', outcome: 'done', revision: 3 },
  { start: 4, end: 5, verb: 'get', key: 'b', found: undefined },
  { start: 7, end: 8, verb: 'get', key: 'a', found: { revision: 2, value: 'a1' } },
  { start: 9, end: 12, verb: 'update', key: 'a', value: 'a2', expected: 2, outcome: 'done', revision: 4 },
  { start: 10, end: 13, verb: 'update', key: 'a', value: 'a3', expected: 2, outcome: 'conflict' },
  { start: 14, end: 15, verb: 'create', key: 'a', value: 'a4', outcome: 'exists' },
  {
    start: 16,
    end: 17,
    verb: 'list',
    revision: 4,
    items: new Map([
      ['a', { revision: 4, value: 'a2' }],
      ['b', { revision: 3, value: 'b1' }],
    ]),
  },
  { start: 18, end: 19, verb: 'delete', key: 'b', outcome: 'done', revision: 5 },
  { start: 20, end: 21, verb: 'get', key: 'b', found: undefined },
  { start: 22, end: 23, verb: 'update', key: 'b', value: 'b2', outcome: 'absent' },
  { start: 24, end: Number.POSITIVE_INFINITY, verb: 'update', key: 'a', value: 'a5', outcome: 'unknown' },
]
const right: History = { operations, changes, isComplete: true }

const changed = (at: number, more: object): History => ({
  ...right,
  operations: operations.map((operation) => (operation.start === at ? ({ ...operation, ...more } as Operation) : operation)),
})
const added = (operation: Operation): History => ({ ...right, operations: [...operations, operation] })

describe('findProblems()', () => {
  it('accepts a history that is right', () => expect(findProblems(right)).toEqual([]))

  it('accepts a write without an answer that is there', () =>
    expect(findProblems({ ...right, changes: [...changes, { revision: 6, key: 'a', value: 'a5' }] })).toEqual([]))

  it('accepts changes that a watcher missed during a restart', () =>
    expect(findProblems({ ...right, changes: changes.filter(({ revision }) => revision !== 4), isComplete: false })).toEqual([]))

  it.each<[string, History, RegExp]>([
    [
      'a stale read',
      added({ start: 30, end: 31, verb: 'get', key: 'a', found: { revision: 2, value: 'a1' } }),
      /found revision 2, though 4 was known/,
    ],
    [
      'a read of nothing',
      added({ start: 30, end: 31, verb: 'get', key: 'a', found: undefined }),
      /found nothing, though the object was there/,
    ],
    ['a read of the future', changed(7, { found: { revision: 4, value: 'a2' } }), /found a2 before it was written/],
    [
      'a read of what was deleted',
      added({ start: 30, end: 31, verb: 'get', key: 'b', found: { revision: 3, value: 'b1' } }),
      /though 5 was known/,
    ],
    ['a lost write', { ...right, changes: changes.filter(({ revision }) => revision !== 4) }, /which no watcher was sent/],
    [
      'a value that no client wrote',
      { ...right, changes: [...changes, { revision: 6, key: 'a', value: 'x' }] },
      /x, which no client wrote/,
    ],
    [
      'a refused write that happened',
      { ...right, changes: [...changes, { revision: 6, key: 'a', value: 'a3' }] },
      /a3, which no client wrote/,
    ],
    ['a write that happened twice', { ...right, changes: [...changes, { revision: 6, key: 'a', value: 'a2' }] }, /a2 was written twice/],
    ['a revision that was given twice', changed(9, { revision: 3 }), /another has b = b1 at 3/],
    [
      'a watch that goes back',
      { ...right, changes: [changes[1]!, changes[0]!, changes[2]!, changes[3]!] },
      /the watch went back from 3 to 2/,
    ],
    ['writes against the order of time', changed(3, { start: 40, end: 41 }), /was given revision 3, though 5 was known/],
    ['a compare-and-swap that lost against another', changed(9, { expected: 1 }), /replaced revision 2, and expected 1/],
    ['a conflict without a cause', changed(10, { expected: 4 }), /refused although nothing has changed since 4/],
    [
      'a creation over an object',
      added({ start: 30, end: 31, verb: 'create', key: 'a', value: 'a2', outcome: 'done', revision: 4 }),
      /revision 4, though 5 was known/,
    ],
    [
      'a refusal for an object that is not there',
      added({ start: 30, end: 31, verb: 'create', key: 'b', value: 'b9', outcome: 'exists' }),
      /because the object exists/,
    ],
    [
      'a refusal for an object that is there',
      added({ start: 30, end: 31, verb: 'delete', key: 'a', outcome: 'absent' }),
      /because the object does not exist/,
    ],
    [
      'a stale list',
      changed(16, {
        revision: 3,
        items: new Map([
          ['a', { revision: 2, value: 'a1' }],
          ['b', { revision: 3, value: 'b1' }],
        ]),
      }),
      /its revision 3 is stale/,
    ],
    [
      'a list that lacks an object',
      changed(16, { items: new Map([['a', { revision: 4, value: 'a2' }]]) }),
      /b of revision none, and the log has 3/,
    ],
    [
      'a list of two states',
      changed(16, {
        items: new Map([
          ['a', { revision: 2, value: 'a1' }],
          ['b', { revision: 3, value: 'b1' }],
        ]),
      }),
      /a of revision 2, and the log has 4/,
    ],
  ])('finds %s', (_name, history, problem) => expect(findProblems(history)).toContainEqual(expect.stringMatching(problem)))
})
