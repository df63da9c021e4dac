// The messages are those of kube-apiserver v1.37.1.
import { expect } from 'vitest'
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { resourceSlices } from './kind.ts'
import { validateResourceSlice, validateResourceSliceUpdate } from './validation.ts'

const slice: Subject = {
  type: 'resource.ResourceSlice',
  strategy: resourceSlices.strategy,
  base: {
    metadata: { name: 's' },
    spec: { driver: 'd', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices: [] },
  },
}
creates(validateResourceSlice, slice, [
  ['a good one', {}, []],
  [
    'two places for its devices',
    { spec: { allNodes: true } },
    [
      'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
    ],
  ],
  ['a switch that is off', { spec: { allNodes: false } }, ['spec.allNodes: Invalid value: false: must be either unset or set to true']],
  [
    'no pool and an empty attribute',
    { spec: { pool: { name: '', generation: 1, resourceSliceCount: 0 }, devices: [{ name: 'd', attributes: { a: {} } }] } },
    [
      'spec.pool.name: Required value',
      'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
      'spec.devices[0].attributes[a]: Invalid value: "": must specify one of: `int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`',
    ],
  ],
  [
    'a node of a device, names of attributes and conditions, and a taint',
    {
      spec: {
        devices: [
          { name: 'd', allNodes: true, attributes: { '8': { int: 1 } }, bindingConditions: ['a b'], taints: [{ key: 'k', effect: 'x' }] },
        ],
      },
    },
    [
      expect.stringContaining('spec.devices[0].attributes: Invalid value: "8": a valid C identifier must start'),
      'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      expect.stringContaining('spec.devices[0].bindingConditions[0]: Invalid value: "a b": name part must consist'),
      'spec.devices[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
      'spec.devices[0].taints[0].effect: Unsupported value: "x": supported values: "NoExecute", "NoSchedule", "None"',
    ],
  ],
  [
    'devices that name no node where each has to',
    { spec: { nodeName: undefined, perDeviceNodeSelection: true, devices: [{ name: 'd' }] } },
    [
      'spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
    ],
  ],
  [
    'amounts of a shared capacity',
    {
      spec: {
        devices: [
          {
            name: 'd',
            allowMultipleAllocations: true,
            capacity: {
              a: { value: '10', requestPolicy: { default: '1', validValues: ['2', '1', '20'] } },
              b: { value: '10', requestPolicy: { validRange: { min: '1' } } },
              c: { value: '10', requestPolicy: { default: '4', validRange: { min: '1', max: '12', step: '2' } } },
            },
          },
        ],
      },
    },
    [
      'spec.devices[0].capacity[a].requestPolicy.validValues[1]: Invalid value: "1": values must be sorted in ascending order',
      'spec.devices[0].capacity[a].requestPolicy.validValues[2]: Invalid value: "20": option is larger than capacity value: 10',
      'spec.devices[0].capacity[b].requestPolicy.default: Required value: required when validRange is defined',
      'spec.devices[0].capacity[c].requestPolicy.validRange.max: Invalid value: "12": max is larger than capacity value: 10',
      'spec.devices[0].capacity[c].requestPolicy.validRange.step: Invalid value: "4": value is not a multiple of a given step (2) from (1)',
      'spec.devices[0].capacity[c].requestPolicy.validRange.step: Invalid value: "12": value is not a multiple of a given step (2) from (1)',
    ],
  ],
  [
    'counters without names',
    { spec: { devices: undefined, sharedCounters: [{ name: '' }] } },
    ['spec.sharedCounters[0].name: Required value', 'spec.sharedCounters[0].counters: Required value'],
  ],
])
updates(validateResourceSliceUpdate, slice, [
  ['the same', {}, {}, []],
  ['another driver', { spec: { driver: 'e' } }, {}, ['spec.driver: Invalid value: "e": field is immutable']],
])
