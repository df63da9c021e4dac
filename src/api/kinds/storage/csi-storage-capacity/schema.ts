import type { Types } from '../../../machinery/schema/schema.ts'

export const csiStorageCapacityTypes: Types = {
  'storage.CSIStorageCapacity': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    nodeTopology: '*meta.LabelSelector #2',
    storageClassName: 'string always required #3',
    capacity: '*Quantity #4',
    maximumVolumeSize: '*Quantity #5',
  },
}
