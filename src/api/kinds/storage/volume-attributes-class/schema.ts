import type { Types } from '../../../machinery/schema/schema.ts'

export const volumeAttributesClassTypes: Types = {
  'storage.VolumeAttributesClass': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    driverName: 'string always required #2',
    parameters: 'map string #3',
  },
}
