import { describe, expect, it } from 'vitest'
import { findBreach, parseExpectation } from './expectations.ts'
import type { Measures } from './result.ts'

const measures: Measures = {
  peakPods: 13,
  cap: 13,
  peakOverCap: 0,
  availableAfterMs: 90_000,
  completeAfterMs: 120_000,
  lowestAvailability: 0.8,
  podSeconds: 1234.5,
  peakNodes: 4,
  nodeMinutes: 8,
  waitedForRoom: 0,
  matchedNoNode: 0,
  deadlinesPassed: 1,
}

const breachOf = (text: string) => {
  const expectation = parseExpectation(text)
  return typeof expectation === 'string' ? expectation : findBreach(expectation, measures)
}

describe('findBreach()', () => {
  it.each([
    'peakPods <= 13',
    'peakPods<=cap',
    'peakPods < cap + 1',
    'peakPods > cap - 1',
    'availability >= 80%',
    'availability == 0.8',
    'completesWithin 2m',
    'completesWithin: 120s',
    'completes == true',
    'availableAfter != 2m',
    'podSeconds <= 1234.5',
  ])('holds: %s', (text) => {
    expect(breachOf(text)).toBeUndefined()
  })

  it.each([
    ['peakPods <= 12', 'it is 13'],
    ['peakPods < cap', 'it is 13, cap is 13'],
    ['availability >= 90%', 'it is 80%'],
    ['completesWithin 1m', 'it is 2m 00s'],
    ['completes == false', 'it is true'],
    ['oldGoneAfter <= 10m', 'it did not happen within the run'],
    ['deadlinesPassed == 0', 'it is 1'],
  ])('does not: %s', (text, breach) => {
    expect(breachOf(text)).toBe(breach)
  })
})

describe('parseExpectation()', () => {
  it.each([
    ['  peakPods<=13 ', 'peakPods<=13'],
    ['completesWithin 5m', 'completesWithin 5m'],
    ['completesWithin: 5m', 'completesWithin 5m'],
    ['completeAfter <= 5m', 'completeAfter <= 5m'],
  ])('reports %j in the words of its author', (text, reported) => {
    expect(parseExpectation(text)).toMatchObject({ text: reported })
  })

  it.each([
    ['', 'cannot read expectation ""'],
    ['peakPods', 'cannot read expectation "peakPods"'],
    ['peakPods = 3', 'Write == for equal'],
    ['completesWithin soon', 'cannot read expectation "completesWithin soon". Write a duration such as 90s or 10m'],
    ['peakPods <= 90%', 'Write a number'],
    ['availability >= 200', 'Write a share'],
    ['completeAfter <= 10', 'Write a duration'],
    ['completes == maybe', 'Write true or false'],
    ['peakPods <= completeAfter', 'completeAfter has another unit'],
    ['constructor <= 1', 'unknown measure "constructor"'],
  ])('refuses %j', (text, message) => {
    expect(parseExpectation(text)).toContain(message)
  })
})
