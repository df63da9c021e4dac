// The messages are those of kube-apiserver v1.37.1.
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
      'spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified',
    ],
  ],
])
updates(validateResourceSliceUpdate, slice, [
  ['the same', {}, {}, []],
  ['another driver', { spec: { driver: 'e' } }, {}, ['spec.driver: Invalid value: "e": field is immutable']],
])
