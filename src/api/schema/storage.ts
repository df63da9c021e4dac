// The types of storage/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const storage = {
  StorageClass: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    provisioner: 'string always required',
    parameters: 'map string',
    reclaimPolicy: '*string',
    mountOptions: '[]string list=atomic',
    allowVolumeExpansion: '*bool',
    volumeBindingMode: '*string',
    allowedTopologies: '[]core.TopologySelectorTerm list=atomic',
  },
} as const
