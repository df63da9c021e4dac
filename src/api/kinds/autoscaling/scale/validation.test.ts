import { describe, expect, it } from 'vitest'
import { run } from '../../../testing/judge-rows.ts'
import { validateScale } from './validation.ts'

const notNegative = 'must be greater than or equal to 0'
const metadata = { name: 'a', namespace: 'default' }
describe('validateScale()', () => {
  it('refuses negative replicas', () => {
    expect(validateScale({ metadata, spec: { replicas: 0 } })).toEqual([])
    expect(run(validateScale, { metadata, spec: { replicas: -1 } })).toEqual([`spec.replicas: Invalid value: -1: ${notNegative}`])
  })
})
