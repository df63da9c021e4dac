import { expect, it } from 'vitest'
import { alignRows } from './aligned-rows.ts'

it('aligns columns at the left and at the right, without spaces at the end of a line', () => {
  const rows = [
    ['NAME', 'PODS', 'NOTE'],
    ['a', '10', ''],
    ['longer', '7', 'x'],
  ]
  expect(alignRows(rows, { gap: 2, isLeft: (column) => column !== 1 })).toEqual(['NAME    PODS  NOTE', 'a         10', 'longer     7  x'])
})

it('has no lines without rows', () => expect(alignRows([], { gap: 1, isLeft: () => true })).toEqual([]))
