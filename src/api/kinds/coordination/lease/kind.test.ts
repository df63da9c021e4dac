import { describe, expect, it } from 'vitest'
import { creates, run } from '../../../testing/judge-rows.ts'
import { validateLease } from './kind.ts'

const notNegative = 'must be greater than or equal to 0'
const metadata = { name: 'a', namespace: 'default' }
creates(validateLease, { type: 'coordination.Lease', strategy: {}, base: { metadata } }, [
  ['a plain one', { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } }, []],
  ['no time', { spec: { leaseDurationSeconds: 0 } }, ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0']],
  ['fewer than no transitions', { spec: { leaseTransitions: -1 } }, [`spec.leaseTransitions: Invalid value: -1: ${notNegative}`]],
])
describe('validateLease()', () => {
  it('requires a strategy for a preferred holder', () => {
    // Behind a gate that is off, so the decoder drops them.
    const messages = ['spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined']
    expect(run(validateLease, { metadata, spec: { preferredHolder: 'a' } })).toEqual(messages)
    expect(run(validateLease, { metadata, spec: { preferredHolder: 'a', strategy: 'OldestEmulationVersion' } })).toEqual([])
    expect(run(validateLease, { metadata, spec: { strategy: 'Best' } })).toEqual([
      'spec.strategy.strategy: Unsupported value: "Best": supported values: "OldestEmulationVersion"',
    ])
  })
})
