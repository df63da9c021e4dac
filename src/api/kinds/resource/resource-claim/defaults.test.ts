import { expect, it } from 'vitest'
import { defaultClaimSpec } from './defaults.ts'
import { validateResourceClaimUpdate } from './validation.ts'

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

it('no requests and an empty list of requests are equal', () => {
  const claim = (requests: unknown) => ({ spec: { devices: { requests } } }) as Parameters<typeof validateResourceClaimUpdate>[0]
  expect(validateResourceClaimUpdate(claim([]), claim(null))).toEqual([])
  expect(validateResourceClaimUpdate(claim([{ name: 'r' }]), claim(null))).toHaveLength(1)
})
