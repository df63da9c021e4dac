import type { Types } from '../../../machinery/schema/schema.ts'

export const csiNodeTypes: Types = {
  'storage.CSINode': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'storage.CSINodeSpec always required #2',
  },
  'storage.CSINodeSpec': {
    drivers: '[]storage.CSINodeDriver always patch=merge mergeKey=name list=map keys=name required #1',
  },
  'storage.CSINodeDriver': {
    name: 'string always required #1',
    nodeID: 'string always required #2',
    topologyKeys: '[]string always list=atomic #3',
    allocatable: '*storage.VolumeNodeResources #4',
  },
  'storage.VolumeNodeResources': {
    count: '*int32 #1',
  },
}
