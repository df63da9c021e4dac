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
      ['status.allocation: Invalid value: null: field is immutable'],
    ],
    [
      'a device that is not allocated',
      { devices: [device] },
      {},
      ['status.devices[0]: Invalid value: {"Driver":"d","Pool":"p","Device":"x","ShareID":""}: must be an allocated device in the claim'],
    ],
    [
      'two consumers of one uid',
      { allocation, reservedFor: [pod, pod] },
      {},
      ['status.reservedFor[1]: Duplicate value: {"resource":"pods","name":"a","uid":"1"}'],
    ],
    [
      'a wrong share, data that is no object and an address without its prefix length',
      { allocation, devices: [{ ...device, shareID: 'X', data: 1, networkData: { ips: ['10.0.0.1'] } }] },
      {},
      [
        'status.devices[0]: Invalid value: {"Driver":"d","Pool":"p","Device":"x","ShareID":"X"}: must be an allocated device in the claim',
        'status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object',
        'status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.1": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
        'status.devices[0].shareID: Invalid value: "X": must be a lowercase UUID in 8-4-4-4-12 format',
      ],
    ],
    [
      'the configuration of an allocation',
      { allocation: { ...allocation, devices: { ...allocation.devices, config: [{ source: 'x' }] } } },
      {},
      [
        'status.allocation.devices.config[0].opaque: Required value',
        'status.allocation.devices.config[0].source: Unsupported value: "x": supported values: "FromClaim", "FromClass"',
      ],
    ],
  ])('judges %s', (_name, status, before, messages) => {
    expect(run(validateResourceClaimStatusUpdate, claim(status), claim(before))).toEqual(messages)
  })
})
