// The messages are those of kube-apiserver v1.36.4.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { resourceSlices } from './kind.ts'
import { validateResourceSlice } from './validation.ts'

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
    'no pool and an empty attribute',
    { spec: { pool: { name: '', generation: 1, resourceSliceCount: 0 }, devices: [{ name: 'd', attributes: { a: {} } }] } },
    [
      'spec.pool.name: Required value',
      'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
      'spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified',
    ],
  ],
])
