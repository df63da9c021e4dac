import { expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

it.each([
  ['no failure', 0, 100],
  ['the first', 1, 100],
  ['the second', 2, 200],
  ['the fourth', 4, 800],
  ['one beyond the maximum', 5, 1000],
  ['more than a number can hold', 5000, 1000],
])('waits after %s', (_name, failures, expected) => {
  expect(backoffMs(failures, { firstMs: 100, maxMs: 1000 })).toBe(expected)
})
