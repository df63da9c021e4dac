import { describe, expect, it } from 'vitest'
import type { Mark } from '../../rollout/result.ts'
import { marksNear, placeMoments } from './marks.ts'

const step = (atMs: number, text: string): Mark => ({ atMs, type: 'step', object: '', text })
const place = (...marks: readonly Mark[]) => placeMoments(marks, (ms) => ms, 40, 400)

describe('placeMoments()', () => {
  it('writes to the right of the line', () => expect(place(step(50, 'image'))[0]!.label).toEqual({ text: 'image', from: 58.5 }))
  it('writes to the left where there is no room', () => expect(place(step(390, 'image'))[0]!.label!.from).toBeLessThan(390))
  it('never writes beyond the edges', () => {
    for (const at of [40, 120, 220, 300, 400]) {
      const { text, from } = place(step(at, 'a text that is much too long for so small a chart'))[0]!.label!
      expect(from).toBeGreaterThanOrEqual(40)
      expect(from + text.length * 6.6).toBeLessThanOrEqual(400)
    }
  })
  it('takes a second row for what is close, and none for a third', () => {
    const moments = place(step(50, 'first step'), step(60, 'second step'), step(70, 'third step'))
    expect(moments.map(({ row, label }) => [row, label?.text])).toEqual([
      [0, 'first step'],
      [1, 'second step'],
      [0, undefined],
    ])
  })
  it('leaves events and conditions to the lane', () => expect(place({ ...step(5, 'x'), type: 'event' })).toEqual([]))
})

describe('marksNear()', () => {
  it('puts what matters first, then what is near', () => {
    const marks: Mark[] = [
      { ...step(10, 'event'), type: 'event' },
      { ...step(12, 'near'), type: 'condition' },
      { ...step(14, 'fault'), type: 'fault' },
      { ...step(99, 'far'), type: 'fault' },
    ]
    expect(marksNear(marks, 11, 5).map(({ text }) => text)).toEqual(['fault', 'near', 'event'])
  })
})
