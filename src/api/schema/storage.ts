// The types of storage/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const storage = {
  StorageClass: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    provisioner: 'string always required #2',
    parameters: 'map string #3',
    reclaimPolicy: '*string #4',
    mountOptions: '[]string list=atomic #5',
    allowVolumeExpansion: '*bool #6',
    volumeBindingMode: '*string #7',
    allowedTopologies: '[]core.TopologySelectorTerm list=atomic #8',
  },
} as const
