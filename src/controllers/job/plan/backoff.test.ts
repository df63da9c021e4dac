import { describe, expect, it } from 'vitest'
import { makePod, startMs } from '../testing/sample-objects.ts'
import { type Backoff, nextBackoff, noBackoff, remainingBackoffMs, remainingIndexBackoffMs } from './backoff.ts'
import { finishedAtMs, indexFailureCountKey, indexIgnoredFailureCountKey } from './pods.ts'

const at = (seconds: number) => startMs + seconds * 1000
const failed = (seconds: number) => makePod(`f${seconds}`, { phase: 'Failed', finishedAtMs: at(seconds) })
const succeeded = (seconds: number) => makePod(`s${seconds}`, { phase: 'Succeeded', finishedAtMs: at(seconds) })

describe('nextBackoff()', () => {
  const before: Backoff = { failures: 2, lastFailureAtMs: at(1) }
  it.each([
    ['nothing new', before, [], [], before],
    ['failures add up', before, [], [failed(9), failed(5)], { failures: 4, lastFailureAtMs: at(9) }],
    ['a success forgets', before, [succeeded(5)], [], noBackoff],
    [
      'and only what came after it counts',
      before,
      [succeeded(5)],
      [failed(3), failed(5), failed(7)],
      { failures: 1, lastFailureAtMs: at(7) },
    ],
  ])('%s', (_, record, successes, failures, expected) => {
    expect(nextBackoff(record, successes, failures)).toEqual(expected)
  })
})

describe('remainingBackoffMs()', () => {
  it.each([
    ['no failure', 0, 0],
    ['ten seconds', 1, 10_000],
    ['twice as long', 2, 20_000],
    ['and again', 3, 40_000],
    ['and again', 6, 320_000],
    ['ten minutes at most', 7, 600_000],
    ['however often', 1000, 600_000],
  ])('%s', (_, failures, expected) => {
    expect(remainingBackoffMs({ failures, lastFailureAtMs: startMs }, startMs)).toBe(expected)
    expect(remainingBackoffMs({ failures, lastFailureAtMs: startMs }, startMs + expected)).toBe(0)
  })

  it('counts all failures of an index', () => {
    const pod = makePod('p', { phase: 'Failed', annotations: { [indexFailureCountKey]: '1', [indexIgnoredFailureCountKey]: '1' } })
    expect(remainingIndexBackoffMs(pod, startMs)).toBe(40_000)
    expect(remainingIndexBackoffMs(undefined, startMs)).toBe(0)
  })
})

describe('finishedAtMs()', () => {
  const created = makePod('p', { phase: 'Failed', status: { containerStatuses: [] } })
  const notReady = { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-11-15T13:00:00Z' as never }] }
  // As the API server stores a time that a client has left out.
  const noTime = null as never
  const container = { name: 'c', image: 'x', imageID: '', ready: false, restartCount: 0 }
  const terminated = { containerStatuses: [{ ...container, state: { terminated: { exitCode: 1, finishedAt: noTime } } }] }
  const notReadyAtNoTime = { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: noTime }] }
  it.each([
    ['its last container', failed(7), at(7)],
    ['when it stopped being ready', makePod('p', { phase: 'Failed', status: { containerStatuses: [], ...notReady } }), at(3600)],
    ['a container without a time of its end', makePod('p', { phase: 'Failed', status: { ...terminated, ...notReady } }), at(3600)],
    ['no time at all', makePod('p', { phase: 'Failed', status: { ...terminated, ...notReadyAtNoTime } }), startMs],
    ['when it was deleted', makePod('p', { isTerminating: true }), startMs],
    ['when it was created', created, startMs],
  ])('%s', (_, pod, expected) => {
    expect(finishedAtMs(pod)).toBe(expected)
  })
})
