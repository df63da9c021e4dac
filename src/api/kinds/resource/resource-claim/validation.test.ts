// The messages are those of kube-apiserver v1.37.1.
import { expect } from 'vitest'
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { resourceClaims } from './kind.ts'
import { validateResourceClaim } from './validation.ts'

const exactly = { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 }
const claim: Subject = {
  type: 'resource.ResourceClaim',
  strategy: resourceClaims.strategy,
  base: { metadata: { name: 'c' }, spec: { devices: { requests: [{ name: 'r', exactly }] } } },
}
creates(validateResourceClaim, claim, [
  ['a good one', {}, []],
  [
    'neither way to ask',
    { spec: { devices: { requests: [{ name: 'r' }] } } },
    ['spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required'],
  ],
  [
    'a wrong count and class, and the name of another request',
    {
      spec: {
        devices: {
          requests: [{ name: 'r', exactly: { ...exactly, deviceClassName: '', allocationMode: 'All' } }],
          config: [{ requests: ['x'], opaque: { driver: 'd', parameters: {} } }],
        },
      },
    },
    [
      'spec.devices.requests[0].exactly.deviceClassName: Required value',
      "spec.devices.requests[0].exactly.count: Invalid value: 1: must not be specified when allocationMode is 'All'",
      'spec.devices.config[0].requests[0]: Invalid value: "x": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    ],
  ],
  [
    'an attribute without a domain, parameters that are no object and a driver',
    {
      spec: {
        devices: {
          constraints: [{ matchAttribute: 'model' }],
          config: [{ opaque: { driver: '-', parameters: 1 } }],
        },
      },
    },
    [
      'spec.devices.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
      'spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash',
      expect.stringContaining('spec.devices.config[0].opaque.driver: Invalid value: "-": an RFC 1123 subdomain must consist'),
    ],
  ],
])
