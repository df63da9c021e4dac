import type { Types } from '../../../machinery/schema/schema.ts'

export const storageClassTypes: Types = {
  'core.TopologySelectorTerm': {
    $struct: 'atomic',
    matchLabelExpressions: '[]core.TopologySelectorLabelRequirement list=atomic #1',
  },
  'core.TopologySelectorLabelRequirement': {
    key: 'string always required #1',
    values: '[]string always list=atomic required #2',
  },
  'storage.StorageClass': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    provisioner: 'string always required #2',
    parameters: 'map string #3',
    reclaimPolicy: '*string goType=v1.PersistentVolumeReclaimPolicy #4',
    mountOptions: '[]string list=atomic #5',
    allowVolumeExpansion: '*bool #6',
    volumeBindingMode: '*string goType=v1.VolumeBindingMode #7',
    allowedTopologies: '[]core.TopologySelectorTerm list=atomic #8',
  },
}
