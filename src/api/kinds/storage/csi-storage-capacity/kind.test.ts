// The messages are those of kube-apiserver v1.37.1.
import { type Subject, updates } from '../../../testing/judge-rows.ts'
import { csiStorageCapacities, validateCsiStorageCapacityUpdate } from './kind.ts'

const capacity: Subject = {
  type: 'storage.CSIStorageCapacity',
  strategy: csiStorageCapacities.strategy,
  base: { metadata: { name: 'c', namespace: 'default' }, storageClassName: 's' },
}
updates(validateCsiStorageCapacityUpdate, capacity, [
  ['another capacity', { capacity: '1Gi' }, {}, []],
  [
    'another class and topology',
    { storageClassName: 't', nodeTopology: { matchLabels: { zone: 'a' } } },
    {},
    [
      'nodeTopology: Invalid value: {"matchLabels":{"zone":"a"}}: field is immutable',
      'storageClassName: Invalid value: "t": field is immutable',
    ],
  ],
])
