// The messages are those of kube-apiserver v1.37.1.
import { type Subject, updates } from '../../../testing/judge-rows.ts'
import { csiNodes, validateCsiNodeUpdate } from './kind.ts'

const driver = { name: 'd', nodeID: 'n', topologyKeys: ['zone'] }
const node: Subject = {
  type: 'storage.CSINode',
  strategy: csiNodes.strategy,
  base: { metadata: { name: 'n' }, spec: { drivers: [driver] } },
}
updates(validateCsiNodeUpdate, node, [
  ['the same', {}, {}, []],
  ['another count', { spec: { drivers: [{ ...driver, allocatable: { count: 5 } }] } }, {}, []],
  ['another driver', { spec: { drivers: [{ ...driver, name: 'e', nodeID: 'm' }] } }, {}, []],
  [
    'another id of the node',
    { spec: { drivers: [{ ...driver, nodeID: 'm' }] } },
    {},
    ['spec.drivers: Invalid value: {"Name":"d","NodeID":"m","TopologyKeys":["zone"],"Allocatable":null}: field is immutable'],
  ],
])
