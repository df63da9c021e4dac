import { describe, expect, it } from 'vitest'
import { unifiedDiff } from './unified-diff.ts'

const lines = (...numbers: (number | string)[]) => numbers.join('\n')
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('unifiedDiff()', () => {
  it('is empty for equal texts', () => {
    expect(unifiedDiff('a\nb', 'a\nb')).toBe('')
  })

  it.each([
    ['a line changed', lines('a', 'b', 'c'), lines('a', 'x', 'c'), '@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n'],
    ['a line added at the end', lines('a'), lines('a', 'b'), '@@ -1 +1,2 @@\n a\n+b\n'],
    ['a line removed at the start', lines('a', 'b'), lines('b'), '@@ -1,2 +1 @@\n-a\n b\n'],
    ['three lines around', lines(...upTo(9)), lines(1, 2, 3, 4, 'x', 6, 7, 8, 9), '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n'],
    [
      'changes far apart',
      lines(...upTo(20)),
      lines('x', ...upTo(20).slice(1, 19), 'y'),
      '@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+y\n',
    ],
    [
      'changes six lines apart are one group',
      lines(...upTo(8)),
      lines('x', 2, 3, 4, 5, 6, 7, 'y'),
      '@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n',
    ],
    ['nothing in common', lines('a', 'b'), lines('c'), '@@ -1,2 +1 @@\n-a\n-b\n+c\n'],
  ])('%s', (_name, from, to, expected) => {
    expect(unifiedDiff(from, to)).toBe(expected)
  })
})
