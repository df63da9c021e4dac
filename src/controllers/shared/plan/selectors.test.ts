import { describe, expect, it } from 'vitest'
import { SelectorSyntaxError } from '../../../base/label-selector.ts'
import { requirementsOf } from './selectors.ts'

describe('requirementsOf()', () => {
  it('reads a selector once', () => {
    const selector = { matchLabels: { app: 'x' } }
    const requirements = requirementsOf(selector)
    expect(requirements).toEqual([{ key: 'app', operator: '=', values: ['x'] }])
    expect(requirementsOf(selector)).toBe(requirements)
  })

  it('distinguishes no selector from an empty one', () => {
    expect(requirementsOf(undefined)).toBeUndefined()
    expect(requirementsOf({})).toEqual([])
  })

  it('refuses an operator that does not exist every time', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'Like' }] }
    for (let time = 0; time < 2; time++) expect(() => requirementsOf(selector)).toThrow(SelectorSyntaxError)
  })
})
