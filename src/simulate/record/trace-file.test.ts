import { describe, expect, it } from 'vitest'
import { sampleTrace } from '../rollout/testing/sample-trace.ts'
import { formatTrace, readTrace } from './trace-file.ts'

const trace = sampleTrace(3)
const read = (value: unknown) => () => readTrace(value, 'web.json')
const first = (change: object) => ({ ...trace, changes: [change, ...trace.changes] })

describe('formatTrace()', () => {
  it('is undone by readTrace()', () => expect(readTrace(JSON.parse(formatTrace(trace)), 'web.json')).toEqual(trace))
  it('has a change on each line', () => expect(formatTrace(trace).trimEnd().split('\n')).toHaveLength(trace.changes.length + 2))
  it('writes a trace without changes', () => expect(readTrace(JSON.parse(formatTrace({ ...trace, changes: [] })), 'x').changes).toEqual([]))
})

describe('readTrace()', () => {
  const pod = { uid: 'a', name: 'a', namespace: 'b', isReady: true, isTerminating: false, hasEnded: false, isUnschedulable: false }
  const rows: readonly [string, unknown, string][] = [
    ['no object', [], 'it is not a JSON object'],
    ['null', null, 'it is not a JSON object'],
    ['a foreign file', { kind: 'Pod' }, 'it has no "format" of Rollcall'],
    [
      'a newer format',
      { ...trace, format: 'rollcall.trace/2' },
      'its format is "rollcall.trace/2", and this Rollcall reads "rollcall.trace/1"',
    ],
    ['no end', { ...trace, endMs: undefined }, '"endMs" is missing'],
    ['an end that is not a number', { ...trace, endMs: '9' }, '"endMs" is "9"'],
    ['an end before the last change', { ...trace, endMs: 1 }, 'it ends at 1 ms, before its last change'],
    ['no changes', { ...trace, changes: {} }, 'it has no list of changes'],
    ['a change without a time', first({ step: 'x' }), 'change 1 of'],
    ['a time below zero', first({ atMs: -1, step: 'x' }), '"atMs" is -1'],
    ['a change of nothing', first({ atMs: 0 }), 'it has nothing that is known'],
    ['a change of two things', first({ atMs: 0, step: 'x', pod }), 'it has pod and step'],
    ['a pod without its uid', first({ atMs: 0, pod: { ...pod, uid: undefined } }), 'its pod is damaged'],
    ['a pod that is a text', first({ atMs: 0, pod: 'x' }), 'its pod is damaged'],
    ['times out of order', first({ atMs: 5, step: 'x' }), 'has an earlier time than the one before it'],
    ['a name that only objects have', first({ atMs: 0, constructor: 1 }), 'it has nothing that is known'],
  ]
  for (const [name, value, words] of rows)
    it(`refuses ${name}`, () => {
      expect(read(value)).toThrow('Cannot show web.json as a trace')
      expect(read(value)).toThrow(words)
    })
})
