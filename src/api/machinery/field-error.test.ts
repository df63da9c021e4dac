import { describe, expect, it } from 'vitest'
import { changed, declared, required, withDeclaredLast } from './field-error.ts'

describe('withDeclaredLast()', () => {
  it('lists declared errors after all others, each in its order', () => {
    const errors = [declared(required('a', '')), required('b', ''), changed('c'), required('d', '')]
    expect(withDeclaredLast(errors).map(({ field }) => field)).toEqual(['b', 'd', 'a', 'c'])
  })
})
