import { describe, expect, it } from 'vitest'
import { canonicalMicroTime, canonicalTime, timeProblem } from './time.ts'

const layout = '"2006-01-02T15:04:05Z07:00"'

describe('canonicalTime()', () => {
  it.each([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59Z'],
    ['2024-01-01T00:00:00.999999999Z', '2024-01-01T00:00:00Z'],
    ['2024-01-01T00:00:00+02:00', '2023-12-31T22:00:00Z'],
    ['2024-01-01T1:00:00Z', '2024-01-01T01:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
    ['0050-01-01T00:00:00-01:00', '0050-01-01T01:00:00Z'],
  ])('reads %s', (text, expected) => {
    expect(canonicalTime(text)).toBe(expected)
  })

  it.each([
    ['', `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    ['é', `parsing time "\\xc3\\xa9" as ${layout}: cannot parse "\\xc3\\xa9" as "2006"`],
    ['a"\n', `parsing time "a\\"\\x0a" as ${layout}: cannot parse "a\\"\\x0a" as "2006"`],
    ['2024', `parsing time "2024" as ${layout}: cannot parse "" as "-"`],
    ['2024-1-01T00:00:00Z', `parsing time "2024-1-01T00:00:00Z" as ${layout}: cannot parse "1-01T00:00:00Z" as "01"`],
    ['2024-01-01 00:00:00Z', `parsing time "2024-01-01 00:00:00Z" as ${layout}: cannot parse " 00:00:00Z" as "T"`],
    ['2024-01-01T00:00:00', `parsing time "2024-01-01T00:00:00" as ${layout}: cannot parse "" as "Z07:00"`],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2024-01-01T24:00:00Z', 'parsing time "2024-01-01T24:00:00Z": hour out of range'],
    ['2024-01-01T00:00:00ZZ', 'parsing time "2024-01-01T00:00:00ZZ": extra text: "Z"'],
  ])('refuses %j', (text, message) => {
    expect(canonicalTime(text)).toBeUndefined()
    expect(timeProblem(text, false)).toBe(message)
  })
})

describe('canonicalMicroTime()', () => {
  it('requires six digits', () => {
    expect(canonicalMicroTime('2024-01-01T00:00:00.000100Z')).toBe('2024-01-01T00:00:00.000100Z')
    expect(canonicalMicroTime('0001-01-01T00:00:00.000000Z')).toBeNull()
    expect(canonicalMicroTime('2024-01-01T00:00:00Z')).toBeUndefined()
    expect(timeProblem('2024-01-01T00:00:00Z', true)).toBe(
      'parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    )
  })
})
