// The messages are those of kube-apiserver v1.37.1.
import { describe, expect, it } from 'vitest'
import { run } from '../../../testing/judge-rows.ts'
import { validateResourceClaimStatusUpdate } from './status-validation.ts'

const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } }
const claim = (status: object) => ({ metadata: { name: 'c', namespace: 'default' }, spec, status })
const device = { driver: 'd', pool: 'p', device: 'x' }
const allocation = { devices: { results: [{ request: 'r', ...device }] } }
const pod = { resource: 'pods', name: 'a', uid: '1' }

describe('validateResourceClaimStatusUpdate()', () => {
  it.each([
    ['an allocation', { allocation, reservedFor: [pod] }, {}, []],
    [
      'a consumer without an allocation',
      { reservedFor: [pod] },
      {},
      ['status.reservedFor: Forbidden: may not be specified when `allocated` is not set'],
    ],
    [
      'an unknown request',
      { allocation: { devices: { results: [{ request: 'other', ...device }] } } },
      {},
      [
        'status.allocation.devices.results[0].request: Invalid value: "other": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
      ],
    ],
    [
      'another allocation',
      { allocation: { devices: { results: [{ request: 'r', ...device, device: 'y' }] } } },
      { allocation },
      [expect.stringMatching(/^status\.allocation: Invalid value: \{"Devices".*: field is immutable$/)],
    ],
    [
      'a device that is not allocated',
      { devices: [device] },
      {},
      ['status.devices[0]: Invalid value: {"Driver":"d","Pool":"p","Device":"x","ShareID":""}: must be an allocated device in the claim'],
    ],
    ['two consumers of one uid', { allocation, reservedFor: [pod, pod] }, {}, ['status.reservedFor[1]: Duplicate value: "1"']],
  ])('judges %s', (_name, status, before, messages) => {
    expect(run(validateResourceClaimStatusUpdate, claim(status), claim(before))).toEqual(messages)
  })
})
