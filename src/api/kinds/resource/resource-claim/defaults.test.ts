import { expect, it } from 'vitest'
import { defaultClaimSpec } from './defaults.ts'

it('gives requests a mode and a count, and tolerations an operator', () => {
  const spec = {
    devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', tolerations: [{ key: 'a' }, { operator: 'Exists' }] } }] },
  }
  defaultClaimSpec(spec)
  expect(spec.devices.requests[0]!.exactly).toEqual({
    deviceClassName: 'c',
    allocationMode: 'ExactCount',
    count: 1,
    tolerations: [{ key: 'a', operator: 'Equal' }, { operator: 'Exists' }],
  })
})
