import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { storageClasses, validateStorageClass, validateStorageClassUpdate } from './kind.ts'

const immutable = 'field is immutable'
const storageClass: Subject = {
  type: 'storage.StorageClass',
  strategy: storageClasses.strategy,
  base: { metadata: { name: 'a' }, provisioner: 'a.io/b' },
}
creates(validateStorageClass, storageClass, [
  [
    'a topology that asks for nothing',
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }, {}] },
    ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""', 'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
  ],
  ['a plain one', {}, []],
  ['no provisioner', { provisioner: '' }, ['provisioner: Required value']],
  [
    'an unknown policy',
    { reclaimPolicy: 'Recycle' },
    ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
  ],
  [
    'an unknown mode',
    { volumeBindingMode: 'Later' },
    ['volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"'],
  ],
])
updates(validateStorageClassUpdate, storageClass, [
  ['other parameters', { parameters: { a: 'b' } }, {}, [`parameters: Invalid value: null: ${immutable}`]],
  ['another provisioner', { provisioner: 'c.io/d' }, {}, [`provisioner: Invalid value: null: ${immutable}`]],
  [
    'topologies that are not valid',
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'k', values: [] }] }] },
    {},
    ['allowedTopologies[0].matchLabelExpressions[0].values: Required value'],
  ],
])
