import { expect, it } from 'vitest'
import { screenOf } from './run-count.ts'

const linesOf = (drawn: string) =>
  ['\x1b[H', '\x1b[K', '\x1b[J']
    .reduce((text, code) => text.replaceAll(code, ''), drawn)
    .trimEnd()
    .split('\n')

it('draws over the text before, and never clears the scrollback', () => {
  expect(screenOf('a\nb\n', { columns: 80, rows: 24 }, true)).toBe('\x1b[2J\x1b[H\x1b[Ka\n\x1b[Kb\n\x1b[J')
  expect(screenOf('a\n', { columns: 80, rows: 24 }, false)).toBe('\x1b[H\x1b[Ka\n\x1b[J')
})

it('wraps long lines, and leaves out those that do not fit, so that the terminal does not scroll', () => {
  expect(linesOf(screenOf('abcdef\n\nx\n', { columns: 3, rows: 10 }, false))).toEqual(['abc', 'def', '', 'x'])
  expect(linesOf(screenOf('1\n2\n3\n4\n5\n', { columns: 80, rows: 4 }, false))).toEqual(['1', '2', '… 3 more lines'])
  expect(linesOf(screenOf('1\n2\n3\n', { columns: 80, rows: 4 }, false))).toEqual(['1', '2', '3'])
})
