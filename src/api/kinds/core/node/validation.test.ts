import { expect } from 'vitest'
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { validateNode, validateNodeUpdate } from './validation.ts'

const _metadata = { name: 'a', namespace: 'default' }
const _key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

const node: Subject = { type: 'core.Node', strategy: {}, base: { metadata: { name: 'a' } } }
const taint = { key: 'a', effect: 'NoSchedule' }
creates(validateNode, node, [
  ['a plain one', { spec: { taints: [taint], podCIDRs: ['10.0.0.0/24', '2001:db8::/64'] }, status: { capacity: { cpu: '4' } } }, []],
  [
    'a wrong taint',
    { spec: { taints: [{ key: 'a', value: '-', effect: 'Never' }] } },
    [
      expect.stringContaining('metadata.taints[0].value: Invalid value: "-": a valid label must be') as unknown as string,
      'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  ['a taint without effect', { spec: { taints: [{ key: 'a' }] } }, ['metadata.taints[0].effect: Required value']],
  [
    'a taint that is there twice',
    { spec: { taints: [taint, { ...taint, value: 'b' }] } },
    [
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
    ],
  ],
  ['half a pod', { status: { capacity: { pods: '1500m' } } }, ['status.capacity.pods: Invalid value: "1500m": must be an integer']],
  [
    'two blocks of a family',
    { spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] } },
    ['spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family'],
  ],
  [
    'a block that cannot be read',
    { spec: { podCIDRs: ['10.0.0.0/24', 'x'] } },
    [
      'spec.podCIDRs[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: x)',
      'spec.podCIDRs: Invalid value: ["10.0.0.0/24","x"]: may specify no more than one CIDR for each IP family',
    ],
  ],
])
updates(validateNodeUpdate, node, [
  ['the first block', { spec: { podCIDRs: ['10.0.0.0/24'], providerID: 'x' } }, {}, []],
  [
    'another block and another machine',
    { spec: { podCIDRs: ['10.0.1.0/24'], providerID: 'y' } },
    { spec: { podCIDRs: ['10.0.0.0/24'], providerID: 'x' } },
    [
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ],
  ],
  [
    'an address that is there twice',
    {
      status: {
        addresses: [
          { type: 'InternalIP', address: '10.0.0.1' },
          { type: 'InternalIP', address: '10.0.0.1' },
        ],
      },
    },
    {},
    ['status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}'],
  ],
])
